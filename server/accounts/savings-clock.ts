/** The clock of savings plans: decides every month that is due, also those that fell due while the server was off. */
import { isSavingsPlanFact } from "#contract/fact-kind.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { BackOff } from "#server/kernel/back-off.ts";
import { every } from "#server/kernel/every.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { ClockDeps } from "#server/trading/sequencer/clock.ts";
import { savingsRun } from "./savings-run.ts";
import type { DuePlan } from "./savings-run.ts";

/** Plans decided together, so that a due day of many members does not fill the queue at once. */
const TOGETHER = 100;
const DUE = `SELECT id, plan_no, member_id, code, version FROM savings_plan
WHERE status = 'active' AND next_at <= $1 AND id > $2 ORDER BY id LIMIT ${TOGETHER}`;
const FIRST = "SELECT min(next_at) AS at FROM savings_plan WHERE status = 'active'";

/** Starts the clock. @returns a function that stops it, and resolves when it is at rest */
export async function startSavingsClock({ db, venue, sequencer, now, report, repeat = every }: ClockDeps): Promise<() => Promise<void>> {
  let isStopped = false;
  // At shutdown the database may close while a tick is still at work.
  const fail = (error: unknown): void => (isStopped ? undefined : report?.(error));
  const backOff = new BackOff();
  /** The earliest moment that something may be due. Before it a tick costs nothing. */
  let dueAt = Infinity;
  const follow = ({ facts }: Batch): void => {
    for (const { fact } of facts) if (isSavingsPlanFact(fact) && fact.plan.nextAt !== null) dueAt = Math.min(dueAt, fact.plan.nextAt);
  };
  const readFirst = async (): Promise<void> => {
    // What is planned while this reads lowers it again.
    dueAt = Infinity;
    const [first] = await query<{ at: number | null }>(db.kysely, FIRST);
    dueAt = Math.min(dueAt, first?.at ?? Infinity);
  };
  const stopFollowing = sequencer.onBatch(follow);
  await readFirst();
  const tick = async (): Promise<void> => {
    const at = now();
    if (at < dueAt || venue.phase(at) !== "open") return;
    backOff.tick();
    let last = 0;
    for (;;) {
      const due = await query<DuePlan & { id: number }>(db.kysely, DUE, [at, last]);
      await Promise.all(due.map((plan) => backOff.take(plan.plan_no, () => sequencer.submit(savingsRun(plan)), fail)));
      last = due.at(-1)?.id ?? last;
      if (due.length < TOGETHER || isStopped) break;
    }
    await readFirst();
  };
  const stopTicking = repeat(SECOND_MS, tick, report);
  return () => {
    isStopped = true;
    stopFollowing();
    return stopTicking();
  };
}
