/** Amending what rests: fewer lots keep the place in the queue, another price takes a new one; the money held follows. */
import type { Body } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { checkRisk } from "./risk-check.ts";
import { buyingPowerLeft, valueAt, worstCase } from "./buying-power.ts";
import { marketFor } from "./close.ts";
import { checkMarket } from "./market-check.ts";
import type { MarketMoment } from "./market-check.ts";
import { checkShort } from "./place.ts";
import { nextStatus, restOf, step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { counterpartyQuery, matchContinuously } from "#server/trading/matching-engine/continuous.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { checkOrder } from "./cancel.ts";

/** What the resting side of an order will be. */
interface Amended {
  /** What is still to be opened or closed. */
  rest: number;
  price: number | null;
  repriced: boolean;
}

/** Whether there is something to change, and only for less. */
function checkChange(order: OrderRecord, body: Body<"amendOrder">): Amended {
  const closing = order.status === "readyToClose";
  const [lots, price] = closing ? [order.closing_lots, order.close_price] : [order.lots, order.price];
  const wanted = body.lots ?? lots;
  const repriced = body.price !== null && body.price !== price;
  if (wanted === lots && !repriced) throw new Refusal("TRD_AMEND_NOTHING");
  if (wanted > lots) throw new Refusal("TRD_AMEND_MORE", {}, "lots");
  return { rest: closing ? wanted : Math.max(0, wanted - order.filled_lots), price: body.price ?? price, repriced };
}

/** What an opening order has to have held once it is amended. */
function needAmended(
  batch: Batch,
  instrument: Instrument,
  moment: MarketMoment,
  order: OrderRecord,
  amended: Amended,
): { bound: number; held: number } {
  const { direction, market, lot_shares: lotShares, member_id: memberId } = order;
  if (!amended.repriced) {
    const bound = order.bound_price ?? moment.last;
    return { bound, held: Math.min(order.held_cents, buyingPowerLeft(order, valueAt(bound, amended.rest * lotShares))) };
  }
  // What a closing position may trade on the board in single shares, an opening order never does: its lots are the market's.
  const venture = { direction, pricing: "limit" as const, price: amended.price, market, lots: amended.rest, lotShares };
  const { priceBound: bound, valueCents } = worstCase(batch, instrument, moment, memberId, { ...venture, waits: true, behind: 0 });
  return { bound, held: Number.isFinite(valueCents) ? buyingPowerLeft(order, valueCents) : valueCents };
}

/** Whether an opening order may be worth what it will be, and what it then holds. */
function checkOpening(
  batch: Batch,
  instrument: Instrument,
  moment: MarketMoment,
  order: OrderRecord,
  amended: Amended,
): { bound: number; held: number } {
  const value = order.open_cents + valueAt(amended.price ?? moment.last, amended.rest * order.lot_shares);
  if (amended.repriced) {
    checkRisk(batch, order.member_id, value);
    if (order.direction === "fall") checkShort(batch, instrument, amended.price);
  }
  const { minimumCents } = batch.rules.for(order.member_id, instrument, batch.at);
  if (value < minimumCents) throw new Refusal("TRD_CONTRACT_MIN", { n: minimumCents / 100 }, "lots");
  if (!Number.isFinite(value)) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "price");
  const need = needAmended(batch, instrument, moment, order, amended);
  if (batch.ledger.balance(order.member_id, "available") + order.held_cents < need.held) {
    throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "price");
  }
  return need;
}

/** Hold what the amended order needs, no more and no less. */
function rehold(batch: Batch, order: OrderRecord, held: number): void {
  const { ledger } = batch;
  if (held > order.held_cents) ledger.hold(order.member_id, held - order.held_cents, order.order_no);
  else ledger.release(order.member_id, order.held_cents - held, order.order_no);
  order.held_cents = held;
}

/** Write the change into the side that rests. */
function change(order: OrderRecord, { rest, price, repriced }: Amended): void {
  if (order.status === "readyToClose") {
    order.closing_lots = rest;
    // At another price it is not what the broker asked for any more.
    if (repriced) Object.assign(order, { close_pricing: "limit", close_price: price, close_cause: "member" });
  } else {
    order.lots = order.filled_lots + rest;
    if (repriced) Object.assign(order, { pricing: "limit", price });
  }
}

/** Decide an amendment; refusals in the order of the endpoint's list. */
export function amendOrder(batch: Batch, memberId: number, body: Body<"amendOrder">): OrderRecord {
  const order = checkOrder(batch, memberId, body.orderNo);
  if (nextStatus(order.status, "order.amended") === null) throw new Refusal("TRD_ORDER_NOT_PENDING", {}, "orderNo");
  const amended = checkChange(order, body);
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE");
  const opening = order.status === "pending";
  const market = (opening ? order.market : order.close_market) ?? "board";
  // What the board closes stays whole lots: less would rest there and never trade.
  if (!opening && marketFor(order, instrument, amended.rest, market === "fixed") !== market) {
    throw new Refusal("TRD_ODD_LOTS_APART", {}, "lots");
  }
  const wish = { market, validity: "rod" as const, price: amended.repriced ? amended.price : null };
  // Fewer lots are welcome whenever the market is open, however the order is priced.
  const moment = checkMarket(batch.venue, batch.at, instrument, { ...wish, pricing: "limit", waits: order.trigger_kind !== null });
  if (amended.rest === 0) {
    cancelRest(batch, order);
    return order;
  }
  const need = opening ? checkOpening(batch, instrument, moment, order, amended) : null;
  change(order, amended);
  if (need) {
    order.bound_price = need.bound;
    rehold(batch, order, need.held);
  }
  if (amended.repriced) order.turn = batch.takeNumber();
  step(order, "order.amended");
  batch.emitOrderFact("order.amended", order);
  if (amended.repriced) matchContinuously(batch, order);
  return order;
}

/** Whom an amended order may meet, once it was read. */
export function findCounterpartiesAmended(
  batch: Batch | null,
  memberId: number,
  { orderNo, price }: Body<"amendOrder">,
): CounterpartyQuery[] {
  const order = batch?.order(memberId, orderNo);
  if (!batch || !order || price === null || !restOf(order)) return [];
  return counterpartyQuery(batch, order).map((seek) => ({ ...seek, limit: price }));
}
