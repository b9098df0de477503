/** Proof of what a trade costs: commission, its minimum, the seller's tax and a short sale's collateral. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FEE_RULE, TAX_PER_MILLION, feeOf, shortCollateralOf, taxOf } from "#contract/fee.ts";
import { KINDS } from "#contract/instrument.ts";
import { cents } from "#contract/kernel/money.ts";

const value = fc.integer({ min: 0, max: 1e13 });
const pair = fc.tuple(value, value).map(([one, other]) => [cents(Math.min(one, other)), cents(Math.max(one, other))] as const);

describe("commission", () => {
  it.each([
    [0, 0],
    [1, 2000],
    [1_403_500, 2000],
    [1_473_700, 2100],
    [108_500_000, 154_600],
    [100_000_000, 142_500],
  ])("on %s cents is %s", (of, fee) => expect(feeOf(cents(of))).toBe(fee));

  it("is whole units, never below the minimum, and never falls as the value grows", () => {
    fc.assert(
      fc.property(pair, ([small, large]) => {
        expect(feeOf(small)).toBeLessThanOrEqual(feeOf(large));
        expect(feeOf(large) % 100).toBe(0);
        if (large > 0) expect(feeOf(large)).toBeGreaterThanOrEqual(FEE_RULE.minimumCents);
      }),
    );
  });
});

describe("tax", () => {
  it("is three thousandths for stocks, one for funds, nothing where the law asks nothing", () => {
    const million = cents(100_000_000);
    expect(KINDS.map((kind) => taxOf(kind, million))).toEqual([300_000, 300_000, 100_000, 100_000, 100_000, 0, 0, 0, 0]);
  });

  it("rounds down to whole units and never falls as the value grows", () => {
    expect(taxOf("stock", cents(33_333))).toBe(0);
    expect(taxOf("stock", cents(33_334))).toBe(100);
    fc.assert(
      fc.property(fc.constantFrom(...KINDS), pair, (kind, [small, large]) => {
        expect(taxOf(kind, small)).toBeLessThanOrEqual(taxOf(kind, large));
        expect(BigInt(taxOf(kind, large)) * 1_000_000n).toBeLessThanOrEqual(BigInt(large) * BigInt(TAX_PER_MILLION[kind]));
      }),
    );
  });
});

describe("collateral of a short sale", () => {
  it("is nine tenths of the value, rounded up to a whole unit", () => {
    expect(shortCollateralOf(cents(108_500_000))).toBe(97_650_000);
    expect(shortCollateralOf(cents(1))).toBe(100);
    fc.assert(
      fc.property(value, (of) => {
        const collateral = shortCollateralOf(cents(of));
        expect(collateral % 100).toBe(0);
        expect(collateral * 100).toBeGreaterThanOrEqual(of * 90);
        expect(collateral * 100 - of * 90).toBeLessThan(10_000);
      }),
    );
  });
});
