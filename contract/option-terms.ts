/** Terms of TAIEX options in money: what a premium costs, fee, taxes, and the margin of sellers. Apart from the schemas, so that importing it does not load zod. */
import { cents } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";
import type { OptionRight } from "./option-price.ts";
import type { OptionRule } from "./option-rule.ts";

/** NT$ a point. */
export const OPTION_MULTIPLIER = 50;
/** A tenth of a point in cents. */
const TENTH_CENTS = (OPTION_MULTIPLIER * 100) / 10;

/** A premium (tenths of a point) of some lots in cents; signed as the lots are. */
export const premiumWorth = (tenths: number, lots = 1): Cents => cents(tenths * lots * TENTH_CENTS);

/** The tax of a trade, of its premium, rounded to whole NT$. */
export const optionTaxOf = (tenths: number, lots: number, { taxPerMillion }: Pick<OptionRule, "taxPerMillion">): Cents =>
  cents(Math.round((tenths * Math.abs(lots) * TENTH_CENTS * taxPerMillion) / 100_000_000) * 100);

/** The tax of an exercise, of what the index is worth at the final settlement price, rounded to whole NT$. */
export const exerciseTaxOf = (final: number, lots: number, { exerciseTaxPerMillion }: Pick<OptionRule, "exerciseTaxPerMillion">): Cents =>
  cents(Math.round((final * Math.abs(lots) * OPTION_MULTIPLIER * exerciseTaxPerMillion) / 1_000_000) * 100);

export const optionFeeOf = (lots: number, { feeCents }: Pick<OptionRule, "feeCents">): Cents => cents(feeCents * Math.abs(lots));

/** What a lot that is exercised at a final settlement price is charged at most: of many, taxed together, each bears up to the next whole NT$. */
export const exerciseCostOf = (final: number, rule: Pick<OptionRule, "feeCents" | "exerciseTaxPerMillion">): Cents =>
  cents(optionFeeOf(1, rule) + Math.ceil((final * OPTION_MULTIPLIER * rule.exerciseTaxPerMillion) / 1_000_000) * 100);

/** The margins of sold lots: their premium at the moment, and what the exchange asks beyond it. */
export interface SellerMargin {
  initialCents: Cents;
  maintenanceCents: Cents;
}

/** The margin of sold lots (unsigned); premium in tenths, strike and index in points. */
export function sellerMargin(
  right: OptionRight,
  strike: number,
  mark: number,
  index: number,
  lots: number,
  rule: OptionRule,
): SellerMargin {
  const outOf = Math.max(0, right === "call" ? strike - index : index - strike) * OPTION_MULTIPLIER * 100;
  const of = (a: number, b: number): Cents => cents(Math.round((mark * TENTH_CENTS + Math.max(a - outOf, b)) * lots));
  return {
    initialCents: of(rule.initialACents, rule.initialBCents),
    maintenanceCents: of(rule.maintenanceACents, rule.maintenanceBCents),
  };
}

/** Which side of the market lots are on: 1 gains when the index rises. */
export const directionOf = (right: OptionRight, lots: number): number => Math.sign(lots) * (right === "call" ? 1 : -1);
