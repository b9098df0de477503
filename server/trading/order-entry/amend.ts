/** Amending a resting order: fewer lots keep the time priority, a new price loses it; the held money is adjusted. */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Body } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { checkRisk } from "./risk-check.ts";
import { buyingPowerLeft, valueAt, worstCase } from "./buying-power.ts";
import { marketFor } from "./close.ts";
import { checkMarket } from "./market-check.ts";
import { checkReservation } from "./reservation.ts";
import type { MarketMoment } from "./market-check.ts";
import { checkEntry, checkShort } from "./place.ts";
import { isLockedClose, nextStatus, restOf, step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { isAhead } from "#server/trading/sequencer/time-in-force.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { counterpartyQuery, matchContinuously } from "#server/trading/matching-engine/continuous.ts";
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import { basisPriceOf, checkExits } from "#server/trading/exit-orders/exits.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { checkOrder } from "./cancel.ts";
import { checkOwnFunds, isCollateral } from "./own-funds.ts";
import { holdMoney, proceedsFor, releaseMoney } from "#server/trading/clearing/settlements-in-batch.ts";

/** The resting side of an order after the amendment. */
interface Amended {
  /** Units left to open or to close. */
  rest: number;
  price: number | null;
  repriced: boolean;
  /** The new price of the trigger it waits for; null to leave it. */
  trigger: number | null;
}

/** Checks that the amendment changes something and does not increase the lots. */
function checkChange(order: OrderRecord, body: Body<"amendOrder">): Amended {
  const closing = order.status === "readyToClose";
  const [lots, price] = closing ? [order.closing_lots, order.close_price] : [order.lots, order.price];
  const wanted = body.lots ?? lots;
  const repriced = body.price !== null && body.price !== price;
  const trigger = body.trigger === order.trigger_price ? null : (body.trigger ?? null);
  if (wanted === lots && !repriced && trigger === null) throw new Refusal("TRD_AMEND_NOTHING");
  if (wanted > lots) throw new Refusal("TRD_AMEND_MORE", {}, "lots");
  return { rest: closing ? wanted : Math.max(0, wanted - order.filled_lots), price: body.price ?? price, repriced, trigger };
}

/** Checks a moved trigger: the order still waits for one, the new one was not reached yet, and its exits lie beyond it as before. */
function checkTrigger(batch: Batch, instrument: Instrument, order: OrderRecord, trigger: number | null, last: number): void {
  if (trigger === null) return;
  const { trigger_kind: kind, direction } = order;
  if (kind === null) throw new Refusal("TRD_TRIGGER_PASSED", {}, "trigger");
  checkEntry(instrument, { kind, price: trigger }, direction, last);
  const exits = conditionsIn(batch).waitingOn(order.order_no);
  checkExits(exits, instrument, basisPriceOf({ ...order, trigger_price: trigger }, last));
}

/** The terms that decide what an amended opening order must hold. */
function needAmended(
  batch: Batch,
  instrument: Instrument,
  moment: MarketMoment,
  order: OrderRecord,
  amended: Amended,
): { priceBound: number; held: number } {
  const { direction, market, lot_shares: lotShares, member_id: memberId } = order;
  if (!amended.repriced) {
    const priceBound = order.bound_price ?? moment.last;
    return {
      priceBound,
      held: Math.min(order.held_cents, buyingPowerLeft(order, valueAt(priceBound, amended.rest * lotShares, unitsPerWhole(order)))),
    };
  }
  // A closing position may trade single shares on the board, an opening order may not: its lots are the market's.
  const draft = { direction, pricing: "limit" as const, price: amended.price, market, lots: amended.rest, lotShares };
  const { priceBound, valueCents } = worstCase(batch, instrument, moment, memberId, { ...draft, waits: true, behind: 0 });
  return { priceBound, held: Number.isFinite(valueCents) ? buyingPowerLeft(order, valueCents) : valueCents };
}

/** Checks the value of the amended opening order and computes what it must hold. */
function checkOpening(
  batch: Batch,
  instrument: Instrument,
  moment: MarketMoment,
  order: OrderRecord,
  amended: Amended,
): { priceBound: number; held: number } {
  const value = order.open_cents + valueAt(amended.price ?? moment.last, amended.rest * order.lot_shares, unitsPerWhole(order));
  if (amended.repriced) {
    checkRisk(batch, order.member_id, value);
    if (order.direction === "fall" && order.reserved_for === null) checkShort(batch, instrument, amended.price);
  }
  const { minimumCents } = batch.rules.for(order.member_id, instrument, batch.at);
  if (value < minimumCents) throw new Refusal("TRD_CONTRACT_MIN", { n: minimumCents / 100 }, "lots");
  if (!Number.isFinite(value)) throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "price");
  const need = needAmended(batch, instrument, moment, order, amended);
  const available = batch.ledger.balance(order.member_id, "available");
  const proceeds = order.reserved_for === null ? proceedsFor(batch, order) : 0;
  if (available + proceeds + order.held_cents < need.held) {
    throw new Refusal("FUND_AVAILABLE_INSUFFICIENT", {}, "price");
  }
  const more = need.held - order.held_cents;
  if (more > 0 && isCollateral(order)) checkOwnFunds(batch, order.member_id, more, available, "price");
  return need;
}

/** Adjusts the held money to exactly what the amended order needs. */
export function rehold(batch: Batch, order: OrderRecord, held: number): void {
  if (held > order.held_cents) holdMoney(batch, order, held - order.held_cents);
  else releaseMoney(batch, order, order.held_cents - held);
  order.held_cents = held;
}

/** Writes the change to the resting side. */
function change(order: OrderRecord, { rest, price, repriced, trigger }: Amended): void {
  if (order.status === "readyToClose") {
    order.closing_lots = rest;
    // At another price it is no longer the broker's own close.
    if (repriced) Object.assign(order, { close_pricing: "limit", close_price: price, close_cause: "member" });
  } else {
    order.lots = order.filled_lots + rest;
    if (repriced) Object.assign(order, { pricing: "limit", price });
    if (trigger !== null) order.trigger_price = trigger;
  }
}

/** Decides an amendment; refusals come in the order of the endpoint's list. */
export function amendOrder(batch: Batch, memberId: number, body: Body<"amendOrder">): OrderRecord {
  const order = checkOrder(batch, memberId, body.orderNo);
  if (nextStatus(order.status, "order.amended") === null) throw new Refusal("TRD_ORDER_NOT_PENDING", {}, "orderNo");
  const amended = checkChange(order, body);
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE");
  const opening = order.status === "pending";
  const market = (opening ? order.market : order.close_market) ?? "board";
  // Part of a lot would rest on the board and never trade.
  if (!opening && marketFor(order, instrument, amended.rest, market === "fixed") !== market) {
    throw new Refusal("TRD_ODD_LOTS_APART", {}, "lots");
  }
  const intent = { market, validity: "rod" as const, price: amended.repriced ? amended.price : null };
  // Fewer lots are allowed whenever the market is open, for any kind of order.
  const until = order.reserved_for;
  const moment =
    until !== null && isAhead(order, batch.venue, batch.at)
      ? checkReservation(batch.venue, until, instrument, { ...intent, pricing: "limit" })
      : checkMarket(batch.venue, batch.at, instrument, { ...intent, pricing: "limit", waits: order.trigger_kind !== null });
  checkTrigger(batch, instrument, order, amended.trigger, moment.last);
  if (amended.rest === 0 || isLockedClose(order)) {
    cancelRest(batch, order, amended.rest === 0 ? "member" : "broker");
    return order;
  }
  const need = opening ? checkOpening(batch, instrument, moment, order, amended) : null;
  change(order, amended);
  if (need) {
    order.bound_price = need.priceBound;
    rehold(batch, order, need.held);
  }
  if (amended.repriced) batch.takeTurn(order);
  step(order, "order.amended");
  batch.emitOrderFact("order.amended", order);
  if (amended.repriced) matchContinuously(batch, order);
  return order;
}

/** The counterparty queries of an amendment, once its order was read. */
export function queriesOfAmendment(batch: Batch | null, memberId: number, { orderNo, price }: Body<"amendOrder">): CounterpartyQuery[] {
  const order = batch?.order(memberId, orderNo);
  if (!batch || !order || price === null || !restOf(order)) return [];
  return counterpartyQuery(batch, order).map((query) => ({ ...query, limit: price }));
}
