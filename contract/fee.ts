/** Trading costs: commission per side and transaction tax on the seller, computed identically by server and client from an order's terms. */
import { cents } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";
import type { Direction } from "./order.ts";
import { MILLION, partOf } from "./rule.ts";
import type { Terms } from "./rule.ts";

const wholeUnits = (valueCents: number, perMillion: number): number =>
  Number((BigInt(valueCents) * BigInt(perMillion)) / 100_000_000n) * 100;

/** Commission on an order whose fills total `valueCents`, rounded down to whole NT$. The minimum applies once per order, not per fill. */
export function feeOf({ feePerMillion, feeMinimumCents }: Pick<Terms, "feePerMillion" | "feeMinimumCents">, valueCents: Cents): Cents {
  if (valueCents <= 0) return cents(0);
  return cents(Math.max(feeMinimumCents, wholeUnits(valueCents, feePerMillion)));
}

/** The value of an order's fills so far and the commission charged for them. */
interface Charged {
  cents: number;
  feeCents: number;
}

/** Additional commission for further fills worth `valueCents`; the minimum and the rounding apply once per order, not per fill. */
export function feeAdded(terms: Pick<Terms, "feePerMillion" | "feeMinimumCents">, charged: Charged, valueCents: number): Cents {
  if (valueCents <= 0) return cents(0);
  return cents(Math.max(0, feeOf(terms, cents(charged.cents + valueCents)) - charged.feeCents));
}

/** Tax on a sale worth `valueCents`, rounded down to whole NT$. */
export function taxOf({ taxPerMillion }: Pick<Terms, "taxPerMillion">, valueCents: Cents): Cents {
  return cents(valueCents <= 0 ? 0 : wholeUnits(valueCents, taxPerMillion));
}

/** Collateral for a short worth `valueCents`, rounded up to whole NT$. */
export function collateralOf(terms: Pick<Terms, "collateralPerMillion">, valueCents: Cents): Cents {
  return partOf(valueCents, terms.collateralPerMillion);
}

/** The member's own payment for a long worth `valueCents`, rounded up to whole NT$; the rest is borrowed. */
export function ownOf(terms: Pick<Terms, "ownPerMillion">, valueCents: Cents): Cents {
  return partOf(valueCents, terms.ownPerMillion);
}

/** Available cash needed to open: for a long, the member's own payment and the fee; for a short, collateral, fee and tax. */
export function needOf(terms: Terms, direction: Direction, valueCents: Cents): Cents {
  const own = direction === "rise" ? ownOf(terms, valueCents) : collateralOf(terms, valueCents) + taxOf(terms, valueCents);
  return cents(own + feeOf(terms, valueCents));
}

const DAYS_A_YEAR = 365;

/** Interest on a loan for whole days: each day accrues 1/365 of the yearly rate, rounded down to cents. */
export function interestOf({ interestPerMillion }: Pick<Terms, "interestPerMillion">, loanCents: number, days: number): Cents {
  return cents(Number((BigInt(loanCents) * BigInt(interestPerMillion)) / BigInt(MILLION * DAYS_A_YEAR)) * Math.max(0, days));
}
