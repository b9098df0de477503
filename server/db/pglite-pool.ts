/** Presents the embedded database as a pool with one connection, so that PGlite and PostgreSQL use the same Kysely dialect. */
import { Worker } from "node:worker_threads";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { DatabaseUnavailable } from "./outage.ts";
import type { PgliteAnswer, PgliteCall, PgliteSetup } from "./pglite-wire.ts";
import { groupStatements } from "./statement.ts";
import type { SendMessage, StatementResult } from "./statement.ts";

/** A database error with the fields that both drivers provide. */
export class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;
  readonly detail: string | undefined;

  constructor(error: Extract<PgliteAnswer, { error: unknown }>["error"]) {
    super(error.message);
    this.name = "DatabaseError";
    this.code = error.code;
    this.constraint = error.constraint;
    this.detail = error.detail;
  }
}

/** What a query that finds nothing may not have: another statement, a function that writes (all are named so), or a result that changes with time. */
const CHANGING = /;|(\b(now|random|clock_timestamp|timeofday|nextval|setval)|_(write|open|add))\s*\(|\b(current_|local)(date|time)/i;
/** A parameter by its type, as JSON has no large numbers and no `NaN`. */
const typed = (...[, value]: [string, unknown]): unknown =>
  typeof value === "bigint" || typeof value === "number" ? `${value} ${typeof value}` : value;
/** Known queries are forgotten beyond so many: clocks ask a few dozen. */
const MAX_KNOWN = 512;

/**
 * Queries that found nothing since anything was written. This process alone writes the embedded database, so they still find nothing: clocks that
 * look every second for what is seldom there cost nothing. What has no table, such as a call of a function, may write.
 */
export class KnownEmpty {
  readonly #known = new Set<string>();

  /** The name of a query of a table that may be known; null for any other statement. */
  #keyOf(sql: string, parameters: readonly unknown[]): string | null {
    return /^\s*select\b.*\bfrom\b/is.test(sql) && !CHANGING.test(sql) ? `${sql} ${JSON.stringify(parameters, typed)}` : null;
  }

  /** Whether a statement, which is about to be sent, would find nothing. One that is no query of a table may write. */
  has(sql: string, parameters: readonly unknown[]): boolean {
    const key = this.#keyOf(sql, parameters);
    if (key === null) this.#known.clear();
    return key !== null && this.#known.has(key);
  }

  /** Notes that a query has found nothing. */
  note(sql: string, parameters: readonly unknown[]): void {
    const key = this.#keyOf(sql, parameters);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    if (key !== null) this.#known.add(key);
  }
}

interface PendingCall {
  resolve: (results: StatementResult[]) => void;
  reject: (error: Error) => void;
}

/**
 * Starts the worker thread and opens the database. The one connection is given to one caller at a time, in request order; ending the
 * pool lets queued callers finish, closes the files and ends the thread. Rejects with the thread's error when it cannot open; `failed`
 * resolves when the thread ends unexpectedly later, after which no call is answered.
 */
export async function openPglite(setup: PgliteSetup): Promise<{ pool: PostgresPool; failed: Promise<Error> }> {
  const worker = new Worker(new URL("./pglite-worker.ts", import.meta.url), { workerData: setup, name: "pglite" });
  const pendingCalls = new Map<number, PendingCall>();
  let lastId = 0;
  let endedBy: Error | null = null;
  let closing = false;
  const opened = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<Error>();
  const exited = Promise.withResolvers<void>();

  const fail = (error: Error): void => {
    endedBy ??= error;
    opened.reject(endedBy);
    const lost = new DatabaseUnavailable(`the embedded database has ended: ${endedBy.message}`, { cause: endedBy });
    for (const { reject } of pendingCalls.values()) reject(lost);
    pendingCalls.clear();
    if (!closing) failed.resolve(lost);
  };
  worker.on("error", fail);
  worker.on("exit", (code) => {
    fail(new Error(closing ? "it was closed" : `its thread stopped with code ${code}`));
    exited.resolve();
  });
  worker.on("message", (answer: PgliteAnswer | "open") => {
    if (answer === "open") return opened.resolve();
    const call = pendingCalls.get(answer.id);
    pendingCalls.delete(answer.id);
    if ("error" in answer) call?.reject(new DatabaseError(answer.error));
    else call?.resolve(answer.results);
  });

  const send: SendMessage = (statements) =>
    new Promise((resolve, reject) => {
      if (endedBy) return reject(new DatabaseUnavailable("the embedded database has ended", { cause: endedBy }));
      lastId += 1;
      pendingCalls.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, statements } satisfies PgliteCall);
    });

  let queue: Promise<void> = Promise.resolve();
  const known = new KnownEmpty();
  const ask: SendMessage = async (statements) => {
    // Of each, because one that may write makes what is known uncertain.
    const areKnown = statements.map(({ sql, parameters }) => known.has(sql, parameters));
    if (!endedBy && areKnown.every(Boolean)) return statements.map(() => ({ rows: [], rowCount: 0, command: "SELECT" }));
    const results = await send(statements);
    // The one connection belongs to this caller: nothing was written meanwhile. What the message itself wrote comes before what it read last.
    const [last, result] = [statements.at(-1), results.at(-1)];
    if (last && result?.rows.length === 0) known.note(last.sql, last.parameters);
    return results;
  };
  const connect = async (): Promise<PostgresPoolClient> => {
    const before = queue;
    const turn = Promise.withResolvers<void>();
    queue = turn.promise;
    await before;
    // The driver's type also has a cursor form, which is only ever called when a cursor class was configured.
    return { query: groupStatements(ask) as PostgresPoolClient["query"], release: turn.resolve };
  };

  await opened.promise;
  const end = async (): Promise<void> => {
    await queue;
    closing = true;
    if (!endedBy) worker.postMessage("close");
    await exited.promise;
  };
  return { pool: { connect, end }, failed: failed.promise };
}
