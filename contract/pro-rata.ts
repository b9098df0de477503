/** Pro rata allotment by the largest remainder: whole units that sum exactly to what there is to give. */
import { runSlices } from "./draw.ts";
import type { Slices } from "./draw.ts";

/** Parts reckoned in one slice. */
const SLICE = 4_096;

/** The whole units of a part, and what is left of it. Products may be larger than exact numbers allow; a remainder is not. */
function partOf(one: number, total: number, sum: number): { whole: number; rest: number } {
  const product = BigInt(one) * BigInt(total);
  return { whole: Number(product / BigInt(sum)), rest: Number(product % BigInt(sum)) };
}

/**
 * Gives `total` units to who asked for more together, in proportion to what each asked for; with less asked for, everybody gets all. The
 * units left after rounding down go to the largest remainders, and among equal ones to the earlier. Nobody gets more than asked for.
 * @returns the units of each, in the order given; they sum to `total`, or to what was asked for if that is less
 */
export function* proRataSlices(total: number, asked: readonly number[]): Slices<number[]> {
  const sum = asked.reduce((all, one) => all + one, 0);
  if (sum <= total) return [...asked];
  const given: number[] = [];
  const rests = new Float64Array(asked.length);
  let left = total;
  for (const [nth, one] of asked.entries()) {
    if (nth > 0 && nth % SLICE === 0) yield;
    const { whole, rest } = partOf(one, total, sum);
    given.push(whole);
    rests[nth] = rest;
    left -= whole;
  }
  if (left === 0) return given;
  // The least remainder that still gets a unit; of those equal to it, only the earlier do.
  const least = rests.toSorted()[rests.length - left] ?? 0;
  let equal = left - rests.reduce((count, rest) => count + (rest > least ? 1 : 0), 0);
  for (const [nth, rest] of rests.entries()) {
    const isNext = rest > least || (rest === least && equal > 0);
    if (rest === least) equal -= 1;
    if (isNext) given[nth] = (given[nth] ?? 0) + 1;
  }
  return given;
}

/** The same at once, for few. */
export const proRata = (total: number, asked: readonly number[]): number[] => runSlices(proRataSlices(total, asked));
