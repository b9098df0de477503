/** Tests quantities in fractions of a whole: their value is exact beyond 2^53, and what falls between two cents is rounded one way. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { feeOf } from "#contract/fee.ts";
import { unitsPerWhole } from "#contract/instrument.ts";
import { cents, formatUnits, parseUnits, price, priceOf, typedUnits, worth } from "#contract/kernel/money.ts";
import { MAX_UNITS } from "#contract/order.ts";

const PER = unitsPerWhole({ kind: "crypto" });
const prices = fc.integer({ min: 1, max: 10_000_000 }).map((hundredths) => hundredths * 100);
const quantities = fc.bigInt({ min: 1n, max: BigInt(MAX_UNITS) }).map(Number);

it("values a fraction exactly, rounded down or up by less than a cent", () => {
  fc.assert(
    fc.property(prices, quantities, (each, units) => {
      const exact = BigInt(each) * BigInt(units);
      const divisor = 100n * BigInt(PER);
      const [down, up] = [exact / divisor, (exact + divisor - 1n) / divisor];
      if (up > BigInt(Number.MAX_SAFE_INTEGER)) {
        expect(() => worth(price(each), units, PER, "up")).toThrow(RangeError);
        return;
      }
      expect(BigInt(worth(price(each), units, PER))).toBe(down);
      expect(BigInt(worth(price(each), units, PER, "up"))).toBe(up);
      expect(up - down).toBeLessThanOrEqual(1n);
    }),
  );
  expect(worth(price(31_860_000_000), 150_000, PER)).toBe(477_900);
  expect(worth(price(31_860_000_000), 1, PER)).toBe(3);
  expect(worth(price(31_860_000_000), 1, PER, "up")).toBe(4);
});

it("counts one share as one unit: nothing is rounded on a tick", () => {
  for (const kind of ["stock", "etf", "bond", "index", "forex"] as const) expect(unitsPerWhole({ kind })).toBe(1);
  fc.assert(
    fc.property(prices, fc.integer({ min: 1, max: 499_000 }), (each, n) => {
      expect(worth(price(each), n, 1, "up")).toBe(worth(price(each), n));
    }),
  );
});

it("brings no money to buy and to sell at one price, however it is split", () => {
  fc.assert(
    fc.property(prices, fc.array(fc.integer({ min: 1, max: 10 * PER }), { minLength: 1, maxLength: 20 }), (each, parts) => {
      const whole = parts.reduce((sum, part) => sum + part, 0);
      const paid = parts.reduce((sum, part) => sum + worth(price(each), part, PER, "up"), 0);
      const got = parts.reduce((sum, part) => sum + worth(price(each), part, PER), 0);
      expect(paid).toBeGreaterThanOrEqual(worth(price(each), whole, PER, "up"));
      expect(got).toBeLessThanOrEqual(worth(price(each), whole, PER));
      expect(paid - got).toBeLessThanOrEqual(2 * parts.length);
    }),
  );
});

it("never buys a fraction for less than selling it brings, with the least fee on both", () => {
  const terms = { feePerMillion: 2_000, feeMinimumCents: cents(200) };
  fc.assert(
    fc.property(prices, fc.integer({ min: 1, max: PER }), (each, units) => {
      const down = worth(price(each), units, PER);
      const up = worth(price(each), units, PER, "up");
      expect(up + feeOf(terms, up)).toBeGreaterThan(down - feeOf(terms, down));
    }),
  );
});

it("finds the average price of a value", () => {
  expect(priceOf(477_900, 150_000, PER)).toBe(31_860_000_000);
  expect(priceOf(108_500_000, 1_000)).toBe(10_850_000);
  fc.assert(
    fc.property(prices, fc.integer({ min: PER, max: 1_000 * PER }), (each, units) => {
      // A cent of a whole coin or more is at most a hundredth of a unit of the currency.
      expect(Math.abs(priceOf(worth(price(each), units, PER), units, PER) - each)).toBeLessThanOrEqual(100);
    }),
  );
});

it("reads what it writes", () => {
  fc.assert(
    fc.property(quantities, (units) => {
      expect(parseUnits(typedUnits(units, PER), PER)).toBe(units);
    }),
  );
  expect([formatUnits(150_000, PER), formatUnits(123_456_789_012, PER), formatUnits(PER, PER), formatUnits(1_234)]).toEqual([
    "0.0015",
    "1,234.56789012",
    "1",
    "1,234",
  ]);
  expect([parseUnits("0.0015", PER), parseUnits("0.", PER), parseUnits("1,234.5", PER)]).toEqual([150_000, 0, 123_450_000_000]);
  for (const wrong of ["", ".", "0.000000001", "1e3", "-1", "12345678"]) expect(parseUnits(wrong, PER)).toBeNull();
  expect([parseUnits("12"), parseUnits("1."), parseUnits("1.5"), parseUnits("")]).toEqual([12, null, null, null]);
});
