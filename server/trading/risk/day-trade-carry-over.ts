/** Converts a day trade that was not closed within its day into an ordinary position: taxed and locked as one. */
import { taxOf } from "#contract/fee.ts";
import { cents } from "#contract/kernel/money.ts";
import { share } from "#contract/profit.ts";
import { lockedUntil } from "#server/trading/clearing/lock-up.ts";
import { charge } from "#server/trading/clearing/charges.ts";
import { recomputeProfit } from "#server/trading/clearing/fills.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** Tells whether an order is a day trade of an earlier day. */
export function isLate(order: OrderRecord, { venue, at }: Pick<Batch, "venue" | "at">): boolean {
  if (order.reserved_for !== null && order.bought_at === null) return false;
  return order.day_trade && venue.state(order.bought_at ?? order.asked_at).opensAt !== venue.state(at).opensAt;
}

/** Charges the tax that the opening sale of a short saved as a day trade, for the lots still open. */
function taxAfterAll(batch: Batch, order: OrderRecord, before: OrderRecord["terms"]): void {
  const open = share(order.open_cents, order.filled_lots - order.closed_lots, order.filled_lots);
  const more = taxOf(order.terms, cents(open)) - taxOf(before, cents(open));
  if (order.direction !== "fall" || more <= 0) return;
  charge(batch, order, "tax", "tax", more);
  order.open_tax_cents += more;
  // Closed lots bear their share of it, as of all opening costs.
  recomputeProfit(batch, order);
}

/** Converts a day trade into an ordinary position. */
export function makeOrdinary(batch: Batch, order: OrderRecord): void {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) return;
  const rule = batch.rules.for(order.member_id, instrument, batch.at);
  // A short is sold when it is opened, so that day's tax applies.
  const sold = order.direction === "fall" ? batch.rules.for(order.member_id, instrument, order.bought_at ?? order.placed_at) : rule;
  const before = order.terms;
  const lockSeconds = rule.lockSeconds ?? instrument.sellLockSeconds;
  order.day_trade = false;
  order.terms = { ...before, taxPerMillion: sold.taxPerMillion, lockSeconds };
  order.locked_until = order.bought_at === null ? null : lockedUntil(batch.venue, order.bought_at, lockSeconds);
  taxAfterAll(batch, order, before);
  batch.emitOrderFact("order.adjusted", order);
}
