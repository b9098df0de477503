/** Groups the statements of a connection into messages: what nobody waits for is sent with the next statement that somebody does. */

/** One statement with its `$1…` parameters. */
export interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** The result of one statement. */
export interface StatementResult {
  rows: unknown[];
  rowCount: number | null;
  command: string;
}

/** Sends statements in one message; they run in order until one fails. @returns their results; rejects with the first error */
export type SendMessage = (statements: readonly Statement[]) => Promise<StatementResult[]>;

/** Marks a statement that is sent with the next one of its transaction, or with its commit. */
export const DEFERRED = "/* deferred */ ";
/** Stands for several statements, which are the parameters; each row of the result is the rows of one. */
export const SEVERAL = "/* several */";

/** The statements of a transaction, as Kysely's driver sends them. */
const [BEGIN, COMMIT, ROLLBACK] = ["begin", "commit", "rollback"];

/** The transaction was rolled back when it was to be committed, because a statement had failed and its error was ignored. */
export class NotCommitted extends Error {}

const EMPTY: StatementResult = { rows: [], rowCount: 0, command: "" };

/**
 * Makes the query function of a connection that was checked out, from what sends a message on it. The first statement that a transaction waits
 * for should only read: if BEGIN alone failed, the rest of its message would be committed by itself.
 */
export function groupStatements(send: SendMessage): (sql: string, parameters: readonly unknown[]) => Promise<StatementResult> {
  /** What is sent with the next message: BEGIN first, then deferred statements. */
  let waiting: Statement[] = [];
  const take = (): { before: Statement[]; begins: boolean } => {
    const before = waiting;
    waiting = [];
    return { before, begins: before[0]?.sql === BEGIN };
  };

  return async (sql, parameters) => {
    if (sql === BEGIN || sql.startsWith(DEFERRED)) {
      waiting.push({ sql, parameters });
      return EMPTY;
    }
    const { before, begins } = take();
    // Nothing was sent of this transaction.
    if (begins && (sql === ROLLBACK || (sql === COMMIT && before.length === 1))) return EMPTY;
    if (sql === ROLLBACK) return (await send([{ sql, parameters }]))[0] ?? EMPTY;
    if (sql === SEVERAL) {
      const asked = parameters as readonly Statement[];
      const results = await send([...before, ...asked]);
      return { rows: results.slice(before.length).map(({ rows }) => rows), rowCount: asked.length, command: "SELECT" };
    }
    const result = (await send([...before, { sql, parameters }])).at(-1) ?? EMPTY;
    if (sql === COMMIT && result.command !== "COMMIT") throw new NotCommitted("a statement of this transaction failed");
    return result;
  };
}
