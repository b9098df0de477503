/** Accrues interest on an order's loan. Each Taipei day counts once, however often this is called. */
import { interestOf } from "#contract/fee.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

/** Adds the days up to this one. Call it before the loan changes or is shown. @returns whether something was added */
export function accrue(order: OrderRecord, at: number): boolean {
  if (order.terms.interestPerMillion === 0) return false;
  const day = taipeiDay(at);
  // A clock set back removes nothing, and its repeated days are not counted again.
  if (order.interest_day !== null && order.interest_day >= day) return false;
  const added = order.interest_day === null ? 0 : interestOf(order.terms, order.loan_cents, day - order.interest_day);
  order.interest_day = day;
  order.interest_cents += added;
  return added > 0;
}
