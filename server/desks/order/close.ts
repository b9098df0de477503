/** Closing lots of a position: whether it may be sold yet, what the market says, and what the book gives at once. */
import type { Body } from "#contract/endpoints.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { Refusal } from "#server/desks/desk.ts";
import { trade } from "./execute.ts";
import { askMarket } from "./market.ts";
import { nextStatus, step } from "./record.ts";
import type { OrderRecord } from "./record.ts";
import type { Round } from "./round.ts";
import { askOrder } from "./withdraw.ts";

/** A lock of a day or more is told in trading days, a shorter one in minutes. */
function askLock(order: OrderRecord, now: number): void {
  if (order.locked_until !== null && now < order.locked_until) {
    const lockMs = order.terms.lockSeconds * SECOND_MS;
    if (lockMs >= DAY_MS) throw new Refusal("TRD_SELL_LOCK_TPLUS", { n: Math.ceil(lockMs / DAY_MS) }, "orderNo");
    throw new Refusal("TRD_SELL_LOCK_MINUTES", { n: Math.ceil(lockMs / MINUTE_MS) }, "orderNo");
  }
  if (order.locked) throw new Refusal("TRD_POSITION_LOCKED", {}, "orderNo");
}

/** Decide a close; refusals in the order of the endpoint's list. */
export function closeOrder(round: Round, memberId: number, body: Body<"closeOrder">): OrderRecord {
  const order = askOrder(round, memberId, body.orderNo);
  if (nextStatus(order.status, "order.closeRequested") === null) throw new Refusal("TRD_ORDER_NOT_HOLDING", {}, "orderNo");
  if (body.lots > order.filled_lots - order.closed_lots) throw new Refusal("TRD_SELL_EXCEEDS", {}, "lots");
  askLock(order, round.at);
  const instrument = round.venue.instrument(order.code);
  if (!instrument) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE");
  askMarket(round.venue, round.at, instrument, body.price);
  order.closing_lots = body.lots;
  order.close_pricing = body.pricing;
  order.close_price = body.price;
  order.close_market = "board";
  order.close_validity = "rod";
  order.close_cause = "member";
  order.asked_at = round.at;
  step(order, "order.closeRequested");
  round.tell("order.closeRequested", order);
  trade(round, order, instrument.row);
  return order;
}
