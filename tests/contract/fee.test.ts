/** Tests trading costs: commission and its minimum, the seller's tax, short collateral and interest. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collateralOf, feeAdded, feeOf, interestOf, needOf, ownOf, taxOf } from "#contract/fee.ts";
import { cents } from "#contract/kernel/money.ts";
import { STOCK_TERMS as TERMS } from "#tests/support/terms.ts";

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
  ])("on %s cents is %s", (of, fee) => expect(feeOf(TERMS, cents(of))).toBe(fee));

  it("is in whole units, never below the minimum, and never decreases as the value grows", () => {
    fc.assert(
      fc.property(pair, ([small, large]) => {
        expect(feeOf(TERMS, small)).toBeLessThanOrEqual(feeOf(TERMS, large));
        expect(feeOf(TERMS, large) % 100).toBe(0);
        if (large > 0) expect(feeOf(TERMS, large)).toBeGreaterThanOrEqual(TERMS.feeMinimumCents);
      }),
    );
  });
});

describe("commission on the fills of one order", () => {
  it("equals the commission on their total value, however they are split", () => {
    const fills = fc.array(fc.integer({ min: 1, max: 1e11 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(fills, (values) => {
        const charged = { cents: 0, feeCents: 0 };
        for (const each of values) {
          charged.feeCents += feeAdded(TERMS, charged, each);
          charged.cents += each;
        }
        expect(charged.feeCents).toBe(feeOf(TERMS, cents(charged.cents)));
      }),
    );
  });

  it("is zero for a zero value and never negative", () => {
    expect(feeAdded(TERMS, { cents: 0, feeCents: 0 }, 0)).toBe(0);
    expect(feeAdded(TERMS, { cents: 1_000, feeCents: 9_900 }, 1)).toBe(0);
  });
});

describe("tax", () => {
  it("rounds down to whole units and never decreases as the value grows", () => {
    expect(taxOf(TERMS, cents(33_333))).toBe(0);
    expect(taxOf(TERMS, cents(33_334))).toBe(100);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), pair, (taxPerMillion, [small, large]) => {
        expect(taxOf({ taxPerMillion }, small)).toBeLessThanOrEqual(taxOf({ taxPerMillion }, large));
        expect(BigInt(taxOf({ taxPerMillion }, large)) * 1_000_000n).toBeLessThanOrEqual(BigInt(large) * BigInt(taxPerMillion));
      }),
    );
  });
});

describe("collateral of a short sale", () => {
  it("is nine tenths of the value, rounded up to a whole unit", () => {
    expect(collateralOf(TERMS, cents(108_500_000))).toBe(97_650_000);
    expect(collateralOf(TERMS, cents(1))).toBe(100);
    fc.assert(
      fc.property(value, (of) => {
        const collateral = collateralOf(TERMS, cents(of));
        expect(collateral % 100).toBe(0);
        expect(collateral * 100).toBeGreaterThanOrEqual(of * 90);
        expect(collateral * 100 - of * 90).toBeLessThan(10_000);
      }),
    );
  });
});

describe("cash needed to open", () => {
  it("is own part and fee for a long, and collateral, fee and tax for a short", () => {
    const value = cents(100_000_000);
    expect(needOf(TERMS, "rise", value)).toBe(100_142_500);
    expect(needOf(TERMS, "fall", value)).toBe(90_442_500);
    const third = { ...TERMS, ownPerMillion: 333_334, collateralPerMillion: 333_334 };
    expect(ownOf(third, value)).toBe(33_333_400);
    expect(needOf(third, "rise", value)).toBe(33_333_400 + 142_500);
    expect(needOf(third, "fall", value)).toBe(33_333_400 + 142_500 + 300_000);
  });
});

describe("interest", () => {
  const terms = { interestPerMillion: 65_000 };

  it("is 1/365 of the yearly rate each day, rounded down to whole cents", () => {
    // 600,000 at 6.5 % a year is 106.849… a day.
    expect(interestOf(terms, 60_000_000, 1)).toBe(10_684);
    expect(interestOf(terms, 60_000_000, 365)).toBe(10_684 * 365);
    expect(interestOf({ interestPerMillion: 0 }, 60_000_000, 365)).toBe(0);
    expect(interestOf(terms, 60_000_000, -3)).toBe(0);
  });

  it("is the same however the days are split", () => {
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }), (loan, first, second) => {
        expect(interestOf(terms, loan, first) + interestOf(terms, loan, second)).toBe(interestOf(terms, loan, first + second));
      }),
    );
  });
});
