/** Reversing a position: all of it closed at market and as much opened the other way, both or neither asked. */
import type { Body } from "#contract/endpoints.ts";
import { feeOf, taxOf } from "#contract/fee.ts";
import { cents, worth } from "#contract/kernel/money.ts";
import type { Code } from "#contract/kernel/id.ts";
import type { Reversal } from "#contract/order.ts";
import { accrue } from "#server/desks/margin/interest.ts";
import { askClosing, bringToMarket, closeSeek } from "./close.ts";
import type { Closing } from "./close.ts";
import { admit, askPlacement } from "./place.ts";
import { toOrder } from "./record.ts";
import type { OrderRecord } from "./record.ts";
import { unitsPerLot } from "./resting.ts";
import type { Seek } from "./resting.ts";
import type { Round } from "./round.ts";
import { planFor, trade } from "./trade.ts";
import { askOrder } from "./withdraw.ts";

/** Lots of the board all of a position comes to. */
const boardLots = (round: Round, order: OrderRecord): number => {
  const lotShares = round.venue.instrument(order.code)?.lotShares ?? order.lot_shares;
  return (order.filled_lots - order.closed_lots) / unitsPerLot(order, "board", lotShares);
};

/** What closing brings (or, below 0, costs) at once for certain; nothing unless the market takes all of it now, and pays today. */
function freedBy(round: Round, { order }: Closing): number {
  const instrument = round.venue.instrument(order.code);
  if (!instrument || order.terms.settlementDays > 0) return 0;
  const side = order.direction === "rise" ? "sell" : "buy";
  const wanted = boardLots(round, order);
  const parts = planFor(round, instrument, { row: instrument.row, side, limit: null, lots: wanted }, order.member_id);
  if (parts.reduce((sum, part) => sum + part.lots, 0) < wanted) return 0;
  const then = { ...order };
  accrue(then, round.at);
  const value = cents(parts.reduce((sum, part) => sum + worth(part.price, part.lots * instrument.lotShares), 0));
  const total = cents(then.close_cents + value);
  const costs = feeOf(then.terms, total) - then.close_fee_cents + then.loan_cents + then.interest_cents;
  if (then.direction === "fall") return then.collateral_cents - value - costs;
  return value - costs - (taxOf(then.terms, total) - taxOf(then.terms, cents(then.close_cents)));
}

/** Decide a reversal. Takes two numbers of the round. */
export function reverseOrder(round: Round, memberId: number, { requestId, orderNo }: Body<"reverseOrder">): Reversal {
  const order = askOrder(round, memberId, orderNo);
  const all = { orderNo, lots: order.filled_lots - order.closed_lots, pricing: "market", price: null } as const;
  const closing = askClosing(round, memberId, { ...all, validity: "rod", fixed: false });
  const lots = boardLots(round, order);
  const { funding, leverage, day_trade: dayTrade } = order;
  const ticket = { requestId, code: order.code as Code, direction: order.direction === "rise" ? "fall" : "rise" } as const;
  const rest = { pricing: "market", price: null, market: "board", validity: "rod", trigger: null, exits: [] } as const;
  const placement = askPlacement(
    round,
    memberId,
    { ...ticket, ...rest, exits: [], lots, funding, leverage, dayTrade },
    { lots, freedCents: freedBy(round, closing) },
  );
  // Its money is held first where it is there already: what the close costs then comes after. Else the close has to bring it.
  const there = round.ledger.balance(memberId, "available") >= placement.need;
  const opened = there ? admit(round, memberId, placement) : null;
  const closed = bringToMarket(round, closing);
  const entered = opened ?? admit(round, memberId, placement);
  trade(round, entered);
  return { closed: toOrder(closed), opened: toOrder(entered) };
}

/** Whom both of its sides may meet, once it was read. */
export function seekReversed(round: Round | null, memberId: number, orderNo: string): Seek[] {
  const order = round?.order(memberId, orderNo);
  return round && order?.status === "holding" ? closeSeek(round, order).map((seek) => ({ ...seek, lots: 2 * seek.lots })) : [];
}
