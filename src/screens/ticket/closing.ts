/** The close of a position: which orders give which lots, what they are expected to bring, and what became of them. */
import { cents, price, priceOf } from "#contract/kernel/money.ts";
import type { Cents, Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { closingLots, openSharesOf } from "#contract/position.ts";
import { heldOf, profitAt, share } from "#contract/profit.ts";
import type { Depth, Quote } from "#contract/quote.ts";
import type { Market } from "#contract/rule.ts";
import { limitOf, lotsOf } from "./draft.ts";
import type { Draft } from "./draft.ts";

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

/** The market a close meets. */
export interface ClosingMarket {
  depth: Pick<Depth, "bids" | "asks"> | null;
  quote: Pick<Quote, "last" | "bid" | "ask"> | null;
}

/** The price of each part of a market close, one after the other against the displayed book; without a book the best price or the last. */
export function marketPrices(direction: Order["direction"], parts: readonly number[], { depth, quote }: ClosingMarket): (Price | null)[] {
  let levels: Levels = (direction === "rise" ? depth?.bids : depth?.asks) ?? [];
  const best = (direction === "rise" ? quote?.bid : quote?.ask) || quote?.last || 0;
  return parts.map((lots) => {
    const average = averageOf(levels, lots);
    levels = without(levels, lots);
    return average ?? (best > 0 ? price(best) : null);
  });
}

/** Estimates closing `lots` of an order at the price `each`: their loan is repaid first, with its interest. */
export function closingOf(order: Order, lots: number, each: Price): Closing {
  const open = order.filledLots - order.closedLots;
  // As the broker does it: the remainder keeps its share, rounded toward zero.
  const shareOfClosed = (amount: number): Cents => cents(amount - share(amount, open - lots, open));
  const interestCents = shareOfClosed(order.interestCents);
  const dividendCents = shareOfClosed(order.dividendCents);
  const lendingCents = shareOfClosed(order.lendingCents ?? 0);
  const held = { ...heldOf(order), lots, interestCents, dividendCents, lendingCents };
  const { nowCents, closeCostCents, closeFeeCents, profitCents } = profitAt(held, each);
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

/** Shares of an order that are open and not on loan. */
const freeSharesOf = (order: Order): number => openSharesOf(order) - (order.onLoanLots ?? 0) * order.lotShares;

/** The orders that a close may take from: not being closed already, and past their lock-up. */
export const freeOrders = (orders: readonly Order[], now: number): Order[] =>
  orders.filter(({ status, lockedUntil }) => status === "holding" && (lockedUntil === null || lockedUntil <= now));

/** Units that orders offer to a close in a market: whole lots of the board (`lotShares`), or single shares of the odd-lot market. */
export function offeredUnits(orders: readonly Order[], market: Market, lotShares: number): number {
  const held = orders.filter(({ status }) => status === "holding");
  if (market !== "odd") return held.reduce((sum, order) => sum + Math.floor(freeSharesOf(order) / lotShares), 0);
  const single = held.filter((order) => order.lotShares === 1).reduce((sum, order) => sum + freeSharesOf(order), 0);
  return Math.min(lotShares - 1, single);
}

/** The orders and lots that make up a close, as the broker takes them; null if these orders do not have the shares. */
export function closingParts(orders: readonly Order[], shares: number, lotShares: number): ClosingPart[] | null {
  const held = orders.map((order) => ({ lots: freeSharesOf(order) / order.lotShares, lotShares: order.lotShares }));
  const lots = closingLots(held, shares, lotShares);
  return lots && orders.map((order, at) => ({ order, lots: lots[at] ?? 0 })).filter((part) => part.lots > 0);
}

const sumOf = (closings: readonly Closing[], amountOf: (closing: Closing) => number): Cents =>
  cents(closings.reduce((total, one) => total + amountOf(one), 0));

/**
 * What a close brings at the limit, or part by part at the prices of the displayed book; null while a price is not known. Each order is
 * charged its own fee, as the broker does.
 */
export function expectedClosing(
  parts: readonly ClosingPart[],
  limit: Price | null,
  lotShares: number,
  market: ClosingMarket,
): Closing | null {
  const [first] = parts;
  if (!first) return null;
  const lots = parts.map((part) => (part.lots * part.order.lotShares) / lotShares);
  const prices = limit === null ? marketPrices(first.order.direction, lots, market) : parts.map(() => limit);
  const closings = parts.flatMap(({ order, lots: n }, at) => {
    const each = prices[at];
    return each ? [closingOf(order, n, each)] : [];
  });
  if (closings.length < parts.length) return null;
  return {
    valueCents: sumOf(closings, (one) => one.valueCents),
    feeCents: sumOf(closings, (one) => one.feeCents),
    taxCents: sumOf(closings, (one) => one.taxCents),
    proceedsCents: sumOf(closings, (one) => one.proceedsCents),
    profitCents: sumOf(closings, (one) => one.profitCents),
  };
}

/** What a draft closes of the orders that are free. */
export interface ClosingPlan {
  /** Shares of one unit of the draft's lots: a board lot's, or 1 for odd lots. */
  unitShares: number;
  /** Units that can be closed. */
  most: number;
  /** Shares to close; 0 while the number is not one. */
  shares: number;
  /** The lots of each order, oldest first; null while the orders do not have the shares. */
  parts: readonly ClosingPart[] | null;
  /** What it brings; null while it cannot be told. */
  closing: Closing | null;
}

/** After hours everything trades at the last price. */
const atLast = ({ quote }: ClosingMarket): ClosingMarket => ({ depth: null, quote: quote && { last: quote.last, bid: 0, ask: 0 } });

/** Plans the close of a draft. `lotShares`: of a board lot. */
export function closingPlan(
  free: readonly Order[],
  draft: Pick<Draft, "market" | "pricing" | "priceText" | "lotsText">,
  lotShares: number,
  market: ClosingMarket,
): ClosingPlan {
  const unitShares = draft.market === "odd" ? 1 : lotShares;
  const shares = (lotsOf(draft, free[0]?.unitsPerWhole) ?? 0) * unitShares;
  const parts = shares > 0 ? closingParts(free, shares, lotShares) : null;
  const limit = draft.pricing === "limit" ? limitOf(draft) : null;
  const priced = draft.pricing === "market" || limit !== null;
  const closing = parts && priced ? expectedClosing(parts, limit, lotShares, draft.market === "fixed" ? atLast(market) : market) : null;
  return { unitShares, most: offeredUnits(free, draft.market, lotShares), shares, parts, closing };
}

/** What a close has filled so far over all the orders it takes from. */
export interface CloseProgress {
  filledShares: number;
  /** The average price of the filled shares, rounded to a ten-thousandth; null before the first fill. */
  averagePrice: Price | null;
  feeCents: Cents;
  taxCents: Cents;
  profitCents: Cents;
  /** Shares still at work. */
  restingShares: number;
  state: "filled" | "partlyFilled" | "queued" | "unfilled";
}

/** `parts`: what was sent, with each order as it was before. `now`: those orders as they are known last. */
export function progressOf(parts: readonly ClosingPart[], now: readonly Order[]): CloseProgress {
  const known = parts.flatMap(({ order: before, lots }) => {
    const after = now.find(({ orderNo }) => orderNo === before.orderNo);
    return after ? [{ before, after, lots }] : [];
  });
  const sum = (amountOf: (one: (typeof known)[number]) => number): number => known.reduce((total, one) => total + amountOf(one), 0);
  const sentShares = parts.reduce((total, { order, lots }) => total + lots * order.lotShares, 0);
  const filledShares = sum(({ before, after }) => (after.closedLots - before.closedLots) * after.lotShares);
  // An order counts the value of its latest close only; one that has not filled anything still has that of the close before.
  const valueCents = sum(({ before, after }) => (after.closedLots > before.closedLots ? after.closingCents : 0));
  const restingShares = sum(({ after }) => (after.status === "readyToClose" ? after.closingLots * after.lotShares : 0));
  return {
    filledShares,
    averagePrice: filledShares > 0 ? priceOf(valueCents, filledShares, parts[0]?.order.unitsPerWhole) : null,
    feeCents: cents(sum(({ before, after }) => after.closeFeeCents - before.closeFeeCents)),
    taxCents: cents(sum(({ before, after }) => after.closeTaxCents - before.closeTaxCents)),
    profitCents: cents(sum(({ before, after }) => after.profitCents - before.profitCents)),
    restingShares,
    state: filledShares >= sentShares ? "filled" : filledShares > 0 ? "partlyFilled" : restingShares > 0 ? "queued" : "unfilled",
  };
}
