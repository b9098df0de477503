/** Tests the leverage multiples an instrument allows: a day's price range cannot wipe them out. */
import { expect, test } from "vitest";
import { mostLeverage, multiplesOf } from "#contract/rule.ts";

test("the highest multiple survives a move between the day's two limits, and the next one does not", () => {
  for (let limitPercent = 1; limitPercent < 99; limitPercent += 1) {
    const most = mostLeverage({ limitPercent });
    /** Loss at the upper limit of a short opened at the lower limit, in percent of the invested amount. */
    const lossPercent = (multiple: number): number => (multiple * 2 * limitPercent * 100) / (100 - limitPercent);
    if (most > 1) expect(lossPercent(most)).toBeLessThan(100);
    expect(lossPercent(most + 1)).toBeGreaterThanOrEqual(100);
  }
});

test("the highest multiple is 4, 1 and 1 with limits of 10, 20 and 30 %, and 1 without limits", () => {
  expect([10, 20, 30, null].map((limitPercent) => mostLeverage({ limitPercent }))).toEqual([4, 1, 1, 1]);
  expect(multiplesOf({ multiples: [1, 2, 3, 5] }, { limitPercent: 10 })).toEqual([1, 2, 3]);
  expect(multiplesOf({ multiples: [1, 2, 3] }, { limitPercent: null })).toEqual([1]);
});
