/** Tests the sums of a margin account at their boundaries: cover, missing amount, automatic events, and the price of a ratio. */
import { describe, expect, it } from "vitest";
import { epochMs } from "#contract/kernel/time.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { coverOf, isOnMargin, lackingTo, marginFactOf, priceAtRatio } from "#contract/margin.ts";
import type { Covered, MarginCallStatus } from "#contract/margin.ts";

/** Ten lots of 1,000 shares, four of them closed, at 50.00: worth 300,000.00. */
const LONG: Covered = {
  direction: "rise",
  filledLots: 10,
  closedLots: 4,
  lotShares: 1000,
  loanCents: cents(18_000_000),
  interestCents: cents(2_000_000),
  collateralCents: cents(0),
  at: price(500_000),
};
const SHORT: Covered = {
  ...LONG,
  direction: "fall",
  loanCents: cents(0),
  interestCents: cents(1_000_000),
  collateralCents: cents(57_000_000),
};

describe("which positions count towards the account", () => {
  it.each([
    ["margin", "rise", true],
    ["margin", "fall", true],
    ["cash", "fall", true],
    ["cash", "rise", false],
    ["leverage", "fall", false],
    ["leverage", "rise", false],
  ] as const)("%s %s: %s", (funding, direction, counts) => expect(isOnMargin({ funding, direction })).toBe(counts));
});

describe("the cover", () => {
  it("of a long is what its open lots are worth against its loan and interest", () => {
    expect(coverOf([LONG], 0)).toEqual({ assetsCents: 30_000_000, owedCents: 20_000_000, ratioBasisPoints: 15_000 });
  });

  it("of a short is its collateral against what its open lots are worth and its interest", () => {
    expect(coverOf([SHORT], 0)).toEqual({ assetsCents: 57_000_000, owedCents: 31_000_000, ratioBasisPoints: 18_387 });
  });

  it("is one sum of all positions and the added margin; without a debt there is no ratio", () => {
    expect(coverOf([LONG, SHORT], 3_000_000)).toEqual({ assetsCents: 90_000_000, owedCents: 51_000_000, ratioBasisPoints: 17_647 });
    expect(coverOf([], 500)).toEqual({ assetsCents: 500, owedCents: 0, ratioBasisPoints: null });
  });
});

describe("the missing amount", () => {
  const lacking = (assets: number, owed: number, percent: number): number =>
    lackingTo({ assetsCents: cents(assets), owedCents: cents(owed), ratioBasisPoints: null }, percent);

  it("brings the ratio to the percentage, in whole NT$ rounded up", () => {
    expect(lacking(10_000, 10_000, 166)).toBe(6_600);
    expect(lacking(10_001, 10_000, 166)).toBe(6_600);
    expect(lacking(9_999, 10_000, 166)).toBe(6_700);
    // 166 % of 10,001 cents is 16,601.66 cents.
    expect(lacking(16_601, 10_001, 166)).toBe(100);
    expect(lacking(16_602, 10_001, 166)).toBe(0);
  });

  it("is nothing from the percentage on", () => {
    expect(lacking(16_600, 10_000, 166)).toBe(0);
    expect(lacking(99_999, 10_000, 166)).toBe(0);
    expect(lacking(16_599, 10_000, 166)).toBe(100);
  });
});

describe("the next event of an account", () => {
  const rule = { callPercent: 130, clearedPercent: 166, liquidationPercent: 110 };
  const DUE = 1_000;
  const next = (ratioBasisPoints: number | null, status: MarginCallStatus | null, at = DUE) =>
    marginFactOf({ assetsCents: cents(0), owedCents: cents(0), ratioBasisPoints }, status && { status, dueAt: epochMs(DUE) }, rule, at);

  it.each([
    [12_999, "margin.called"],
    [13_000, null],
    [null, null],
  ])("without a call, at a ratio of %s basis points: %s", (ratio, fact) => expect(next(ratio, null)).toBe(fact));

  it.each([
    ["due", 12_999, null],
    ["due", 13_000, "margin.recovered"],
    ["due", 16_599, "margin.recovered"],
    ["due", 16_600, "margin.cleared"],
    ["due", null, "margin.cleared"],
    ["due", 11_000, null],
    ["due", 10_999, "margin.overdue"],
    ["paused", 13_000, null],
    ["paused", 12_999, "margin.fell"],
    ["paused", 10_999, "margin.fell"],
    ["paused", 16_600, "margin.cleared"],
    ["paused", null, "margin.cleared"],
    ["overdue", 10_999, null],
    ["overdue", 13_000, "margin.recovered"],
    ["overdue", 16_600, "margin.cleared"],
    ["overdue", null, "margin.liquidated"],
  ] as const)("of a call that is %s, at %s basis points: %s", (status, ratio, fact) => expect(next(ratio, status)).toBe(fact));

  it("makes a call overdue after its deadline, not at it", () => {
    expect([next(12_999, "due", DUE), next(12_999, "due", DUE + 1)]).toEqual([null, "margin.overdue"]);
    expect(next(12_999, "overdue", DUE + 1)).toBeNull();
  });
});

describe("the price of a ratio", () => {
  it("of a long is where its open lots are worth that part of its debt, rounded up", () => {
    expect(priceAtRatio(LONG, 150)).toBe(500_000);
    expect(priceAtRatio({ ...LONG, loanCents: cents(18_000_001) }, 150)).toBe(500_001);
    // 6,000 shares: one more than a whole price is the next price.
    const small = (loan: number) => priceAtRatio({ ...LONG, loanCents: cents(loan), interestCents: cents(0) }, 1);
    expect([small(6_000), small(6_001), small(12_000)]).toEqual([1, 2, 2]);
  });

  it("of a short is where its collateral is that part of its worth and interest, rounded down", () => {
    const at = priceAtRatio(SHORT, 150);
    expect(at).toBe(616_666);
    expect(coverOf([{ ...SHORT, at: price(616_666) }], 0).ratioBasisPoints).toBe(15_000);
    expect(priceAtRatio({ ...SHORT, loanCents: cents(1_000_000) }, 150)).toBe(600_000);
  });

  it("is none where nothing is open, or nothing is owed", () => {
    expect(priceAtRatio({ ...LONG, closedLots: 10 }, 150)).toBeNull();
    expect(priceAtRatio({ ...SHORT, closedLots: 10 }, 150)).toBeNull();
    expect(priceAtRatio({ ...LONG, loanCents: cents(0), interestCents: cents(0) }, 150)).toBeNull();
    expect(priceAtRatio({ ...LONG, loanCents: cents(0) }, 150)).toBe(50_000);
  });
});
