/** Proof of what a rule allows an instrument: multiples that a day cannot use up. */
import { expect, test } from "vitest";
import { mostLeverage, multiplesOf } from "#contract/rule.ts";

test("a multiple is never used up between the two limits of a day, and the next one would be", () => {
  for (let limitPercent = 1; limitPercent < 99; limitPercent += 1) {
    const most = mostLeverage({ limitPercent });
    /** A fall begun at the lower limit, at the upper one, of what was put in: in per cent. */
    const lost = (multiple: number): number => (multiple * 2 * limitPercent * 100) / (100 - limitPercent);
    if (most > 1) expect(lost(most)).toBeLessThan(100);
    expect(lost(most + 1)).toBeGreaterThanOrEqual(100);
  }
});

test("with limits of 10, 20 and 30 per cent it is 4, 1 and 1; without limits it is 1", () => {
  expect([10, 20, 30, null].map((limitPercent) => mostLeverage({ limitPercent }))).toEqual([4, 1, 1, 1]);
  expect(multiplesOf({ multiples: [1, 2, 3, 5] }, { limitPercent: 10 })).toEqual([1, 2, 3]);
  expect(multiplesOf({ multiples: [1, 2, 3] }, { limitPercent: null })).toEqual([1]);
});
