/** Interest on what an order has borrowed: each Taipei day counts once, however often this is called. */
import { interestOf } from "#contract/fee.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

/** Count the days until this one, before the loan changes or anybody looks. @returns whether something was added */
export function accrue(order: OrderRecord, at: number): boolean {
  if (order.terms.interestPerMillion === 0) return false;
  const day = taipeiDay(at);
  // A clock set back takes nothing away, and the days it tells again are not counted again.
  if (order.interest_day !== null && order.interest_day >= day) return false;
  const added = order.interest_day === null ? 0 : interestOf(order.terms, order.loan_cents, day - order.interest_day);
  order.interest_day = day;
  order.interest_cents += added;
  return added > 0;
}
