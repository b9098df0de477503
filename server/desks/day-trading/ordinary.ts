/** A day trade that was not squared within its day: from then on an ordinary position, taxed and locked as one. */
import { taxOf } from "#contract/fee.ts";
import { cents } from "#contract/kernel/money.ts";
import { share } from "#contract/profit.ts";
import { lockedUntil } from "#server/desks/order/day.ts";
import { charge, recount } from "#server/desks/order/execute.ts";
import type { OrderRecord } from "#server/desks/order/record.ts";
import type { Round } from "#server/desks/order/round.ts";

/** Whether an order is a day trade of an earlier day than a moment's. */
export function isLate(order: OrderRecord, { venue, at }: Pick<Round, "venue" | "at">): boolean {
  return order.day_trade && venue.state(order.bought_at ?? order.placed_at).opensAt !== venue.state(at).opensAt;
}

/** What was saved on the sale that opened a fall, as far as it is still open, is taxed after all. */
function taxAfterAll(round: Round, order: OrderRecord, before: OrderRecord["terms"]): void {
  const open = share(order.open_cents, order.filled_lots - order.closed_lots, order.filled_lots);
  const more = taxOf(order.terms, cents(open)) - taxOf(before, cents(open));
  if (order.direction !== "fall" || more <= 0) return;
  charge(round, order, "tax", "tax", more);
  order.open_tax_cents += more;
  // The lots that were closed bear their share of it, as of everything opening cost.
  recount(round, order);
}

/** Make an ordinary position of a day trade. */
export function makeOrdinary(round: Round, order: OrderRecord): void {
  const instrument = round.venue.instrument(order.code);
  if (!instrument) return;
  const rule = round.rules.for(order.member_id, instrument, round.at);
  // A fall was sold when it was opened: it is taxed by that day.
  const sold = order.direction === "fall" ? round.rules.for(order.member_id, instrument, order.bought_at ?? order.placed_at) : rule;
  const before = order.terms;
  const lockSeconds = rule.lockSeconds ?? instrument.sellLockSeconds;
  order.day_trade = false;
  order.terms = { ...before, taxPerMillion: sold.taxPerMillion, lockSeconds };
  order.locked_until = order.bought_at === null ? null : lockedUntil(round.venue, order.bought_at, lockSeconds);
  taxAfterAll(round, order, before);
  round.tell("order.adjusted", order);
}
