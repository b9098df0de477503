/** Reversing an order or a position: all of it is closed at market and as much is opened the other way; everything is accepted or nothing. */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Body } from "#contract/endpoints.ts";
import { feeAdded, taxOf } from "#contract/fee.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { Code, OrderNo, RequestId } from "#contract/kernel/id.ts";
import type { PositionReversal, Reversal } from "#contract/order.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { accrue } from "#server/trading/clearing/interest-accrual.ts";
import { checkClose, sendToMarket, queriesOfPosition } from "./close.ts";
import { ordersOfPosition } from "./close-position.ts";
import { acceptOrder, checkPlacement } from "./place.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { rateTax } from "#server/trading/clearing/transaction-tax.ts";
import { planFor, matchContinuously } from "#server/trading/matching-engine/continuous.ts";
import { checkOrder } from "./cancel.ts";

/** What an order holds, in board lots. */
const boardLots = (batch: Batch, order: OrderRecord): number => {
  const lotShares = batch.venue.instrument(order.code)?.lotShares ?? order.lot_shares;
  return (order.filled_lots - order.closed_lots) / unitsPerLot(order, "board", lotShares);
};

const totalLots = (batch: Batch, orders: readonly OrderRecord[]): number => orders.reduce((sum, order) => sum + boardLots(batch, order), 0);

/** Lots of a price that the market would take now. */
type PlannedFill = Pick<ReturnType<typeof planFor>[number], "price" | "lots">;

/** Takes the next lots from the planned fills; fewer once they run out. */
function takeLots(plan: PlannedFill[], lots: number): PlannedFill[] {
  const taken: PlannedFill[] = [];
  for (let left = lots; left > 0 && plan[0] !== undefined;) {
    const [next] = plan;
    const part = Math.min(left, next.lots);
    taken.push({ price: next.price, lots: part });
    left -= part;
    if (part === next.lots) plan.shift();
    else plan[0] = { price: next.price, lots: next.lots - part };
  }
  return taken;
}

/** What closing an order at these fills brings, or costs if negative. */
function netOf(batch: Batch, order: OrderRecord, lotShares: number, fills: readonly PlannedFill[]): number {
  const then = { ...order };
  accrue(then, batch.at);
  if (then.direction === "rise") rateTax(batch, then);
  const value = cents(fills.reduce((sum, fill) => sum + worth(fill.price, fill.lots * lotShares, unitsPerWhole(order)), 0));
  const total = cents(then.close_cents + value);
  const costs = feeAdded(then.terms, { cents: 0, feeCents: 0 }, value) + then.loan_cents + then.interest_cents;
  const tax = then.direction === "rise" ? taxOf(then.terms, total) - taxOf(then.terms, cents(then.close_cents)) : 0;
  return (then.direction === "rise" ? value : then.collateral_cents - value) - costs - tax;
}

/**
 * What closing is certain to bring at once, or to cost if negative; nothing is brought by an order that the market does not take as a
 * whole now or that pays later.
 */
function freedBy(batch: Batch, orders: readonly OrderRecord[]): number {
  const [first] = orders;
  const instrument = first && batch.venue.instrument(first.code);
  if (!first || !instrument) return 0;
  const side = first.direction === "rise" ? "sell" : "buy";
  const wanted = totalLots(batch, orders);
  const plan: PlannedFill[] = [...planFor(batch, instrument, { row: instrument.row, side, limit: null, lots: wanted }, first.member_id)];
  const { last, reference } = batch.venue.quote(instrument.row);
  // The rest is expected to cost no less than the worst of the immediate fills.
  const restPrice = plan.at(-1)?.price ?? price(last > 0 ? last : reference);
  return orders.reduce((sum, order) => {
    const fills = takeLots(plan, boardLots(batch, order));
    const missing = boardLots(batch, order) - fills.reduce((lots, fill) => lots + fill.lots, 0);
    const net = netOf(batch, order, instrument.lotShares, [...fills, { price: restPrice, lots: missing }]);
    return sum + (missing === 0 && order.terms.settlementDays === 0 ? net : Math.min(0, net));
  }, 0);
}

/** Refusals of a reversal name its subject, the only thing the request has. */
function refusingOn<Checked>(field: string, check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Refusal) || error.field === undefined) throw error;
    throw new Refusal(error.code, error.params, field);
  }
}

/** Closes these orders of one position and opens as many lots the other way with one order. Takes an order number for each, and one more. */
function reverse(batch: Batch, orders: readonly [OrderRecord, ...OrderRecord[]], requestId: RequestId, field: string) {
  const [{ member_id: memberId, code, direction, funding, day_trade: dayTrade }] = orders;
  const closings = refusingOn(field, () =>
    orders.map((order) => {
      const orderNo = order.order_no as OrderNo;
      const all = { orderNo, lots: order.filled_lots - order.closed_lots, pricing: "market", price: null } as const;
      return checkClose(batch, memberId, { ...all, validity: "rod", fixed: false });
    }),
  );
  const lots = totalLots(batch, orders);
  // Of several multiples the least: the new position borrows no more than any part of the old.
  const leverage = Math.min(...orders.map((order) => order.leverage));
  const ticket = { requestId, code: code as Code, direction: direction === "rise" ? "fall" : "rise" } as const;
  const rest = { pricing: "market", price: null, market: "board", validity: "rod", trigger: null } as const;
  const opening = { ...ticket, ...rest, exits: [], lots, funding, leverage, dayTrade };
  const placement = refusingOn(field, () => checkPlacement(batch, memberId, opening, { lots, freedCents: freedBy(batch, orders) }));
  // If the money is available, it is held before the close, whose costs then come after. Otherwise the close has to bring it.
  const there = batch.ledger.balance(memberId, "available") >= placement.need;
  const opened = there ? acceptOrder(batch, memberId, placement) : null;
  const closed = closings.map((closing) => sendToMarket(batch, closing));
  const entered = opened ?? acceptOrder(batch, memberId, placement);
  matchContinuously(batch, entered);
  return { closed: closed.map(toOrder), opened: toOrder(entered) };
}

/** Decides the reversal of one order. Takes two order numbers. */
export function reverseOrder(batch: Batch, memberId: number, { requestId, orderNo }: Body<"reverseOrder">): Reversal {
  const order = checkOrder(batch, memberId, orderNo);
  const { opened } = reverse(batch, [order], requestId, "orderNo");
  return { closed: toOrder(order), opened };
}

/** Decides the reversal of a position; `orderNos` are the orders that may hold it. Takes a number for each of its orders, and one more. */
export function reversePosition(
  batch: Batch,
  memberId: number,
  body: Body<"reversePosition">,
  orderNos: readonly string[],
): PositionReversal {
  const [first, ...more] = ordersOfPosition(batch, memberId, body, orderNos);
  if (!first) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "code");
  return reverse(batch, [first, ...more], body.requestId, "code");
}

/** The counterparty queries of a reversal: all that is closed, and as much again that is opened. */
export function queriesOfReversal(batch: Batch | null, memberId: number, orderNos: readonly string[]): CounterpartyQuery[] {
  const orders = orderNos.flatMap((orderNo) => batch?.order(memberId, orderNo) ?? []).filter(({ status }) => status === "holding");
  const queries = batch ? orders.flatMap((order) => queriesOfPosition(batch, order)) : [];
  const [first] = queries;
  return first ? [{ ...first, lots: 2 * queries.reduce((sum, { lots }) => sum + lots, 0) }] : [];
}
