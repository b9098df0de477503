/** The prices that a displayed book is quoted at. */
import type { Kind } from "#contract/instrument.ts";
import { step, tickSize } from "#contract/tick.ts";

/** Where ticks are tiny against the price, the book is quoted in rounder steps: about a twenty-thousandth of the price. */
const GRAIN = 20_000;

const grainAt = (kind: Kind, at: number): number => Math.max(tickSize(kind, at), 10 ** Math.floor(Math.log10(at / GRAIN)));

/** The next level up or down the ladder. */
export function nextLevel(kind: Kind, at: number, by: 1 | -1): number {
  if (kind !== "crypto") return step(kind, at, by);
  const grain = grainAt(kind, at);
  return by > 0 ? (Math.floor(at / grain) + 1) * grain : Math.max(grain, (Math.ceil(at / grain) - 1) * grain);
}

/** Whether the market quotes at a price: between two levels only members do. */
export const isLevel = (kind: Kind, at: number): boolean => kind !== "crypto" || at % grainAt(kind, at) === 0;
