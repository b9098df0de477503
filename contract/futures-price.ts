/** Arithmetic of index futures: products, quotes from the index, marking to market, margin. Apart from the schemas, so that importing it does not load zod. */
import { cents } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";

/** The contracts on the weighted index: large, small and micro. */
export const FUTURES_PRODUCTS = ["TX", "MTX", "TMF"] as const;
export type FuturesProduct = (typeof FUTURES_PRODUCTS)[number];

/** NT$ a point, which is what a contract is; everything else of a product is a rule (`futures-rule.ts`). */
export const FUTURES_MULTIPLIERS: Readonly<Record<FuturesProduct, number>> = { TX: 200, MTX: 50, TMF: 10 };

/** What the margin account needs to know of a product's rule. */
export interface MarginTerms {
  initialCents: number;
  maintenanceCents: number;
  liquidationPercent: number;
}

/** Index prices are ten-thousandths of a point; contracts trade in whole points. */
const POINT = 10_000;
/** Days to expiry for which the basis grows by a point, and the spread by one on each side. */
const BASIS_DAYS = 45;
const LIMIT_PERCENT = 10;

/** Half the spread of a source of prices: of futures as a part of the level, and of options besides, in volatility. */
export interface HalfSpread {
  part: number;
  volatility: number;
}

/** Around an index of last trades: several times what they tell of its next moves, which is a hundredth of a per cent. */
export const WIDE_SPREAD: HalfSpread = { part: 0.0006, volatility: 0.01 };
/** Around a level of which nothing that is public tells where it goes next. */
export const NARROW_SPREAD: HalfSpread = { part: 0.00005, volatility: 0.001 };

/** What the contracts of an expiry are priced by: a level of the index in ten-thousandths, and half of the spreads around it. */
export interface PricedLevel {
  units: number;
  /** Of the level, in ten-thousandths. */
  half: number;
  /** Of volatility. */
  halfVolatility: number;
}

/** A level with its spread, a point on each side at least; `between` is how far the contract may be worth more or less than the level. */
export const pricedLevel = (units: number, { part, volatility }: HalfSpread, between = 0): PricedLevel => ({
  units,
  half: Math.ceil(Math.max(POINT, units * part) + between),
  halfVolatility: volatility,
});

/** The price of a contract so many days before it expires: the index and a basis that is gone at expiry, in ten-thousandths. */
export const fairOf = (indexUnits: number, daysLeft: number): number =>
  indexUnits + Math.floor((Math.max(0, daysLeft) * POINT) / BASIS_DAYS);

/** The price by which positions are valued and settled each day, in points. */
export const markOf = (indexUnits: number, daysLeft: number): number => Math.round(fairOf(indexUnits, daysLeft) / POINT);

/** The highest and lowest price of a day in points, around the settlement price of the day before. */
export function futuresLimits(reference: number): { upper: number; lower: number } {
  return { upper: Math.floor((reference * (100 + LIMIT_PERCENT)) / 100), lower: Math.ceil((reference * (100 - LIMIT_PERCENT)) / 100) };
}

/**
 * What the market buys and sells a contract for, in points. Half the spread is always more than the basis: a seller gets less than the
 * level and a buyer pays more, so that nobody earns by the basis alone. Null outside the day's limits.
 */
export function futuresQuote(level: PricedLevel, daysLeft: number, reference: number): { bid: number; ask: number } | null {
  if (level.units <= 0) return null;
  const half = level.half + Math.floor(Math.max(0, daysLeft) / BASIS_DAYS) * POINT;
  const fair = fairOf(level.units, daysLeft);
  const bid = Math.floor((fair - half) / POINT);
  const ask = Math.ceil((fair + half) / POINT);
  const { upper, lower } = futuresLimits(reference);
  return bid < lower || ask > upper ? null : { bid, ask };
}

/** Points of a contract in cents. */
export const pointsWorth = (product: FuturesProduct, points: number): Cents => cents(points * FUTURES_MULTIPLIERS[product] * 100);

/** The futures tax of one side: a part of the contract's value, rounded to whole NT$. */
export function futuresTaxOf(product: FuturesProduct, price: number, lots: number, { taxPerMillion }: { taxPerMillion: number }): Cents {
  return cents(Math.round((price * Math.abs(lots) * FUTURES_MULTIPLIERS[product] * taxPerMillion) / 1_000_000) * 100);
}

export const futuresFeeOf = (lots: number, { feeCents }: { feeCents: number }): Cents => cents(feeCents * Math.abs(lots));

/** An open position: lots (negative for short), what they cost in points, and what of their value is settled. */
export interface HeldLots {
  lots: number;
  costPoints: number;
  markedPoints: number;
}

/** A part of a sum that belongs to some of the lots, rounded towards zero; the rest stays with the other lots, so that nothing is lost. */
const partOf = (sum: number, some: number, lots: number): number => Math.trunc((sum * some) / lots);

/** Adds lots of the same direction at a price. */
export function openLots(held: HeldLots, lots: number, price: number): HeldLots {
  return { lots: held.lots + lots, costPoints: held.costPoints + lots * price, markedPoints: held.markedPoints + lots * price };
}

/** Closes some lots (unsigned) at a price. `gained` is what their value has changed by since it was last settled. */
export function closeLots(held: HeldLots, some: number, price: number): { left: HeldLots; gained: number } {
  const all = Math.abs(held.lots);
  const closed = Math.sign(held.lots) * some;
  const marked = partOf(held.markedPoints, some, all);
  const cost = partOf(held.costPoints, some, all);
  const left = { lots: held.lots - closed, costPoints: held.costPoints - cost, markedPoints: held.markedPoints - marked };
  return { left, gained: closed * price - marked };
}

/** Settles an open position at a price. */
export function markLots(held: HeldLots, price: number): { left: HeldLots; gained: number } {
  const value = held.lots * price;
  return { left: { ...held, markedPoints: value }, gained: value - held.markedPoints };
}

/** What the index lost to dividends is not the holder's gain or loss: the position is worth the same as before. */
export function lowerLots(held: HeldLots, points: number): HeldLots {
  const by = held.lots * points;
  return { lots: held.lots, costPoints: held.costPoints - by, markedPoints: held.markedPoints - by };
}

export interface FuturesMargin {
  /** Money in the wallet and what positions have gained or lost since they were last settled. */
  equityCents: Cents;
  initialCents: Cents;
  maintenanceCents: Cents;
  /** Below this everything is closed. */
  liquidationCents: Cents;
  /** What may leave the wallet: nothing that positions have gained and not been paid, and only beyond the initial margin. */
  freeCents: Cents;
}

/** The margin account; `price` is null where a contract has no price, and then it counts as last settled. */
export function futuresMargin(
  walletCents: number,
  positions: readonly { product: FuturesProduct; held: HeldLots; price: number | null; terms: MarginTerms }[],
): FuturesMargin {
  let [gained, initial, maintenance, hundredfold] = [0, 0, 0, 0];
  for (const { product, held, price, terms } of positions) {
    if (price !== null) gained += pointsWorth(product, markLots(held, price).gained);
    const lots = Math.abs(held.lots);
    initial += terms.initialCents * lots;
    maintenance += terms.maintenanceCents * lots;
    hundredfold += terms.initialCents * lots * terms.liquidationPercent;
  }
  const equity = walletCents + gained;
  return {
    equityCents: cents(equity),
    initialCents: cents(initial),
    maintenanceCents: cents(maintenance),
    liquidationCents: cents(Math.ceil(hundredfold / 100)),
    freeCents: cents(Math.max(0, Math.min(walletCents, equity) - initial)),
  };
}
