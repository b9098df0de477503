/** Tests the bars of net buying: exact sums, signs, and one scale around zero. */
import { describe, expect, it } from "vitest";
import type { InvestorDay } from "#contract/investor.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { barsOf, netOf, signedLots, totalOf } from "#src/screens/market/investor-bars.ts";

const day: InvestorDay = {
  at: epochMs(0),
  volume: 5_000,
  foreign: { bought: 1_200, sold: 200 },
  trust: { bought: 0, sold: 56 },
  dealer: { bought: 70, sold: 70 },
  margin: null,
};

describe("net buying", () => {
  it("is what was bought minus what was sold, and adds up", () => {
    expect([netOf(day, "foreign"), netOf(day, "trust"), netOf(day, "dealer"), totalOf(day)]).toEqual([1_000, -56, 0, 944]);
  });

  it("always shows its sign", () => {
    expect([signedLots(1_234_567), signedLots(-56), signedLots(0)]).toEqual(["+1,234,567", "−56", "0"]);
  });

  it("has bars to one scale, to the right of zero for purchases and to the left for sales", () => {
    expect(barsOf([100, -50, 0])).toEqual([
      { startPercent: 50, widthPercent: 50 },
      { startPercent: 25, widthPercent: 25 },
      { startPercent: 50, widthPercent: 0 },
    ]);
    expect(barsOf([0])).toEqual([{ startPercent: 50, widthPercent: 0 }]);
  });
});
