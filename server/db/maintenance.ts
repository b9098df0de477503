/** Runs checkpoints and vacuum on a timer, which the embedded database does not do in the background. */
import { CompiledQuery } from "kysely";
import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

/** Without checkpoints the write-ahead log exceeds a gigabyte and reopening takes seconds. */
const CHECKPOINT_EVERY_MS = 60_000;
/** Tables updated by every order, which leave dead row versions; the others are mostly append-only. */
const HOT = 'VACUUM tally, pocket, "order", session';
/** Every tenth run vacuums the whole database and refreshes the planner's statistics. */
const ANALYSE_EVERY_RUNS = 10;

/** Starts the timer. @returns a function that stops it after a last checkpoint */
export function startMaintenance(kysely: Kysely<Tables>): () => Promise<void> {
  let runCount = 0;
  let last = "";
  let busy: Promise<void> = Promise.resolve();
  const run = (sql: string) => kysely.executeQuery<{ at: string }>(CompiledQuery.raw(sql));

  const maintain = async (): Promise<void> => {
    const position = (await run("SELECT pg_current_wal_insert_lsn()::text AS at")).rows[0]?.at ?? "";
    if (position === last) return;
    runCount += 1;
    await run(runCount % ANALYSE_EVERY_RUNS === 0 ? "VACUUM (ANALYZE)" : HOT);
    await run("CHECKPOINT");
    last = (await run("SELECT pg_current_wal_insert_lsn()::text AS at")).rows[0]?.at ?? "";
  };
  const timer = setInterval(() => {
    busy = busy.then(maintain).catch(() => undefined);
  }, CHECKPOINT_EVERY_MS);
  timer.unref();

  return async () => {
    clearInterval(timer);
    await busy;
    await run("CHECKPOINT");
  };
}
