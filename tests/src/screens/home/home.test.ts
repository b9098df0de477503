/** What home and the stock list work out for themselves. */
import { describe, expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { todayBasisPoints } from "#src/screens/home/assets.tsx";

describe("today's profit", () => {
  it("is measured against what there was before it", () => {
    expect(todayBasisPoints({ totalCents: cents(110_00), todayProfitCents: cents(10_00) })).toBe(1000);
    expect(todayBasisPoints({ totalCents: cents(90_00), todayProfitCents: cents(-10_00) })).toBe(-1000);
    expect(todayBasisPoints({ totalCents: cents(0), todayProfitCents: cents(0) })).toBe(0);
  });
});
