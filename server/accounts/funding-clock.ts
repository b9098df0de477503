/** The sandbox bank's clock: takes each step of a member's money on its way when it is due, also those that were missed while the server was off. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import { isDepositFact, isWithdrawalFact } from "#contract/fact-kind.ts";
import { isOpenDeposit } from "#contract/deposit.ts";
import { isOpenWithdrawal } from "#contract/withdrawal.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { depositStep } from "./deposit.ts";
import { withdrawalStep } from "./withdrawal.ts";

export interface FundingClockDeps {
  db: Database;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; the step is tried again at the next tick. */
  report?: ((error: unknown) => void) | undefined;
  /** Repeats the tick; tests tick by hand as well. */
  repeat?: typeof every | undefined;
}

const OPEN_DEPOSITS = "SELECT member_id FROM deposit WHERE status IN ('pending', 'processing')";
const OPEN_WITHDRAWALS = "SELECT member_id FROM withdrawal WHERE status IN ('requested', 'underReview', 'processing')";

/** Starts the clock. @returns a function that stops it, and resolves when it is at rest */
export async function startFundingClock({ db, sequencer, report, repeat = every }: FundingClockDeps): Promise<() => Promise<void>> {
  /** Members with money on its way. Without any, a tick costs nothing. */
  const depositing = new Set<number>();
  const withdrawing = new Set<number>();
  const set = (members: Set<number>, memberId: number, isOpen: boolean): void => {
    if (isOpen) members.add(memberId);
    else members.delete(memberId);
  };
  const follow = (batch: Batch): void => {
    for (const { memberId, fact } of batch.facts) {
      if (isDepositFact(fact)) set(depositing, memberId, isOpenDeposit(fact.deposit));
      if (isWithdrawalFact(fact)) set(withdrawing, memberId, isOpenWithdrawal(fact.withdrawal));
    }
  };
  const stopFollowing = sequencer.onBatch(follow);
  const read = (sql: string) => query<{ member_id: number }>(db.kysely, sql, []);
  for (const { member_id } of await read(OPEN_DEPOSITS)) depositing.add(member_id);
  for (const { member_id } of await read(OPEN_WITHDRAWALS)) withdrawing.add(member_id);
  const tick = async (): Promise<void> => {
    const steps = [...[...depositing].map(depositStep), ...[...withdrawing].map(withdrawalStep)];
    await Promise.all(steps.map((step) => sequencer.submit(step).catch((error: unknown) => report?.(error))));
  };
  const stopTicking = repeat(SECOND_MS, tick, report);
  return () => {
    stopFollowing();
    return stopTicking();
  };
}
