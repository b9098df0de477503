/** Terms of TAIEX options in money: what a premium costs, fee, taxes, and the margin of sellers. Apart from the schemas, so that importing it does not load zod. */
import { cents } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";
import type { OptionRight } from "./option-price.ts";

/** NT$ a point. */
export const OPTION_MULTIPLIER = 50;
/** A tenth of a point in cents. */
const TENTH_CENTS = (OPTION_MULTIPLIER * 100) / 10;
/** The broker's fee for a lot: of a trade, and of an exercise. */
const FEE_CENTS = 2_500;
/** The most lots a member may hold of one side of the market: calls bought and puts sold, or calls sold and puts bought. */
export const OPTION_MOST_LOTS = 200;
/** The exchange's margins of a sold lot beyond its premium: the larger of A less what it is out of the money, and B. */
const INITIAL = { a: 9_000_000, b: 4_500_000 };
const MAINTENANCE = { a: 6_900_000, b: 3_450_000 };

/** Everything is closed where this part of the margins and the value of options is left. */
export const OPTION_LIQUIDATION_PERCENT = 25;

/** A premium (tenths of a point) of some lots in cents; signed as the lots are. */
export const premiumWorth = (tenths: number, lots = 1): Cents => cents(tenths * lots * TENTH_CENTS);

/** The tax of a trade: 1 per 1,000 of the premium, rounded to whole NT$. */
export const optionTaxOf = (tenths: number, lots: number): Cents =>
  cents(Math.round((tenths * Math.abs(lots) * TENTH_CENTS) / 100_000) * 100);

/** The tax of an exercise: 2 per 100,000 of what the index is worth at the final settlement price, rounded to whole NT$. */
export const exerciseTaxOf = (final: number, lots: number): Cents =>
  cents(Math.round((final * Math.abs(lots) * OPTION_MULTIPLIER * 2) / 100_000) * 100);

export const optionFeeOf = (lots: number): Cents => cents(FEE_CENTS * Math.abs(lots));

/** The margins of sold lots: their premium at the moment, and what the exchange asks beyond it. */
export interface SellerMargin {
  initialCents: Cents;
  maintenanceCents: Cents;
}

/** The margin of sold lots (unsigned); premium in tenths, strike and index in points. */
export function sellerMargin(right: OptionRight, strike: number, mark: number, index: number, lots: number): SellerMargin {
  const outOf = Math.max(0, right === "call" ? strike - index : index - strike) * OPTION_MULTIPLIER * 100;
  const of = ({ a, b }: { a: number; b: number }): Cents => cents(Math.round((mark * TENTH_CENTS + Math.max(a - outOf, b)) * lots));
  return { initialCents: of(INITIAL), maintenanceCents: of(MAINTENANCE) };
}

/** Which side of the market lots are on: 1 gains when the index rises. */
export const directionOf = (right: OptionRight, lots: number): number => Math.sign(lots) * (right === "call" ? 1 : -1);
