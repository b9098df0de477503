/** Sends a reserved order to the market at the beginning of its session, if it still fits; otherwise it ends, and the member is told why. */
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import type { RequestId, Code } from "#contract/kernel/id.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { freeLots, lentRefusal } from "#server/trading/clearing/lendings-in-batch.ts";
import { matchContinuously } from "#server/trading/matching-engine/continuous.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import { isLockedClose, sideOf, step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { isAhead, lapsed } from "#server/trading/sequencer/time-in-force.ts";
import { rehold } from "./amend.ts";
import { checkLock } from "./close.ts";
import { rateTax } from "#server/trading/clearing/transaction-tax.ts";
import { checkMarket } from "./market-check.ts";
import { checkPlacement } from "./place.ts";

/** The server was down all session. */
const AFTER_THE_CLOSE: ReadonlySet<string> = new Set(["closed", "oddLot", "fixedPrice"]);

/** What an order would be placed with now. */
function ticketOf(order: OrderRecord) {
  const { direction, pricing, price, lots, market, validity, funding, leverage, day_trade: dayTrade } = order;
  const identity = { requestId: order.request_id as RequestId, code: order.code as Code };
  return { ...identity, direction, pricing, price, lots, market, validity, funding, leverage, dayTrade, trigger: null, exits: [] };
}

/** Checks an opening order as if it was placed now, on its own terms, and holds exactly what it needs today. */
function checkOpening(batch: Batch, order: OrderRecord): void {
  // A sale is taxed at the rate of its day, which may have changed in the night.
  if (order.direction === "fall") rateTax(batch, order);
  const prior = { lots: 0, freedCents: order.held_cents, terms: order.terms };
  const { priceBound, need } = checkPlacement(batch, order.member_id, ticketOf(order), prior);
  order.bound_price = priceBound;
  rehold(batch, order, need);
}

function checkClosing(batch: Batch, order: OrderRecord): void {
  checkEligible("close", batch.member(order.member_id));
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE");
  checkLock(batch, order, instrument);
  if (order.closing_lots > freeLots(order)) throw lentRefusal(order, "lots");
  const { close_market: market, close_pricing: pricing, close_price: price, close_validity: validity } = order;
  const intent = { market: market ?? "board", pricing: pricing ?? "limit", price, validity: validity ?? "rod" } as const;
  checkMarket(batch.venue, batch.at, instrument, intent);
}

/** Whether the prices that an order is checked against are those of its session. */
function isPriced({ venue, at }: Batch, { code }: OrderRecord): boolean {
  const row = venue.instrument(code)?.row;
  return row === undefined || venue.fresh(at, row);
}

/** The refusal of an order that may not go to the market now; null for none. */
function refusalOf(batch: Batch, order: OrderRecord): Refusal | null {
  try {
    if (order.status === "pending") checkOpening(batch, order);
    else checkClosing(batch, order);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/**
 * Decides a reserved order whose session has begun. It keeps its place among those that came before and after it.
 * @returns false while it has to wait, because its price is not known yet
 */
export function enter(batch: Batch, order: OrderRecord): boolean {
  if (order.reserved_for === null || isAhead(order, batch.venue, batch.at)) return true;
  if (lapsed(order, batch.venue, batch.at) || AFTER_THE_CLOSE.has(batch.venue.phase(batch.at))) cancelRest(batch, order, "expired");
  else if (isLockedClose(order)) cancelRest(batch, order, "broker");
  else if (!isPriced(batch, order)) return false;
  else {
    const refusal = refusalOf(batch, order);
    if (refusal) {
      cancelRest(batch, order, "notAccepted", { code: refusal.code, params: refusal.params });
      return true;
    }
    order.reserved_for = null;
    order.asked_at = batch.at;
    order.turn_at = batch.at;
    step(order, "order.entered");
    batch.emitOrderFact("order.entered", order);
    matchContinuously(batch, order);
  }
  return true;
}

/** The counterparty queries of reserved orders that go to the market when it is open already. */
export function queriesOfEntry(batch: Batch, order: OrderRecord): CounterpartyQuery[] {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument || order.reserved_for === null) return [];
  const opens = order.status === "pending";
  const lots = opens ? order.lots : Math.floor((order.closing_lots * order.lot_shares) / instrument.lotShares);
  const limit = opens ? order.price : order.close_price;
  return [{ row: instrument.row, side: sideOf(order), limit, lots, memberId: order.member_id }];
}
