/** Tests the proceeds of closing and the lock-up countdown. */
import { describe, expect, test } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { closingOf, marketPrice } from "#src/screens/ticket/closing.ts";
import { countdown } from "#src/screens/trade/lock-up.tsx";
import { orderOf } from "./orders.ts";

describe("closing", () => {
  test("a long pays its value less fee and tax", () => {
    const closing = closingOf(orderOf(), 1, price(11_000_000));
    expect(closing).toEqual({
      valueCents: 110_000_000,
      feeCents: 156_700,
      taxCents: 330_000,
      proceedsCents: 109_513_300,
      // 1,100,000 − 1,000,000 − opening fee 1,425 − fee 1,567 − tax 3,300.
      profitCents: 9_370_800,
    });
  });

  test("a short returns its collateral less the cost of buying back", () => {
    const short = orderOf({ direction: "fall", collateralCents: 380_000_000, openTaxCents: 600_000 });
    const closing = closingOf(short, 2, price(9_000_000));
    expect(closing.taxCents).toBe(0);
    expect(closing.proceedsCents).toBe(380_000_000 - 180_000_000 - 256_500);
    expect(closing.profitCents).toBe(20_000_000 - 285_000 - 600_000 - 256_500);
  });

  test("at market walks the opposite side of the book", () => {
    const depth = { bids: [[100, 1] as [number, number], [90, 5] as [number, number]], asks: [[110, 3] as [number, number]] };
    expect(marketPrice("rise", 2, depth, null)).toBe(95);
    expect(marketPrice("fall", 2, depth, null)).toBe(110);
    expect(marketPrice("rise", 2, null, { last: 101, bid: 100, ask: 110 })).toBe(100);
    expect(marketPrice("rise", 2, null, { last: 101, bid: 0, ask: 0 })).toBe(101);
    expect(marketPrice("rise", 2, null, null)).toBeNull();
  });
});

test("a lock-up counts down in whole seconds", () => {
  expect([0, 1, 999, 45_000, 60_000, 3_723_000].map(countdown)).toEqual(["0:00", "0:01", "0:01", "0:45", "1:00", "1:02:03"]);
});
