/** When the loss warning of open day trades fires: relative to the amount invested, only with prices, at the member's percentage. */
import { describe, expect, it } from "vitest";
import { lostBasisPoints, warns } from "#src/streams/day-trading.ts";

const sum = (profitCents: number, over = {}) => ({ count: 2, profitCents, investedCents: 100_000, unpriced: 0, ...over });

describe("the loss of open day trades", () => {
  it("is relative to the amount invested, and 0 for a gain", () => {
    expect([sum(-5_000), sum(-4_999), sum(0), sum(7_000)].map(lostBasisPoints)).toEqual([500, 499, 0, 0]);
    expect(lostBasisPoints({ profitCents: -1, investedCents: 0 })).toBe(0);
  });

  it("warns from the chosen percentage on, and never without prices", () => {
    expect(warns(sum(-5_000), 5)).toBe(true);
    expect(warns(sum(-4_999), 5)).toBe(false);
    expect(warns(sum(-5_000, { unpriced: 2, count: 2 }), 5)).toBe(false);
    expect(warns(sum(0, { count: 0, investedCents: 0 }), 1)).toBe(false);
  });
});
