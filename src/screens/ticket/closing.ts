/** Estimates closing lots of a position: which orders they come from, proceeds, fee, tax, profit and returned collateral. */
import { cents, price } from "#contract/kernel/money.ts";
import type { Cents, Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { closingLots, openSharesOf } from "#contract/position.ts";
import { heldOf, profitAt, share } from "#contract/profit.ts";
import type { Depth, Quote } from "#contract/quote.ts";

export interface Closing {
  valueCents: Cents;
  feeCents: Cents;
  taxCents: Cents;
  /** The change of the member's available money; may be negative for a losing short. */
  proceedsCents: Cents;
  profitCents: Cents;
}

/** The levels of the book that a close takes, best first. */
type Levels = readonly (readonly [price: number, lots: number])[];

/** The book after some lots were taken from it; the last level never runs out, so that a large close still has a price. */
function without(levels: Levels, lots: number): Levels {
  let left = lots;
  return levels.flatMap(([each, offered], at): Levels => {
    const taken = Math.min(left, offered);
    left -= taken;
    return offered > taken || at === levels.length - 1 ? [[each, offered - taken]] : [];
  });
}

/** The average price of lots taken from the levels; what they do not offer counts at the worst of them. */
function averageOf(levels: Levels, lots: number): Price | null {
  let left = lots;
  let sum = 0;
  let worstPrice = 0;
  for (const [each, offered] of levels) {
    const part = Math.min(left, offered);
    sum += each * part;
    left -= part;
    worstPrice = each;
    if (left === 0) break;
  }
  return worstPrice > 0 && lots > 0 ? price(Math.round((sum + worstPrice * left) / lots)) : null;
}

type MarketSide = [depth: Pick<Depth, "bids" | "asks"> | null, quote: Pick<Quote, "last" | "bid" | "ask"> | null];

/** The price of each part of a market close, one after the other against the displayed book; without a book the last price. */
export function marketPrices(direction: Order["direction"], parts: readonly number[], ...[depth, quote]: MarketSide): (Price | null)[] {
  let levels: Levels = (direction === "rise" ? depth?.bids : depth?.asks) ?? [];
  const best = (direction === "rise" ? quote?.bid : quote?.ask) || quote?.last || 0;
  return parts.map((lots) => {
    const average = averageOf(levels, lots);
    levels = without(levels, lots);
    return average ?? (best > 0 ? price(best) : null);
  });
}

/** The price of a market close in one part. */
export const marketPrice = (...[direction, lots, depth, quote]: [Order["direction"], number, ...MarketSide]): Price | null =>
  marketPrices(direction, [lots], depth, quote)[0] ?? null;

/** Estimates closing `lots` of an order at the price `each`: their loan is repaid first, with its interest. */
export function closingOf(order: Order, lots: number, each: Price): Closing {
  const open = order.filledLots - order.closedLots;
  // As the broker does it: the remainder keeps its share, rounded toward zero.
  const shareOfClosed = (amount: number): Cents => cents(amount - share(amount, open - lots, open));
  const interestCents = shareOfClosed(order.interestCents);
  const dividendCents = shareOfClosed(order.dividendCents);
  const { nowCents, closeCostCents, closeFeeCents, profitCents } = profitAt({ ...heldOf(order), lots, interestCents, dividendCents }, each);
  const gross = order.direction === "rise" ? nowCents - shareOfClosed(order.loanCents) : shareOfClosed(order.collateralCents) - nowCents;
  return {
    valueCents: nowCents,
    feeCents: closeFeeCents,
    taxCents: cents(closeCostCents - closeFeeCents),
    proceedsCents: cents(gross - interestCents - closeCostCents),
    profitCents,
  };
}

/** The lots that one order contributes. */
export interface ClosingPart {
  order: Order;
  lots: number;
}

/** The orders and lots that make up a close, as the broker takes them; null if these orders do not have the shares. */
export function closingParts(orders: readonly Order[], shares: number, lotShares: number): ClosingPart[] | null {
  const held = orders.map((order) => ({ lots: order.filledLots - order.closedLots, lotShares: order.lotShares }));
  const lots = closingLots(held, shares, lotShares);
  return lots && orders.map((order, at) => ({ order, lots: lots[at] ?? 0 })).filter((part) => part.lots > 0);
}

/** Estimates a close of several orders: each is charged its own fee, as the broker does. */
export function sumOfClosings(closings: readonly Closing[]): Closing {
  const sum = (amountOf: (closing: Closing) => number): Cents => cents(closings.reduce((total, one) => total + amountOf(one), 0));
  return {
    valueCents: sum((one) => one.valueCents),
    feeCents: sum((one) => one.feeCents),
    taxCents: sum((one) => one.taxCents),
    proceedsCents: sum((one) => one.proceedsCents),
    profitCents: sum((one) => one.profitCents),
  };
}

/** What orders offer to a close: whole lots of the board, and single shares for the odd-lot market. */
export function offeredBy(orders: readonly Order[], lotShares: number): { lots: number; singleShares: number } {
  const lots = orders.reduce((sum, order) => sum + Math.floor(openSharesOf(order) / lotShares), 0);
  const single = orders.filter((order) => order.lotShares === 1).reduce((sum, order) => sum + openSharesOf(order), 0);
  return { lots, singleShares: Math.min(lotShares - 1, single) };
}

/** What the close orders of a command have done so far: shares sent and filled, and the value of the fills. */
export interface CloseProgress {
  filledShares: number;
  valueCents: number;
  averagePrice: Price | null;
}

/** The fills of the latest close of each order; `parts` are the lots each of them sent. */
export function progressOf(parts: readonly ClosingPart[], now: readonly Order[]): CloseProgress {
  const each = parts.flatMap(({ order, lots }) => {
    const known = now.find(({ orderNo }) => orderNo === order.orderNo);
    return known ? [{ shares: (lots - known.closingLots) * known.lotShares, cents: known.closingCents }] : [];
  });
  const filledShares = each.reduce((sum, one) => sum + one.shares, 0);
  const valueCents = each.reduce((sum, one) => sum + one.cents, 0);
  return { filledShares, valueCents, averagePrice: filledShares > 0 ? price(Math.round((valueCents * 100) / filledShares)) : null };
}
