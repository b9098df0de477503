/** What a trade costs: commission each side, transaction tax on the seller; as both sides must compute it from an order's terms. */
import { cents } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";
import type { Direction } from "./order.ts";
import { MILLION, partOf } from "./rule.ts";
import type { Terms } from "./rule.ts";

const wholeUnits = (valueCents: number, perMillion: number): number =>
  Number((BigInt(valueCents) * BigInt(perMillion)) / 100_000_000n) * 100;

/** Commission on an order whose fills are worth `valueCents` together, in whole NT$ rounded down. The minimum counts once an order, not once a fill. */
export function feeOf({ feePerMillion, feeMinimumCents }: Pick<Terms, "feePerMillion" | "feeMinimumCents">, valueCents: Cents): Cents {
  if (valueCents <= 0) return cents(0);
  return cents(Math.max(feeMinimumCents, wholeUnits(valueCents, feePerMillion)));
}

/** What an order's fills are worth so far, and the commission they have paid. */
interface Charged {
  cents: number;
  feeCents: number;
}

/** Commission that further fills worth `valueCents` add to an order's: its minimum and its rounding count once, however many fills it takes. */
export function feeAdded(terms: Pick<Terms, "feePerMillion" | "feeMinimumCents">, charged: Charged, valueCents: number): Cents {
  if (valueCents <= 0) return cents(0);
  return cents(Math.max(0, feeOf(terms, cents(charged.cents + valueCents)) - charged.feeCents));
}

/** Tax on a sale worth `valueCents`, in whole NT$ rounded down. */
export function taxOf({ taxPerMillion }: Pick<Terms, "taxPerMillion">, valueCents: Cents): Cents {
  return cents(valueCents <= 0 ? 0 : wholeUnits(valueCents, taxPerMillion));
}

/** What a member puts up for a fall worth `valueCents`, rounded up to a whole NT$. */
export function collateralOf(terms: Pick<Terms, "collateralPerMillion">, valueCents: Cents): Cents {
  return partOf(valueCents, terms.collateralPerMillion);
}

/** What a member pays of a rise worth `valueCents` themselves, rounded up to a whole NT$; the rest is lent. */
export function ownOf(terms: Pick<Terms, "ownPerMillion">, valueCents: Cents): Cents {
  return partOf(valueCents, terms.ownPerMillion);
}

/** What opening takes from the available money: a rise its own part and the fee; a fall its collateral, the fee and the tax. */
export function needOf(terms: Terms, direction: Direction, valueCents: Cents): Cents {
  const own = direction === "rise" ? ownOf(terms, valueCents) : collateralOf(terms, valueCents) + taxOf(terms, valueCents);
  return cents(own + feeOf(terms, valueCents));
}

const DAYS_A_YEAR = 365;

/** Interest on a loan for whole days: of each day its 365th part of a year's, in cents rounded down. */
export function interestOf({ interestPerMillion }: Pick<Terms, "interestPerMillion">, loanCents: number, days: number): Cents {
  return cents(Number((BigInt(loanCents) * BigInt(interestPerMillion)) / BigInt(MILLION * DAYS_A_YEAR)) * Math.max(0, days));
}
