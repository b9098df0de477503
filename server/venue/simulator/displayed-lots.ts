/** How many lots the market displays at a price: they drift slowly and belong to the price, so that an order at it has a place in a queue. */
import { normal } from "#server/venue/seeded-random.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { FREE_SHARE, IMPACT } from "./impact.ts";

/** The intervals, in minutes, between the values that the displayed lots drift through. */
const NODES = [1, 8, 64] as const;
/** How widely displayed lots scatter, as a logarithm, and the share of the mean that a best price and a deeper one show. */
const SCATTER = 0.45;
const AT_BEST = 0.9;
const DEEPER = 1.2;
/** A locked limit holds everybody who could not buy or sell. */
const LOCKED = 12;

/** A slow, smooth random number around 0 with a deviation of about 1, of one price at a moment in minutes. */
function drift(key: Key, price: number, minutes: number): number {
  let sum = 0;
  NODES.forEach((length, nth) => {
    const place = minutes / length;
    const node = Math.floor(place);
    const part = place - node;
    const weight = part * part * (3 - 2 * part);
    const before = normal(key.draw(PURPOSE.bookLots, price, node, nth));
    const after = normal(key.draw(PURPOSE.bookLots, price, node + 1, nth));
    sum += (before * (1 - weight) + after * weight) / Math.sqrt((1 - weight) ** 2 + weight ** 2);
  });
  return sum / Math.sqrt(NODES.length);
}

/**
 * The most lots that a level may show for each tick of the spread: with more, buying and selling back could pay despite the impact
 * (the spread it crosses would be smaller than what the impact gives back).
 */
export function depthBound(dayLots: number, deviation: number, relativeTick: number): number {
  return deviation > 0 ? (relativeTick * dayLots * Math.sqrt(FREE_SHARE)) / (IMPACT * deviation) : Infinity;
}

/** What the lots of one level depend on. */
export interface LevelAt {
  key: Key;
  /** Lots of an average day. */
  dayLots: number;
  price: number;
  /** The moment, in minutes. */
  minutes: number;
  isBest: boolean;
  isLocked: boolean;
  bound: number;
}

/** The lots displayed at a price, before members took any. */
export function displayedLots({ key, dayLots, price, minutes, isBest, isLocked, bound }: LevelAt): number {
  const mean = 0.12 * dayLots ** 0.75 * (isBest ? AT_BEST : DEEPER);
  const lots = mean * Math.exp(SCATTER * drift(key, price, minutes) - SCATTER ** 2 / 2);
  return Math.max(1, Math.round(isLocked ? lots * LOCKED : Math.min(lots, bound)));
}
