/** The embedded database seen as a pool of one connection, so that it and PostgreSQL take the same driver. */
import { Worker } from "node:worker_threads";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import { DatabaseUnavailable } from "./outage.ts";
import type { PgliteAnswer, PgliteCall, PgliteSetup } from "./pglite-wire.ts";

/** An error of the database as both drivers show it. */
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

type Rows = Extract<PgliteAnswer, { rows: unknown }>;
interface Waiting {
  resolve: (answer: Rows) => void;
  reject: (error: Error) => void;
}

/**
 * Start the thread and open the database. Its one connection is handed to one caller at a time, in the order asked; ending
 * it lets what waits finish, closes the files and ends the thread. Rejects with the thread's own error when it cannot; `failed`
 * resolves when the thread ends by itself later, for then nothing is answered any more.
 */
export async function openPglite(setup: PgliteSetup): Promise<{ pool: PostgresPool; failed: Promise<Error> }> {
  const worker = new Worker(new URL("./pglite-worker.ts", import.meta.url), { workerData: setup, name: "pglite" });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: Error | null = null;
  let closing = false;
  const opened = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<Error>();
  const gone = Promise.withResolvers<void>();

  const fail = (error: Error): void => {
    ended ??= error;
    opened.reject(ended);
    const lost = new DatabaseUnavailable(`the embedded database has ended: ${ended.message}`, { cause: ended });
    for (const { reject } of waiting.values()) reject(lost);
    waiting.clear();
    if (!closing) failed.resolve(lost);
  };
  worker.on("error", fail);
  worker.on("exit", (code) => {
    fail(new Error(closing ? "it was closed" : `its thread stopped with code ${code}`));
    gone.resolve();
  });
  worker.on("message", (answer: PgliteAnswer | "open") => {
    if (answer === "open") return opened.resolve();
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ("error" in answer) asked?.reject(new DatabaseError(answer.error));
    else asked?.resolve(answer);
  });

  const ask = (sql: string, parameters: readonly unknown[]): Promise<Rows> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(new DatabaseUnavailable("the embedded database has ended", { cause: ended }));
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      worker.postMessage({ id: lastId, sql, parameters } satisfies PgliteCall);
    });

  let line: Promise<void> = Promise.resolve();
  const query = async (sql: string, parameters: readonly unknown[]) => {
    const { rows, rowCount, command } = await ask(sql, parameters);
    return { rows, rowCount, command };
  };
  const connect = async (): Promise<PostgresPoolClient> => {
    const before = line;
    const turn = Promise.withResolvers<void>();
    line = turn.promise;
    await before;
    // The driver's type also has a cursor form, which is only ever called when a cursor class was configured.
    return { query: query as PostgresPoolClient["query"], release: turn.resolve };
  };

  await opened.promise;
  const end = async (): Promise<void> => {
    await line;
    closing = true;
    if (!ended) worker.postMessage("close");
    await gone.promise;
  };
  return { pool: { connect, end }, failed: failed.promise };
}
