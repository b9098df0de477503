/** Errors of a database that cannot be reached: either nothing was written, or the outcome is unknown. */

/** The database did not answer. The transaction was not committed, unless the error is a `CommitUnknown`. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = "DatabaseUnavailable";
}

/** The answer to a COMMIT was lost: it may have taken effect, or still may. */
export class CommitUnknown extends DatabaseUnavailable {
  override readonly name = "CommitUnknown";
}

/** SQLSTATE 08xxx and 57Pxx: broken connection, server shutting down, starting or ending the session; 53300: too many connections; 25P03: idle in transaction. */
const LOST_STATES = /^(?:08...|57P0[1-5]|53300|25P03)$/;
/** Error codes of sockets and name lookups. */
const LOST_CODES = /^(?:E[A-Z]+|EAI_[A-Z]+)$/;
/** The driver's own errors have no code, only a message. */
const LOST_MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired$)/;

/** Converts a driver error: connection failures become `DatabaseUnavailable`, others are returned unchanged. */
export function asOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const lost = code === "" ? LOST_MESSAGES.test(error.message) : LOST_STATES.test(code) || LOST_CODES.test(code);
  return lost ? new DatabaseUnavailable(`the database does not answer: ${error.message || code}`, { cause: error }) : error;
}
