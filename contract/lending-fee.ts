/** Fees of securities lending: what lent shares bring a day, and what a short pays for borrowed ones. Apart from the schemas, so that importing it does not load zod. */
import { cents } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";

const MILLION = 1_000_000n;
const DAYS_A_YEAR = 365n;

/** A short's fee for whole days at the close: value × rate / 365 a day, rounded up to the cent. */
export function borrowFeeOf(borrowPerMillion: number, closeValueCents: number, days: number): Cents {
  const year = MILLION * DAYS_A_YEAR;
  return cents(Number((BigInt(closeValueCents) * BigInt(borrowPerMillion) + year - 1n) / year) * Math.max(0, days));
}

/** The broker's part of a borrow fee, rounded down: the fee is the lender's rate and the part on top of it. */
export function brokerPartOf(brokerPerMillion: number, feeCents: number): Cents {
  return cents(Number((BigInt(feeCents) * BigInt(brokerPerMillion)) / (MILLION + BigInt(brokerPerMillion))));
}
