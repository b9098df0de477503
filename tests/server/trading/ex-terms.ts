/** Builds ex-events for tests, with the resulting reference price. */
import type { CorporateAction } from "#contract/corporate-action.ts";
import { price } from "#contract/kernel/money.ts";
import { taipeiMidnight } from "#contract/kernel/time.ts";
import { exReference } from "#server/venue/simulator/corporate-actions.ts";

export const MILLION = 1_000_000;
export const units = (amount: number): number => Math.round(amount * 10_000);
const NONE = { cash: 0, freeMillionths: 0, rightsMillionths: 0, rightsPrice: 0 };

export type ExTerms = Partial<typeof NONE>;

/** An ex-event on a day, at a closing price, with the resulting reference price. */
export function action(kind: CorporateAction["kind"], terms: ExTerms, day: number, close = 100): CorporateAction {
  const full = { ...NONE, ...terms };
  return {
    at: taipeiMidnight(day),
    kind,
    cash: price(full.cash),
    freeMillionths: full.freeMillionths,
    rightsMillionths: full.rightsMillionths,
    rightsPrice: price(full.rightsPrice),
    closeBefore: price(units(close)),
    reference: price(exReference(units(close), full)),
  };
}

export const EVENTS: readonly [string, CorporateAction["kind"], ExTerms][] = [
  ["a dividend", "dividend", { cash: units(3.25) }],
  ["a stock dividend", "stockDividend", { freeMillionths: 100_000 }],
  ["cash and shares", "stockDividend", { cash: units(2), freeMillionths: 70_000 }],
  ["a split in four", "split", { freeMillionths: 3 * MILLION }],
  ["rights", "rights", { rightsMillionths: 0.2 * MILLION, rightsPrice: units(80) }],
];
