/** Tests exact money: parsing, formatting, and that nothing is rounded by accident. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MINUS,
  PRICE_ONE,
  cents,
  formatChange,
  formatMoney,
  formatPercent,
  formatPrice,
  grouped,
  parsePrice,
  price,
  typedPrice,
  worth,
} from "#contract/kernel/money.ts";

/** A reference formatter using BigInt and a regular expression: slow but evidently correct. */
function referenceMoney(amount: number): string {
  const magnitude = BigInt(Math.abs(amount));
  const whole = (magnitude / 100n).toString().replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  const text = `${whole}.${(magnitude % 100n).toString().padStart(2, "0")}`;
  return amount < 0 ? MINUS + text : text;
}

describe("exact amounts", () => {
  it("refuses what is not a safe integer", () => {
    for (const wrong of [0.5, Number.NaN, Infinity, 2 ** 53]) {
      expect(() => cents(wrong)).toThrow(RangeError);
      expect(() => price(wrong)).toThrow(RangeError);
    }
  });

  it("multiplies a price by shares, rounded down to the cent", () => {
    expect(worth(price(10_850_000), 1000)).toBe(108_500_000);
    expect(worth(price(100), 1)).toBe(1);
    expect(worth(price(99), 1)).toBe(0);
  });

  it("multiplies exactly for every price on a tick of 0.01", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 499_000 }), (hundredths, shares) => {
        expect(BigInt(worth(price(hundredths * 100), shares))).toBe(BigInt(hundredths) * BigInt(shares));
      }),
    );
  });
});

describe("formatMoney", () => {
  it.each([
    [0, "0.00"],
    [-0, "0.00"],
    [5, "0.05"],
    [123_456_789, "1,234,567.89"],
    [-100_000, `${MINUS}1,000.00`],
    [null, "0.00"],
    [undefined, "0.00"],
    [Number.NaN, "0.00"],
    [Infinity, "0.00"],
  ])("formats %s cents as %s", (amount, text) => expect(formatMoney(amount)).toBe(text));

  it("shows a plus sign on request, but never on zero", () => {
    expect(formatMoney(120_400, "always")).toBe("+1,204.00");
    expect(formatMoney(-1, "always")).toBe(`${MINUS}0.01`);
    expect(formatMoney(0, "always")).toBe("0.00");
    expect(formatMoney(1, "always")).toBe("+0.01");
  });

  it("matches the reference formatter for every amount a ledger can hold", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15, max: 1e15 }), (amount) => {
        expect(formatMoney(amount)).toBe(referenceMoney(amount));
      }),
    );
  });

  it("groups by thousands from the right", () => {
    expect(["1", "12", "123", "1234", "123456", "1234567"].map(grouped)).toEqual(["1", "12", "123", "1,234", "123,456", "1,234,567"]);
  });
});

describe("formatPrice and formatChange", () => {
  it.each([
    [10_850_000, 2, "1,085.00"],
    [10_850_000, 0, "1,085"],
    [320_715, 4, "32.0715"],
    [1, 4, "0.0001"],
    [0, 2, "--"],
    [-1, 4, "--"],
    [Number.NaN, 2, "--"],
    [null, 2, "--"],
    [undefined, 2, "--"],
  ])("formats %s units with %s decimals as %s", (units, decimals, text) => expect(formatPrice(units, decimals)).toBe(text));

  it("signs changes with a typographic minus and leaves zero unsigned", () => {
    expect([formatChange(200_000), formatChange(-15_000), formatChange(0)]).toEqual(["+20.00", `${MINUS}1.50`, "0.00"]);
    expect([formatChange(1, 4), formatChange(-1, 4)]).toEqual(["+0.0001", `${MINUS}0.0001`]);
    expect([formatPercent(1), formatPercent(-1)]).toEqual(["+0.01%", `${MINUS}0.01%`]);
    expect([formatPercent(188), formatPercent(-188), formatPercent(0), formatPercent(188, "never")]).toEqual([
      "+1.88%",
      `${MINUS}1.88%`,
      "0.00%",
      "1.88%",
    ]);
  });
});

describe("parsePrice", () => {
  it.each([
    ["1,085.5", 10_855_000],
    [" 600 ", 6_000_000],
    ["0.0001", 1],
    ["12.", 120_000],
  ])("parses %s as %s units", (text, units) => expect(parsePrice(text)).toBe(units));

  it.each(["", ".5", "-1", "1e3", "1.23456", "abc", "１２"])("rejects %s", (text) => expect(parsePrice(text)).toBeNull());

  it("round-trips through typedPrice", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 * PRICE_ONE }), (units) => {
        expect(parsePrice(typedPrice(units, 4))).toBe(units);
      }),
    );
  });
});
