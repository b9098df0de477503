/** What a trade costs: commission each side, transaction tax on the seller; as both sides must compute it. */
import type { Kind } from "./instrument.ts";
import { cents } from "./kernel/money.ts";
import type { Cents } from "./kernel/money.ts";

/** Commission: 0.1425 % of the value, at least NT$20 an order, in whole NT$ rounded down. */
export const FEE_RULE = { ratePerMillion: 1425, minimumCents: 2000 } as const;

/** Securities transaction tax per million of the value, seller only (domain.md 2.8). */
export const TAX_PER_MILLION: Record<Kind, number> = {
  stock: 3000,
  preferred: 3000,
  etf: 1000,
  etn: 1000,
  tdr: 1000,
  reit: 0,
  index: 0,
  crypto: 0,
  forex: 0,
};

const wholeUnits = (valueCents: number, perMillion: number): number =>
  Number((BigInt(valueCents) * BigInt(perMillion)) / 100_000_000n) * 100;

/** Commission on an order whose fills are worth `valueCents` together. The minimum counts once an order, not once a fill. */
export function feeOf(valueCents: Cents): Cents {
  if (valueCents <= 0) return cents(0);
  return cents(Math.max(FEE_RULE.minimumCents, wholeUnits(valueCents, FEE_RULE.ratePerMillion)));
}

/** Tax on a sale worth `valueCents`. */
export function taxOf(kind: Kind, valueCents: Cents): Cents {
  return cents(valueCents <= 0 ? 0 : wholeUnits(valueCents, TAX_PER_MILLION[kind]));
}

/** The part of a short sale's value a member puts up as collateral, per cent; the proceeds stay as collateral too. */
export const SHORT_COLLATERAL_PERCENT = 90;

/** Collateral a short sale worth `valueCents` needs from the member's balance, rounded up to a whole NT$. */
export function shortCollateralOf(valueCents: Cents): Cents {
  return cents(Math.ceil((valueCents * SHORT_COLLATERAL_PERCENT) / 10_000) * 100);
}
