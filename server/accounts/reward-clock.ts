/** The clock of rewards: vouchers that expired, and each month's rebates; also those that were missed while the server was off. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { startDailyJob } from "#server/kernel/daily-job.ts";
import { every } from "#server/kernel/every.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { expireVouchers } from "./check-in.ts";
import { payRebates } from "./rebate-payment.ts";

export interface RewardClockDeps {
  db: Database;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
  /** Reports errors; what was not done is done with the next run. */
  report?: ((error: unknown) => void) | undefined;
  /** Repeats the tick; tests tick by hand as well. */
  repeat?: typeof every | undefined;
}

const EXPIRED = "SELECT DISTINCT member_id AS id FROM voucher WHERE status = 'available' AND expires_at <= $1 ORDER BY member_id";

/** Ends every voucher whose time is over. */
export async function expireDueVouchers({ db, sequencer, now }: RewardClockDeps): Promise<void> {
  const members = await query<{ id: number }>(db.kysely, EXPIRED, [now()]);
  for (const { id } of members) await sequencer.submit(expireVouchers(id));
}

/** Looks for expired vouchers every minute, and pays on the first day of a month. @returns a function that stops both */
export async function startRewardClock(deps: RewardClockDeps): Promise<() => Promise<void>> {
  const { now, report, repeat = every } = deps;
  const stopPaying = await startDailyJob({ run: () => payRebates(deps), now, report });
  const stopExpiring = repeat(MINUTE_MS, () => expireDueVouchers(deps), report);
  return async () => {
    stopPaying();
    await stopExpiring();
  };
}
