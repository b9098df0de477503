/** Fees of securities lending: what lent shares bring a day, and what a short pays for borrowed ones. Apart from the schemas, so that importing it does not load zod. */
import { cents } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";

const MILLION = 1_000_000n;
const YEAR = MILLION * 365n;
/** Rates are multiples of a tenth of a percent. */
export const RATE_STEP = 1_000;

/** A loan's fee for whole days at the close: value × rate / 365 a day, rounded down to the cent. */
export function lendingFeeOf(ratePerMillion: number, closeValueCents: number, days: number): Cents {
  return cents(Number((BigInt(closeValueCents) * BigInt(ratePerMillion)) / YEAR) * Math.max(0, days));
}

/** What is left of a lending fee for the lender, after the broker's part. */
export function lenderPartOf(brokerPerMillion: number, feeCents: number): Cents {
  return cents(Number((BigInt(feeCents) * (MILLION - BigInt(brokerPerMillion))) / MILLION));
}

/** A short's fee for whole days at the close: value × rate / 365 a day, rounded up to the cent. */
export function borrowFeeOf(borrowPerMillion: number, closeValueCents: number, days: number): Cents {
  return cents(Number((BigInt(closeValueCents) * BigInt(borrowPerMillion) + YEAR - 1n) / YEAR) * Math.max(0, days));
}

/** The broker's part of a borrow fee, rounded down: the fee is the lender's rate and the part on top of it. */
export function brokerPartOf(brokerPerMillion: number, feeCents: number): Cents {
  return cents(Number((BigInt(feeCents) * BigInt(brokerPerMillion)) / (MILLION + BigInt(brokerPerMillion))));
}

/**
 * The highest rate at which shares of an instrument are lent: with the broker's part on top it is at most what a short pays, so that nobody
 * earns by lending what another borrows.
 */
export function mostLendingRate(borrowPerMillion: number, rule: { brokerPerMillion: number; mostPerMillion: number }): number {
  const most = Math.floor((borrowPerMillion * Number(MILLION)) / (Number(MILLION) + rule.brokerPerMillion));
  const bounded = Math.min(most, rule.mostPerMillion);
  return bounded - (bounded % RATE_STEP);
}

/** The rate of a demand that pays so many thousandths of the highest rate; at least one step. */
export function demandRate(mostPerMillion: number, partPerMille: number): number {
  const rate = Math.floor((mostPerMillion * partPerMille) / 1_000);
  return Math.max(RATE_STEP, rate - (rate % RATE_STEP));
}
