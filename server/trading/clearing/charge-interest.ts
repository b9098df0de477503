/** Charges interest on every loan once per Taipei day, including days the server was down. */
import { MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { accrue } from "./interest-accrual.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { every } from "#server/kernel/every.ts";

export interface InterestDeps {
  db: Database;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; interest that was not charged is charged with the next day's. */
  report?: ((error: unknown) => void) | undefined;
}

const LOOK_EVERY_MS = MINUTE_MS;
/** Most commands queued at once, so that a member's order never waits for more. */
const MAX_TOGETHER = 64;

interface Borrowed {
  order_no: string;
  member_id: number;
}

/** Charges every loan for the days up to today. */
export async function chargeInterest({ db, sequencer, now }: InterestDeps): Promise<void> {
  const borrowed = await query<Borrowed>(
    db.kysely,
    `SELECT order_no, member_id FROM "order" WHERE loan_cents > 0 AND interest_day < $1 ORDER BY order_no`,
    [taipeiDay(now())],
  );
  for (let from = 0; from < borrowed.length; from += MAX_TOGETHER) {
    const some = borrowed.slice(from, from + MAX_TOGETHER);
    await sequencer.submit({
      memberIds: [...new Set(some.map((one) => one.member_id))],
      orderNos: some.map((one) => one.order_no),
      decide: (batch) => {
        for (const { member_id, order_no } of some) {
          const order = batch.order(member_id, order_no);
          if (order && order.loan_cents > 0 && accrue(order, batch.at)) batch.emitOrderFact("order.adjusted", order);
        }
      },
    });
  }
}

/** Checks every minute whether a new day has begun. @returns a function that stops it */
export async function startInterest(deps: InterestDeps): Promise<() => void> {
  let charged = 0;
  const look = async (): Promise<void> => {
    const day = taipeiDay(deps.now());
    if (day === charged) return;
    await chargeInterest(deps);
    charged = day;
  };
  await look();
  return every(LOOK_EVERY_MS, look, deps.report);
}
