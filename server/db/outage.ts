/** What the server hears when the database cannot be reached: whether nothing was written, or nobody knows. */

/** The database did not answer. What was asked in a transaction was not written, unless the error is a `CommitUnknown`. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = "DatabaseUnavailable";
}

/** The answer to a COMMIT was lost: it may have taken effect, or may still take effect. */
export class CommitUnknown extends DatabaseUnavailable {
  override readonly name = "CommitUnknown";
}

/** Classes 08 and 57P: a broken connection, a server that is shut down, starts, or ends a session. 53300: too many connections. */
const LOST_STATES = /^(?:08...|57P0[1-5]|53300|25P03)$/;
/** How a socket and a name look-up fail. */
const LOST_CODES = /^(?:E[A-Z]+|EAI_[A-Z]+)$/;
/** The driver's own errors have no code. */
const LOST_WORDS =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect)/;

/** An error of the driver as the rest of the server understands it: unchanged, unless the connection is what failed. */
export function asOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const lost = code === "" ? LOST_WORDS.test(error.message) : LOST_STATES.test(code) || LOST_CODES.test(code);
  return lost ? new DatabaseUnavailable(`the database does not answer: ${error.message || code}`, { cause: error }) : error;
}
