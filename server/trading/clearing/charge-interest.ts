/** Charges interest on every loan once per Taipei day, including days the server was down. */
import { taipeiDay } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { commandOnOrders, inParts } from "#server/trading/sequencer/queued-command.ts";
import type { OrderKey } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { startDailyJob } from "#server/kernel/daily-job.ts";
import { accrue } from "./interest-accrual.ts";

export interface InterestDeps {
  db: Database;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports errors; interest that was not charged is charged with the next day's. */
  report?: ((error: unknown) => void) | undefined;
}

const LOANS = `
SELECT order_no AS "orderNo", member_id AS "memberId" FROM "order" WHERE loan_cents > 0 AND interest_day < $1 ORDER BY order_no`;

/** Charges every loan for the days up to today. */
export async function chargeInterest({ db, sequencer, now }: InterestDeps): Promise<void> {
  const loans = await query<OrderKey>(db.kysely, LOANS, [taipeiDay(now())]);
  for (const part of inParts(loans)) {
    await sequencer.submit(
      commandOnOrders(part, (batch, order) => {
        if (order.loan_cents > 0 && accrue(order, batch.at)) batch.emitOrderFact("order.adjusted", order);
      }),
    );
  }
}

/** Charges now and whenever a new day has begun. @returns a function that stops it */
export function startInterest(deps: InterestDeps): Promise<() => void> {
  const { now, report } = deps;
  return startDailyJob({ run: () => chargeInterest(deps), now, report });
}
