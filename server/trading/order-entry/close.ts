/** Closing lots of a position: lock-up and market checks, and the immediate match. */
import type { Body } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS, formatDateTime, taipeiDay } from "#contract/kernel/time.ts";
import type { CloseCause, Pricing, Validity } from "#contract/order.ts";
import type { Market } from "#contract/rule.ts";
import { toTick } from "#contract/tick.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { checkMarket } from "./market-check.ts";
import { checkReservation, reservedFor } from "./reservation.ts";
import { isOriginLocked, nextStatus, step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { matchContinuously } from "#server/trading/matching-engine/continuous.ts";
import { unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import { freeLots, getBack, lentRefusal } from "#server/trading/clearing/lendings-in-batch.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { isByCalls } from "#server/venue/venue.ts";
import { checkOrder } from "./cancel.ts";

/** A close that passed all checks. */
export interface Closing {
  order: OrderRecord;
  lots: number;
  pricing: Pricing;
  price: number | null;
  market: Market;
  validity: Validity;
  cause: CloseCause;
  /** When it goes to the market; absent or null for now. */
  reservedFor?: number | null;
}

/**
 * The market for so many lots of a position: whole board lots go to the board (or, on request, to fixed-price trading), less than one lot
 * to the odd-lot market. A mixture has none.
 */
export function marketFor(order: OrderRecord, instrument: Instrument, lots: number, fixed: boolean): Market | null {
  const shares = lots * order.lot_shares;
  if (shares % instrument.lotShares === 0) return fixed ? "fixed" : "board";
  return shares < instrument.lotShares && order.lot_shares === 1 && !fixed ? "odd" : null;
}

/** Locks of a day or more are stated in trading days, shorter ones in minutes. `until`: when a reserved close goes to the market. */
export function checkLock(batch: Batch, order: OrderRecord, instrument: Instrument, until: number | null = null): void {
  const at = until ?? batch.at;
  const { closedDays } = batch.rules.for(order.member_id, instrument, batch.at);
  const daysListed = taipeiDay(until ?? batch.venue.state(batch.at).opensAt) - instrument.listedDay;
  if (closedDays > 0 && instrument.listedDay > 0 && daysListed < closedDays) throw new Refusal("TRD_CLOSED_PERIOD", {}, "orderNo");
  if (isOriginLocked(order, at)) {
    if (order.origin !== "block") throw new Refusal("TRD_NOT_LISTED", {}, "orderNo");
    throw new Refusal("TRD_BLOCK_LOCKED", { n: formatDateTime(order.locked_until ?? 0) }, "orderNo");
  }
  if (order.locked_until !== null && at < order.locked_until) {
    const lockMs = order.terms.lockSeconds * SECOND_MS;
    if (lockMs < DAY_MS) throw new Refusal("TRD_SELL_LOCK_MINUTES", { n: Math.ceil(lockMs / MINUTE_MS) }, "orderNo");
    const n = Math.ceil(lockMs / DAY_MS);
    // One trading day is the market's own T+1 rule; longer locks are the broker's.
    throw new Refusal(n === 1 ? "TRD_SELL_LOCK_TPLUS" : "TRD_SELL_LOCK_DAYS", { n }, "orderNo");
  }
  if (order.locked) throw new Refusal("TRD_POSITION_LOCKED", {}, "orderNo");
  if (order.on_loan_lots > 0 && freeLots(order) === 0) throw lentRefusal(order, "orderNo");
}

/** Whether a lock keeps a position from being closed now. */
export function isLocked(batch: Batch, order: OrderRecord, instrument: Instrument): boolean {
  try {
    checkLock(batch, order, instrument);
    return false;
  } catch (error) {
    if (error instanceof Refusal) return true;
    throw error;
  }
}

/** A member's request to close one position. */
export type CloseIntent = Pick<Body<"closeOrder">, "orderNo" | "lots" | "pricing" | "price" | "validity" | "fixed"> & {
  reserve?: boolean | undefined;
};

/**
 * Runs all checks of a close in the order of the endpoint's list, before anything changes.
 * @throws Refusal any of the endpoint's
 */
export function checkClose(batch: Batch, memberId: number, intent: CloseIntent): Closing {
  const order = checkOrder(batch, memberId, intent.orderNo);
  checkEligible("close", batch.member(memberId));
  if (nextStatus(order.status, "order.closeRequested") === null) throw new Refusal("TRD_ORDER_NOT_HOLDING", {}, "orderNo");
  if (intent.lots > order.filled_lots - order.closed_lots) throw new Refusal("TRD_SELL_EXCEEDS", {}, "lots");
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE");
  const market = marketFor(order, instrument, intent.lots, intent.fixed);
  if (market === null) throw new Refusal("TRD_ODD_LOTS_APART", {}, "lots");
  const until = reservedFor(batch.venue, batch.at, intent);
  checkLock(batch, order, instrument, until);
  if (intent.lots > freeLots(order)) throw lentRefusal(order, "lots");
  const { lots, pricing, price, validity } = intent;
  const asked = { market, pricing, price, validity };
  if (until === null) checkMarket(batch.venue, batch.at, instrument, asked);
  else checkReservation(batch.venue, until, instrument, asked);
  return { order, lots, ...asked, cause: "member", reservedFor: until };
}

/** Turns lots of a position into a close order, which is not matched yet. */
export function enterMarket(batch: Batch, { order, ...asked }: Closing): OrderRecord {
  order.closing_lots = asked.lots;
  order.closing_cents = 0;
  order.closing_fee_cents = 0;
  order.close_pricing = asked.pricing;
  order.close_price = asked.price;
  order.close_market = asked.market;
  order.close_validity = asked.validity;
  order.close_cause = asked.cause;
  order.asked_at = batch.at;
  order.reserved_for = asked.reservedFor ?? null;
  batch.takeTurn(order);
  step(order, "order.closeRequested");
  batch.emitOrderFact("order.closeRequested", order);
  return order;
}

/** Carries out a checked close: the lots go to the market. */
export function sendToMarket(batch: Batch, closing: Closing): OrderRecord {
  const order = enterMarket(batch, closing);
  matchContinuously(batch, order);
  return order;
}

/**
 * The counterparty queries when all units of a position, or some of them, are closed up to a price. Only whole lots trade on the board;
 * single shares trade in the odd-lot auctions.
 */
export function queriesOfPosition(
  batch: Batch,
  order: OrderRecord,
  limit: number | null = null,
  lots = order.filled_lots - order.closed_lots,
): CounterpartyQuery[] {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) return [];
  const wanted = Math.floor(lots / unitsPerLot(order, "board", instrument.lotShares));
  if (wanted === 0) return [];
  return [{ row: instrument.row, side: order.direction === "rise" ? "sell" : "buy", limit, lots: wanted, memberId: order.member_id }];
}

/** The counterparty queries of a member's close, once its order was read. */
export function queriesOfClose(batch: Batch | null, memberId: number, { orderNo, price, lots }: Body<"closeOrder">): CounterpartyQuery[] {
  const order = batch?.order(memberId, orderNo);
  return batch && order?.status === "holding" ? queriesOfPosition(batch, order, price, lots) : [];
}

/** Decides a close. */
export function closeOrder(batch: Batch, memberId: number, body: Body<"closeOrder">): OrderRecord {
  return sendToMarket(batch, checkClose(batch, memberId, body));
}

/**
 * How the broker closes with the greatest certainty: at market, or in a call, which accepts no market orders, at the worst price of the
 * day.
 */
export function certainPricing(
  batch: Batch,
  order: OrderRecord,
  instrument: Instrument,
  called: boolean,
): Pick<Closing, "pricing" | "price"> {
  const limits = batch.venue.limits(instrument.row, batch.at);
  if (!called || !limits) return { pricing: "market", price: null };
  return { pricing: "limit", price: order.direction === "rise" ? limits.down : limits.up };
}

/** Without daily limits a close that has to be a limit order is priced this percentage away from the last price. */
const LIMIT_DISTANCE_PERCENT = 10;

/**
 * How a member closes with the greatest certainty where only limit orders are taken, as of single shares and in a stock that is traded by
 * calls: at the worst price of the day, or one far from the last price.
 */
function limitPricing(batch: Batch, order: OrderRecord, instrument: Instrument): Pick<Closing, "pricing" | "price"> {
  if (batch.venue.limits(instrument.row, batch.at)) return certainPricing(batch, order, instrument, true);
  const { last, reference } = batch.venue.quote(instrument.row);
  const percent = 100 + (order.direction === "rise" ? -LIMIT_DISTANCE_PERCENT : LIMIT_DISTANCE_PERCENT);
  return { pricing: "limit", price: toTick(instrument.kind, ((last > 0 ? last : reference) * percent) / 100) };
}

/** The next part of a position to close, of what is not on loan: its whole lots, or the single shares when it has none. */
export function nextPart(batch: Batch, order: OrderRecord, instrument: Instrument): Pick<Closing, "lots" | "market" | "pricing" | "price"> {
  const held = freeLots(order);
  const whole = held - (held % unitsPerLot(order, "board", instrument.lotShares));
  const lots = whole > 0 ? whole : held;
  const market = marketFor(order, instrument, lots, false) ?? "odd";
  const isLimitOnly = market === "odd" || isByCalls(batch.venue, instrument.row, batch.at);
  return { lots, market, ...(isLimitOnly ? limitPricing(batch, order, instrument) : { pricing: "market", price: null }) };
}

/**
 * Closes all of a position regardless of its lock-up: for a trigger, the end of a day trade, or the broker's margin rules; nothing of a
 * locked position, or of one whose origin locks it for everybody. An exit order of the member leaves what is on loan; the broker gets it back first. A resting close is cancelled first; what is not filled at once rests for the day. If a position has whole lots
 * and single shares, the whole lots go first, the rest on the next call. Takes one order number.
 * @returns whether a close went to the market
 */
export function closeFor(batch: Batch, order: OrderRecord, cause: Exclude<CloseCause, "member">): boolean {
  if (order.locked || isOriginLocked(order, batch.at)) return false;
  if (order.status === "pending" || order.status === "readyToClose") cancelRest(batch, order, "closing");
  if (nextStatus(order.status, "order.closeRequested") === null) return false;
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) return false;
  if (cause !== "condition") getBack(batch, order);
  if (freeLots(order) === 0) return false;
  const part = nextPart(batch, order, instrument);
  const called = part.market === "odd" || batch.venue.matching(instrument.row, batch.at) !== "continuous";
  sendToMarket(batch, { order, ...part, ...certainPricing(batch, order, instrument, called), validity: "rod", cause });
  return true;
}
