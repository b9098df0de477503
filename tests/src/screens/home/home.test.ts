/** Calculations of the home screen. */
import { describe, expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { todayBasisPoints } from "#src/screens/home/assets.tsx";

describe("today's profit", () => {
  it("is relative to the total before it", () => {
    expect(todayBasisPoints({ totalCents: cents(110_00), todayProfitCents: cents(10_00) })).toBe(1000);
    expect(todayBasisPoints({ totalCents: cents(90_00), todayProfitCents: cents(-10_00) })).toBe(-1000);
    expect(todayBasisPoints({ totalCents: cents(0), todayProfitCents: cents(0) })).toBe(0);
  });
});
