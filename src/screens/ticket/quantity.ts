/** The quantity of an order: the least the broker accepts, the default, and the quick keys. */
import type { Draft } from "./draft.ts";

/** The least lots worth the broker's minimum amount; one while no price is known. */
export function leastLots(minimumCents: number, price: number | null, lotShares: number): number {
  if (!price) return 1;
  return Math.max(1, Math.ceil((minimumCents * 100) / (price * lotShares)));
}

/** What the default quantity depends on. */
export interface QuantitySource {
  /** Units that can be closed; null for an order that opens. */
  closable: number | null;
  least: number;
}

/** Fills in the quantity until the member enters one: all that can be closed, or the least that is accepted. */
export function withDefaultLots(draft: Draft, { closable, least }: QuantitySource): Draft {
  if (draft.lotsTyped) return draft;
  const lotsText = String(Math.max(1, closable ?? least));
  return lotsText === draft.lotsText ? draft : { ...draft, lotsText };
}

/** The quantities of the quick keys: lots, or single shares. */
export const QUICK_LOTS = { lots: [1, 5, 10], shares: [10, 50, 100] } as const;
