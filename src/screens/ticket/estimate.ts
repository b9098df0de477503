/** What an order would cost at worst, by the desk's own rule, and how many lots the available money buys. */
import { feeOf, shortCollateralOf, taxOf } from "#contract/fee.ts";
import type { Instrument } from "#contract/instrument.ts";
import { cents, worth } from "#contract/kernel/money.ts";
import type { Cents, Price } from "#contract/kernel/money.ts";
import { MAX_LOTS } from "#contract/order.ts";
import type { Direction } from "#contract/order.ts";
import type { Depth, Quote } from "#contract/quote.ts";
import { toTick } from "#contract/tick.ts";
import type { DayLimits } from "#contract/tick.ts";

export interface Terms {
  instrument: Pick<Instrument, "kind" | "lotShares">;
  direction: Direction;
  /** Null at market. */
  limit: Price | null;
  lots: number;
}

/** The market an estimate is made in. */
export interface Market {
  quote: Pick<Quote, "last" | "ask" | "reference"> | null;
  limits: DayLimits | null;
  depth: Pick<Depth, "bids" | "asks"> | null;
}

export interface Estimate {
  valueCents: Cents;
  feeCents: Cents;
  /** Paid by the seller: on opening a fall. */
  taxCents: Cents;
  /** What a fall is secured with; 0 for a rise. */
  collateralCents: Cents;
  /** What the order takes from the available money, all together. */
  neededCents: Cents;
}

/** Where no daily limit bounds a price, a market order is bound to this much of the last one, per cent. */
const UNLIMITED_BOUND_PERCENT = 110;

/** What the book on screen would give, best level first: `[price, lots]`. */
function planned({ direction, limit, lots }: Terms, { depth }: Market): [price: number, lots: number][] {
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

/** The highest price the order can trade at; null while nothing is known. */
function bound({ instrument, direction, limit }: Terms, { quote, limits }: Market, highestPlanned: number): number | null {
  if (limit !== null && direction === "rise") return limit;
  if (limits) return limits.up;
  const highest = Math.max(quote?.last ?? 0, quote?.ask ?? 0, highestPlanned, limit ?? 0);
  return highest > 0 ? toTick(instrument.kind, Math.ceil((highest * UNLIMITED_BOUND_PERCENT) / 100)) : null;
}

/** The value the desk holds money for: what the book shows for a part of it, the highest price for the rest. */
function worstValue(terms: Terms, market: Market): number | null {
  const plan = planned(terms, market);
  const most = bound(terms, market, Math.max(0, ...plan.map(([price]) => price)));
  if (most === null) return null;
  const counted = terms.limit !== null && terms.direction === "rise" ? [] : plan;
  const rest = terms.lots - counted.reduce((sum, [, lots]) => sum + lots, 0);
  const parts: [number, number][] = [...counted, [most, rest]];
  return parts.reduce((sum, [price, lots]) => sum + worth(price as Price, lots * terms.instrument.lotShares), 0);
}

/** What an order on these terms takes from the available money at most; null while the market is not known. */
export function estimateOf(terms: Terms, market: Market): Estimate | null {
  const worst = worstValue(terms, market);
  if (worst === null) return null;
  const valueCents = cents(worst);
  const feeCents = feeOf(valueCents);
  if (terms.direction === "rise") {
    return { valueCents, feeCents, taxCents: cents(0), collateralCents: cents(0), neededCents: cents(valueCents + feeCents) };
  }
  const taxCents = taxOf(terms.instrument.kind, valueCents);
  const collateralCents = shortCollateralOf(valueCents);
  return { valueCents, feeCents, taxCents, collateralCents, neededCents: cents(collateralCents + feeCents + taxCents) };
}

/** The most lots the available money covers; 0 when not even one. */
export function mostLots(terms: Omit<Terms, "lots">, market: Market, availableCents: number): number {
  const affordable = (lots: number): boolean => {
    const estimate = estimateOf({ ...terms, lots }, market);
    return estimate !== null && estimate.neededCents <= availableCents;
  };
  let low = 0;
  let high = MAX_LOTS;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (affordable(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A part of the most lots, whole; at least one where one is affordable. */
export function shareOfLots(most: number, percent: number): number {
  return most === 0 ? 0 : Math.max(1, Math.floor((most * percent) / 100));
}

/** How far a price may move between reading the review and confirming it, in hundredths of a percent. */
export const MOVED_BASIS_POINTS = 50;

/** Whether a price moved so far since it was read that the member must read it again. */
export function movedFar(readAt: number, now: number): boolean {
  return readAt > 0 && now > 0 && Math.abs(now - readAt) * 10_000 > readAt * MOVED_BASIS_POINTS;
}
