/** Reversing a position: all of it is closed at market and as much is opened in the other direction; both are accepted or neither. */
import type { Body } from "#contract/endpoints.ts";
import { feeAdded, taxOf } from "#contract/fee.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { Code } from "#contract/kernel/id.ts";
import type { Reversal } from "#contract/order.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { accrue } from "#server/trading/clearing/interest-accrual.ts";
import { checkClose, sendToMarket, queriesOfPosition } from "./close.ts";
import type { Closing } from "./close.ts";
import { acceptOrder, checkPlacement } from "./place.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { unitsPerLot } from "#server/trading/sequencer/order-book.ts";
import type { CounterpartyQuery } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { rateTax } from "#server/trading/clearing/transaction-tax.ts";
import { planFor, matchContinuously } from "#server/trading/matching-engine/continuous.ts";
import { checkOrder } from "./cancel.ts";

/** The whole position in board lots. */
const boardLots = (batch: Batch, order: OrderRecord): number => {
  const lotShares = batch.venue.instrument(order.code)?.lotShares ?? order.lot_shares;
  return (order.filled_lots - order.closed_lots) / unitsPerLot(order, "board", lotShares);
};

/**
 * What closing is certain to bring at once, or to cost if negative; nothing is brought when the market does not take all of it now or pays
 * later.
 */
function freedBy(batch: Batch, { order }: Closing): number {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) return 0;
  const side = order.direction === "rise" ? "sell" : "buy";
  const wanted = boardLots(batch, order);
  const parts = planFor(batch, instrument, { row: instrument.row, side, limit: null, lots: wanted }, order.member_id);
  const missing = wanted - parts.reduce((sum, part) => sum + part.lots, 0);
  const { last, reference } = batch.venue.quote(instrument.row);
  // The rest is expected to cost no less than the worst of the immediate fills.
  const rest = { price: parts.at(-1)?.price ?? (last > 0 ? last : reference), lots: missing };
  const then = { ...order };
  accrue(then, batch.at);
  if (then.direction === "rise") rateTax(batch, then);
  const value = cents([...parts, rest].reduce((sum, part) => sum + worth(price(part.price), part.lots * instrument.lotShares), 0));
  const total = cents(then.close_cents + value);
  const costs = feeAdded(then.terms, { cents: 0, feeCents: 0 }, value) + then.loan_cents + then.interest_cents;
  const tax = then.direction === "rise" ? taxOf(then.terms, total) - taxOf(then.terms, cents(then.close_cents)) : 0;
  const net = (then.direction === "rise" ? value : then.collateral_cents - value) - costs - tax;
  return missing === 0 && order.terms.settlementDays === 0 ? net : Math.min(0, net);
}

/** Refusals of a reversal name its order, which is the only subject of the request. */
function refusingOnOrder<Checked>(check: () => Checked): Checked {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Refusal) || error.field === undefined) throw error;
    throw new Refusal(error.code, error.params, "orderNo");
  }
}

/** Decides a reversal. Takes two order numbers. */
export function reverseOrder(batch: Batch, memberId: number, { requestId, orderNo }: Body<"reverseOrder">): Reversal {
  const order = checkOrder(batch, memberId, orderNo);
  const all = { orderNo, lots: order.filled_lots - order.closed_lots, pricing: "market", price: null } as const;
  const closing = refusingOnOrder(() => checkClose(batch, memberId, { ...all, validity: "rod", fixed: false }));
  const lots = boardLots(batch, order);
  const { funding, leverage, day_trade: dayTrade } = order;
  const ticket = { requestId, code: order.code as Code, direction: order.direction === "rise" ? "fall" : "rise" } as const;
  const rest = { pricing: "market", price: null, market: "board", validity: "rod", trigger: null, exits: [] } as const;
  const opening = { ...ticket, ...rest, exits: [], lots, funding, leverage, dayTrade };
  const placement = refusingOnOrder(() => checkPlacement(batch, memberId, opening, { lots, freedCents: freedBy(batch, closing) }));
  // If the money is available, it is held before the close, whose costs then come after. Otherwise the close has to bring it.
  const there = batch.ledger.balance(memberId, "available") >= placement.need;
  const opened = there ? acceptOrder(batch, memberId, placement) : null;
  const closed = sendToMarket(batch, closing);
  const entered = opened ?? acceptOrder(batch, memberId, placement);
  matchContinuously(batch, entered);
  return { closed: toOrder(closed), opened: toOrder(entered) };
}

/** The counterparty queries of a reversal's two orders, once the position was read. */
export function queriesOfReversal(batch: Batch | null, memberId: number, orderNo: string): CounterpartyQuery[] {
  const order = batch?.order(memberId, orderNo);
  return batch && order?.status === "holding" ? queriesOfPosition(batch, order).map((query) => ({ ...query, lots: 2 * query.lots })) : [];
}
