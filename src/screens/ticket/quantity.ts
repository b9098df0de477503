/** The quantity of an order: the least the broker accepts, the default, the steps, and the quick keys. */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Kind } from "#contract/instrument.ts";
import { PRICE_ONE, typedUnits } from "#contract/kernel/money.ts";

/** How a quantity is typed and stepped: in `per` units that are one whole, by `step` units. */
export interface Quantum {
  per: number;
  step: number;
}

export const WHOLE: Quantum = { per: 1, step: 1 };

/** A step of digital currency is worth about so much at most, in price units. */
const STEP_VALUE = 1_000 * PRICE_ONE;

/** Whole lots and shares; of digital currency the largest power of ten of its units that is worth NT$1,000 at most. */
export function quantumOf(kind: Kind, price: number | null): Quantum {
  const per = unitsPerWhole({ kind });
  if (per === 1) return WHOLE;
  if (!price) return { per, step: per };
  return { per, step: 10 ** Math.max(0, Math.floor(Math.log10((STEP_VALUE * per) / price))) };
}

/** The least lots worth the broker's minimum amount, in whole steps; one while no price is known. */
export function leastLots(minimumCents: number, price: number | null, lotShares: number, { per, step }: Quantum = WHOLE): number {
  if (!price) return step;
  return Math.max(1, Math.ceil((minimumCents * 100 * per) / (price * lotShares * step))) * step;
}

/** What the default quantity depends on. */
export interface QuantitySource {
  /** Units that can be closed; null for an order that opens. */
  closable: number | null;
  least: number;
  per?: number;
}

/** Fills in the quantity until the member enters one: all that can be closed, or the least that is accepted. */
export function withDefaultLots<Typed extends { lotsText: string; lotsTyped: boolean }>(
  draft: Typed,
  { closable, least, per = 1 }: QuantitySource,
): Typed {
  if (draft.lotsTyped) return draft;
  const lotsText = typedUnits(Math.max(1, closable ?? least), per);
  return lotsText === draft.lotsText ? draft : { ...draft, lotsText };
}

/** The quantities of the quick keys: lots, or single shares; of digital currency only parts of what is possible. */
export const QUICK_LOTS = { lots: [1, 5, 10], shares: [10, 50, 100], coins: [] } as const;
