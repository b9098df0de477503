/** Estimates the worst-case cost of an order by the broker's own rules, and how many lots the available money buys. */
import { collateralOf, feeOf, needOf, ownOf, taxOf } from "#contract/fee.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import type { Cents, Price } from "#contract/kernel/money.ts";
import type { Direction } from "#contract/order.ts";
import { liquidationPrice, profitAt } from "#contract/profit.ts";
import type { Depth, Quote } from "#contract/quote.ts";
import { coverOf, isOnMargin, priceAtRatio } from "#contract/margin.ts";
import type { Funding, MarginRule, Terms } from "#contract/rule.ts";
import { priceBound } from "#contract/price-bound.ts";
import type { DayLimits } from "#contract/tick.ts";

/** An order to estimate, and the terms it would be agreed on. */
export interface Wanted {
  terms: Terms;
  /** The maximum lots of one order. */
  maxLots: number;
  instrument: Pick<Instrument, "kind" | "lotShares">;
  direction: Direction;
  /** Null for a market order. */
  limit: Price | null;
  lots: number;
}

/** The market data an estimate is based on. */
export interface MarketData {
  quote: Pick<Quote, "last" | "ask" | "reference"> | null;
  limits: DayLimits | null;
  depth: Pick<Depth, "bids" | "asks"> | null;
}

export interface Estimate {
  valueCents: Cents;
  feeCents: Cents;
  /** Paid by the seller: on opening a short. */
  taxCents: Cents;
  /** The collateral of a short; 0 for a long. */
  collateralCents: Cents;
  /** Borrowed for a long; 0 for a short. */
  loanCents: Cents;
  /** The total the order takes from the available money. */
  neededCents: Cents;
}

/** The expected fills from the displayed order book, best level first: `[price, lots]`. */
function expectedFills({ direction, limit, lots }: Wanted, { depth }: MarketData): [price: number, lots: number][] {
  const levels = direction === "rise" ? depth?.asks : depth?.bids;
  const reaches = (price: number): boolean => limit === null || (direction === "rise" ? price <= limit : price >= limit);
  const taken: [number, number][] = [];
  let left = lots;
  for (const [price, offered] of levels ?? []) {
    if (left === 0 || !reaches(price)) break;
    const part = Math.min(left, offered);
    taken.push([price, part]);
    left -= part;
  }
  return taken;
}

/** The value the broker reserves money for: the displayed book for a part of it, the highest price for the rest. */
function worstCaseValue(wanted: Wanted, market: MarketData): number | null {
  const plan = expectedFills(wanted, market);
  const prices = [market.quote?.last ?? 0, market.quote?.ask ?? 0, ...plan.map(([price]) => price)];
  const most = priceBound(wanted.instrument.kind, wanted, market.limits, prices);
  if (most === null) return null;
  const counted = wanted.limit !== null && wanted.direction === "rise" ? [] : plan;
  const rest = wanted.lots - counted.reduce((sum, [, lots]) => sum + lots, 0);
  const parts: [number, number][] = [...counted, [most, rest]];
  const { lotShares } = wanted.instrument;
  const per = unitsPerWhole(wanted.instrument);
  // A purchase is rounded up, as the broker does it.
  return parts.reduce((sum, [price, lots]) => sum + worth(price as Price, lots * lotShares, per, "up"), 0);
}

/** The most an order on these terms takes from the available money; null while the market is not known. */
export function estimateOf(wanted: Wanted, market: MarketData): Estimate | null {
  const worst = worstCaseValue(wanted, market);
  if (worst === null) return null;
  const valueCents = cents(worst);
  const { terms, direction } = wanted;
  const isLong = direction === "rise";
  return {
    valueCents,
    feeCents: feeOf(terms, valueCents),
    taxCents: cents(isLong ? 0 : taxOf(terms, valueCents)),
    collateralCents: cents(isLong ? 0 : collateralOf(terms, valueCents)),
    loanCents: cents(isLong ? valueCents - ownOf(terms, valueCents) : 0),
    neededCents: needOf(terms, direction, valueCents),
  };
}

/** The price at which the broker would liquidate the position, if all of it were opened for `openCents`; null if never. */
export function liquidationAt({ terms, direction, lots, instrument: { lotShares } }: Wanted, openCents: Cents): Price | null {
  const isLong = direction === "rise";
  return liquidationPrice({
    direction,
    terms,
    filledLots: lots,
    closedLots: 0,
    lotShares,
    loanCents: cents(isLong ? openCents - ownOf(terms, openCents) : 0),
    interestCents: cents(0),
    collateralCents: cents(isLong ? 0 : openCents + collateralOf(terms, openCents)),
  });
}

/** The initial maintenance of a position on margin, and the prices at which it alone would get a margin call and be liquidated. */
export interface Maintenance {
  ratioBasisPoints: number | null;
  callAt: Price | null;
  liquidationAt: Price | null;
}

/** The maintenance of a position opened for `openCents` under the margin rule; null if it is not on margin. */
export function maintenanceAt(
  { terms, direction, lots, instrument: { lotShares } }: Wanted,
  funding: Funding,
  openCents: Cents,
  rule: Pick<MarginRule, "callPercent" | "liquidationPercent">,
): Maintenance | null {
  if (!isOnMargin({ funding, direction })) return null;
  const isLong = direction === "rise";
  const opened = {
    direction,
    filledLots: lots,
    closedLots: 0,
    lotShares,
    loanCents: cents(isLong ? openCents - ownOf(terms, openCents) : 0),
    interestCents: cents(0),
    collateralCents: cents(isLong ? 0 : openCents + collateralOf(terms, openCents)),
  };
  const at = price(Math.round((openCents * 100) / (lots * lotShares)));
  return {
    ratioBasisPoints: coverOf([{ ...opened, at }], 0).ratioBasisPoints,
    callAt: priceAtRatio(opened, rule.callPercent),
    liquidationAt: priceAtRatio(opened, rule.liquidationPercent),
  };
}

/** The loss of closing at today's adverse price limit a position opened for `openCents`; null where there is no daily limit. */
export function worstLoss(
  { terms, direction, lots, instrument: { lotShares } }: Wanted,
  openCents: Cents,
  limits: DayLimits | null,
): { at: Price; lossCents: Cents } | null {
  if (limits === null) return null;
  const at = direction === "rise" ? limits.down : limits.up;
  const { profitCents } = profitAt(
    {
      direction,
      terms,
      lots,
      lotShares,
      filledLots: lots,
      openCents,
      openFeeCents: feeOf(terms, openCents),
      openTaxCents: cents(direction === "rise" ? 0 : taxOf(terms, openCents)),
      interestCents: cents(0),
      dividendCents: cents(0),
    },
    at,
  );
  return { at, lossCents: cents(Math.max(0, -Number(profitCents))) };
}

/** The maximum lots the available money covers; 0 if not even one. */
export function mostLots(wanted: Omit<Wanted, "lots">, market: MarketData, availableCents: number): number {
  const affordable = (lots: number): boolean => {
    const estimate = estimateOf({ ...wanted, lots }, market);
    return estimate !== null && estimate.neededCents <= availableCents;
  };
  let low = 0;
  let high = wanted.maxLots;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (affordable(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A percentage of the maximum lots, rounded down; at least one if one is affordable. */
export function shareOfLots(most: number, percent: number): number {
  return most === 0 ? 0 : Math.min(most, Math.max(1, Math.floor((most * percent) / 100)));
}

/** How far a price may move between showing the review and confirming it, in hundredths of a percent. */
export const MOVED_BASIS_POINTS = 50;

/** Whether a price moved so far since the review that the member must review again. */
export function movedFar(readAt: number, now: number): boolean {
  return readAt > 0 && now > 0 && Math.abs(now - readAt) * 10_000 > readAt * MOVED_BASIS_POINTS;
}
