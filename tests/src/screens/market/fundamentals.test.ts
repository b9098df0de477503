/** Tests ratios that depend on the price, and where they are undefined. */
import { describe, expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import type { Fundamentals } from "#contract/profile.ts";
import { marketValue, perShare, placeInYear, ratiosAt } from "#src/screens/market/fundamentals.ts";

const fundamentals: Fundamentals = {
  earnings: 45_0000,
  book: price(160_0000),
  dividend: price(13_0000),
  revenueMillions: 2_000_000,
  revenueChange: -312,
};

describe("ratiosAt", () => {
  it("divides the price by earnings and book value per share, and the dividend by the price", () => {
    expect(ratiosAt(fundamentals, 1_085_0000)).toEqual({ priceEarnings: "24.11", priceBook: "6.78", dividendYield: "1.20%" });
  });

  it("has no price-earnings ratio for a loss, and nothing at all without a price", () => {
    expect(ratiosAt({ ...fundamentals, earnings: -10_000 }, 100_0000).priceEarnings).toBe("--");
    expect(ratiosAt(fundamentals, 0)).toEqual({ priceEarnings: "--", priceBook: "--", dividendYield: "--" });
  });
});

describe("marketValue", () => {
  it("is every issued share at the price, in whole dollars", () => {
    expect(marketValue({ issuedThousands: 25_930_380 }, 1_085_0000)).toBe(28_134_462_300_000);
    expect(marketValue({ issuedThousands: 0 }, 1_085_0000)).toBeNull();
    expect(marketValue({ issuedThousands: 10 }, 0)).toBeNull();
  });
});

describe("perShare", () => {
  it("keeps the sign of a loss, and has none for zero", () => {
    expect([perShare(45_1234), perShare(-12_500), perShare(-10), perShare(0)]).toEqual(["45.12", "−1.25", "0.00", "0.00"]);
  });
});

describe("placeInYear", () => {
  it("places a price in its year's range, clamped at the ends", () => {
    expect(placeInYear(150, 100, 200)).toBe(0.5);
    expect(placeInYear(250, 100, 200)).toBe(1);
    expect(placeInYear(50, 100, 200)).toBe(0);
    expect(placeInYear(150, null, 200)).toBeNull();
    expect(placeInYear(150, 200, 200)).toBeNull();
  });
});
