/** The sandbox bank's clock: takes each step of a member's money on its way when it is due, also those that were missed while the server was off. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import { isDepositFact } from "#contract/fact-kind.ts";
import { isOpenDeposit } from "#contract/deposit.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { depositStep } from "./deposit.ts";

export interface FundingClockDeps {
  db: Database;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; the step is tried again at the next tick. */
  report?: ((error: unknown) => void) | undefined;
}

const OPEN_DEPOSITS = "SELECT member_id FROM deposit WHERE status IN ('pending', 'processing')";

/** Starts the clock. @returns a function that stops it */
export async function startFundingClock({ db, sequencer, report }: FundingClockDeps): Promise<() => void> {
  /** Members with a deposit on its way. Without any, a tick costs nothing. */
  const depositing = new Set<number>();
  const follow = (batch: Batch): void => {
    for (const { memberId, fact } of batch.facts) {
      if (!isDepositFact(fact)) continue;
      if (isOpenDeposit(fact.deposit)) depositing.add(memberId);
      else depositing.delete(memberId);
    }
  };
  const stopFollowing = sequencer.onBatch(follow);
  const rows = await query<{ member_id: number }>(db.kysely, OPEN_DEPOSITS, []);
  for (const { member_id } of rows) depositing.add(member_id);
  const tick = async (): Promise<void> => {
    await Promise.all(
      [...depositing].map((memberId) => sequencer.submit(depositStep(memberId)).catch((error: unknown) => report?.(error))),
    );
  };
  const stopTicking = every(SECOND_MS, tick, report);
  return () => {
    stopFollowing();
    stopTicking();
  };
}
