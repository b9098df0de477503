/** Closing shares of a position: which orders they are taken from, all checked before the first of them goes to the market. */
import type { Body } from "#contract/endpoints.ts";
import type { Instrument } from "#contract/instrument.ts";
import { price } from "#contract/kernel/money.ts";
import type { BulkOutcome } from "#contract/order.ts";
import { closingLots, isWholeLots, positionId } from "#contract/position.ts";
import type { PositionKey } from "#contract/position.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { freeLots, lentRefusal } from "#server/trading/clearing/lendings-in-batch.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { planFor } from "#server/trading/matching-engine/continuous.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import { nextStatus, toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { checkOrder } from "./cancel.ts";
import { checkLock, enterMarket, sendToMarket } from "./close.ts";
import type { Closing } from "./close.ts";
import { checkMarket } from "./market-check.ts";
import { checkReservation, reservedFor } from "./reservation.ts";

type Asked = Body<"closePosition">;

/** The lots that one order contributes. */
interface Part {
  order: OrderRecord;
  lots: number;
}

const openSharesOf = (order: OrderRecord): number => (order.filled_lots - order.closed_lots) * order.lot_shares;

const totalOf = (orders: readonly OrderRecord[]): number => orders.reduce((sum, order) => sum + openSharesOf(order), 0);

const isClosable = ({ status }: OrderRecord): boolean => nextStatus(status, "order.closeRequested") !== null;

const oldestFirst = (a: OrderRecord, b: OrderRecord): number => a.placed_at - b.placed_at || (a.order_no < b.order_no ? -1 : 1);

function belongsTo(key: PositionKey, { code, direction, funding, day_trade: dayTrade }: OrderRecord): boolean {
  return positionId(key) === positionId({ code: code as PositionKey["code"], direction, funding, dayTrade });
}

/** The parts of orders that make up the shares asked for; null if the orders do not have them as whole lots or as single shares. */
function partsOf(orders: readonly OrderRecord[], { shares, fixed }: Asked, { lotShares }: Instrument): Part[] | null {
  if (fixed && !isWholeLots(shares, lotShares)) return null;
  const held = orders.map((order) => ({ lots: freeLots(order), lotShares: order.lot_shares }));
  const lots = closingLots(held, shares, lotShares);
  return lots && orders.map((order, at) => ({ order, lots: lots[at] ?? 0 })).filter((part) => part.lots > 0);
}

/** The refusal of an order in its lock-up or locked by the operator; null if it can be closed. */
function lockOf(batch: Batch, order: OrderRecord, instrument: Instrument, until: number | null): Refusal | null {
  try {
    checkLock(batch, order, instrument, until);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The orders named by the request, in its order; each must be closable. */
function chosenOrders(batch: Batch, memberId: number, body: Asked): OrderRecord[] {
  return [...new Set(body.orderNos)].map((orderNo) => {
    const order = checkOrder(batch, memberId, orderNo);
    if (!belongsTo(body, order)) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNos");
    if (!isClosable(order)) throw new Refusal("TRD_ORDER_NOT_HOLDING", {}, "orderNos");
    return order;
  });
}

/**
 * The orders that hold a position, oldest first; `orderNos` are those that may.
 * @throws Refusal TRD_ORDER_NOT_FOUND if none does
 */
export function ordersOfPosition(batch: Batch, memberId: number, key: PositionKey, orderNos: readonly string[]): OrderRecord[] {
  const held = orderNos.map((orderNo) => batch.order(memberId, orderNo)).filter((order) => order !== undefined);
  // A position is what filled orders hold; a partly filled one that still rests is none yet.
  const open = held.filter((order) => order.status !== "pending" && belongsTo(key, order) && openSharesOf(order) > 0);
  if (open.length === 0) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "code");
  return open.toSorted(oldestFirst);
}

/** The parts of orders that are all free to be sold: locked ones are left out if the others suffice. */
function freeParts(batch: Batch, orders: readonly OrderRecord[], body: Asked, instrument: Instrument): Part[] {
  const chosen = body.orderNos.length > 0;
  const all = partsOf(orders, body, instrument);
  const lent = orders.find((order) => order.on_loan_lots > 0);
  if (all === null && lent && body.shares > orders.reduce((sum, order) => sum + freeLots(order) * order.lot_shares, 0))
    throw lentRefusal(lent, "shares");
  if (all === null) throw new Refusal("TRD_ODD_LOTS_APART", {}, "shares");
  const until = reservedFor(batch.venue, batch.at, body);
  const locks = new Map(orders.map((order) => [order, lockOf(batch, order, instrument, until)]));
  const locked = all.map(({ order }) => locks.get(order) ?? null).find((lock) => lock !== null);
  if (!locked) return all;
  const free = chosen
    ? null
    : partsOf(
        orders.filter((order) => locks.get(order) === null),
        body,
        instrument,
      );
  if (free === null) throw new Refusal(locked.code, locked.params, "shares");
  return free;
}

/** Runs all checks in the order of the endpoint's list, before anything changes. */
function checkClosings(batch: Batch, memberId: number, body: Asked, orderNos: readonly string[]): Closing[] {
  const orders =
    body.orderNos.length > 0 ? chosenOrders(batch, memberId, body) : ordersOfPosition(batch, memberId, body, orderNos).filter(isClosable);
  checkEligible("close", batch.member(memberId));
  if (body.shares > totalOf(orders)) throw new Refusal("TRD_SELL_EXCEEDS", {}, "shares");
  const instrument = batch.venue.instrument(body.code);
  if (!instrument) throw new Refusal("TRD_STOCK_PRICE_UNAVAILABLE");
  const parts = freeParts(batch, orders, body, instrument);
  const market = !isWholeLots(body.shares, instrument.lotShares) ? "odd" : body.fixed ? "fixed" : "board";
  const { pricing, price: limit, validity } = body;
  const asked = { market, pricing, price: limit, validity } as const;
  const until = reservedFor(batch.venue, batch.at, body);
  if (until === null) checkMarket(batch.venue, batch.at, instrument, asked);
  else checkReservation(batch.venue, until, instrument, asked);
  return parts.map((part) => ({ ...part, ...asked, cause: "member", reservedFor: until }));
}

/** What the close asks of the board; null for odd lots. */
function boardQuery(batch: Batch, memberId: number, { code, direction, shares, price: limit }: Asked): CounterpartyQuery | null {
  const instrument = batch.venue.instrument(code);
  if (!instrument || !isWholeLots(shares, instrument.lotShares)) return null;
  const side = direction === "rise" ? "sell" : "buy";
  return { row: instrument.row, side, limit, lots: shares / instrument.lotShares, memberId };
}

/** Tells whether a fill-or-kill close cannot be filled as a whole, although some of its orders might. */
function isKilled(batch: Batch, memberId: number, body: Asked): boolean {
  const query = boardQuery(batch, memberId, body);
  const instrument = batch.venue.instrument(body.code);
  if (body.validity !== "fok" || !query || !instrument) return false;
  const want = { ...query, limit: body.price === null ? null : price(body.price) };
  return planFor(batch, instrument, want, memberId).reduce((sum, part) => sum + part.lots, 0) < query.lots;
}

/** Decides a close of a position; `orderNos` are the orders that may hold it. Takes one order number for each order closed. */
export function closePosition(batch: Batch, memberId: number, body: Asked, orderNos: readonly string[]): BulkOutcome {
  const closings = checkClosings(batch, memberId, body, orderNos);
  const killed = isKilled(batch, memberId, body);
  for (const closing of closings) {
    if (killed) cancelRest(batch, enterMarket(batch, closing), "immediate");
    else sendToMarket(batch, closing);
  }
  return { orders: closings.map(({ order }) => toOrder(order)), refused: [] };
}

/** The counterparty queries of a position's close, once its orders were read. */
export function queriesOfPositionClose(batch: Batch | null, memberId: number, body: Asked): CounterpartyQuery[] {
  const query = batch && boardQuery(batch, memberId, body);
  return query ? [query] : [];
}
