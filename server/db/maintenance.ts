/** What a database server does in the background and the embedded one does not: checkpoints and vacuum, on a clock. */
import { CompiledQuery } from "kysely";
import type { Kysely } from "kysely";
import type { Tables } from "./schema.ts";

/** Without checkpoints the log passes a gigabyte and reopening takes seconds. */
const CHECKPOINT_EVERY_MS = 60_000;
/** The tables whose rows change with every order and leave dead versions behind; the others only grow. */
const HOT = 'VACUUM tally, pocket, "order", session';
/** Every tenth round takes the whole database, and renews the planner's statistics. */
const ANALYSE_EVERY_ROUNDS = 10;

/** Start the clock. @returns how to stop it, after a last checkpoint */
export function startMaintenance(kysely: Kysely<Tables>): () => Promise<void> {
  let round = 0;
  let last = "";
  let busy: Promise<void> = Promise.resolve();
  const run = (sql: string) => kysely.executeQuery<{ at: string }>(CompiledQuery.raw(sql));

  const keep = async (): Promise<void> => {
    const position = (await run("SELECT pg_current_wal_insert_lsn()::text AS at")).rows[0]?.at ?? "";
    if (position === last) return;
    round += 1;
    await run(round % ANALYSE_EVERY_ROUNDS === 0 ? "VACUUM (ANALYZE)" : HOT);
    await run("CHECKPOINT");
    last = (await run("SELECT pg_current_wal_insert_lsn()::text AS at")).rows[0]?.at ?? "";
  };
  const timer = setInterval(() => {
    busy = busy.then(keep).catch(() => undefined);
  }, CHECKPOINT_EVERY_MS);
  timer.unref();

  return async () => {
    clearInterval(timer);
    await busy;
    await run("CHECKPOINT");
  };
}
