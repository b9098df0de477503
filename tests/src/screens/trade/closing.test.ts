/** Tests the proceeds of closing and the lock-up countdown. */
import { describe, expect, test } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { closingOf, closingParts, marketPrice, marketPrices, offeredBy, progressOf, sumOfClosings } from "#src/screens/ticket/closing.ts";
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

describe("closing several orders", () => {
  const first = orderOf({ orderNo: "K1", filledLots: 1 });
  const second = orderOf({ orderNo: "K2", filledLots: 3, closedLots: 1, version: 5 });
  const odd = orderOf({ orderNo: "K3", filledLots: 1_250, lotShares: 1 });

  test("takes whole lots, or single shares, from the first order on", () => {
    const lotsOf = (shares: number) => closingParts([first, second, odd], shares, 1_000)?.map(({ order, lots }) => [order.orderNo, lots]);
    expect(lotsOf(2_000)).toEqual([
      ["K1", 1],
      ["K2", 1],
    ]);
    expect(lotsOf(4_000)?.at(-1)).toEqual(["K3", 1_000]);
    expect(lotsOf(300)).toEqual([["K3", 300]]);
    for (const shares of [5_000, 1_300]) expect(lotsOf(shares)).toBeUndefined();
    expect(offeredBy([first, second, odd], 1_000)).toEqual({ lots: 4, singleShares: 999 });
    expect(offeredBy([first], 1_000)).toEqual({ lots: 1, singleShares: 0 });
  });

  test("each part meets the book that the parts before left", () => {
    const depth = { bids: [[100, 2] as [number, number], [90, 5] as [number, number]], asks: [] };
    expect(marketPrices("rise", [1, 2, 9], depth, null)).toEqual([100, 95, 90]);
    expect(marketPrices("fall", [1, 2], depth, { last: 101, bid: 100, ask: 110 })).toEqual([110, 110]);
    expect(marketPrices("rise", [1, 2], null, null)).toEqual([null, null]);
  });

  test("adds up what each order is charged", () => {
    const each = [closingOf(first, 1, price(11_000_000)), closingOf(second, 1, price(11_000_000))];
    expect(sumOfClosings(each)).toMatchObject({ valueCents: 220_000_000, feeCents: 313_400, taxCents: 660_000 });
  });

  test("is filled at the average of what its orders got so far", () => {
    const parts = [
      { order: first, lots: 1 },
      { order: second, lots: 2 },
    ];
    const closed = { ...first, closedLots: 1, closingLots: 0, closingCents: 100_000_000 };
    const half = { ...second, closedLots: 2, closingLots: 1, closingCents: 98_000_000 };
    expect(progressOf(parts, [closed, half] as never)).toEqual({ filledShares: 2_000, valueCents: 198_000_000, averagePrice: 9_900_000 });
    const waiting = { ...second, closingLots: 2, closingCents: 0 };
    expect(progressOf(parts.slice(1), [waiting] as never)).toEqual({ filledShares: 0, valueCents: 0, averagePrice: null });
  });
});

test("a lock-up counts down in whole seconds", () => {
  expect([0, 1, 999, 45_000, 60_000, 3_723_000].map(countdown)).toEqual(["0:00", "0:01", "0:01", "0:45", "1:00", "1:02:03"]);
});
