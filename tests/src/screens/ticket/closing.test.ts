/** Tests the close of a position: what its orders give and bring, what became of it, and the lock-up countdown. */
import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { price } from "#contract/kernel/money.ts";
import {
  closingOf,
  closingParts,
  closingPlan,
  expectedClosing,
  freeOrders,
  marketPrices,
  offeredUnits,
  progressOf,
} from "#src/screens/ticket/closing.ts";
import { FIRST_DRAFT } from "#src/screens/ticket/draft.ts";
import { countdown } from "#src/screens/ticket/lock-up.tsx";
import { orderOf } from "#tests/src/screens/trade/orders.ts";

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
    expect(marketPrices("rise", [2], { depth, quote: null })).toEqual([95]);
    expect(marketPrices("fall", [2], { depth, quote: null })).toEqual([110]);
    expect(marketPrices("rise", [2], { depth: null, quote: { last: 101, bid: 100, ask: 110 } })).toEqual([100]);
    expect(marketPrices("rise", [2], { depth: null, quote: { last: 101, bid: 0, ask: 0 } })).toEqual([101]);
    expect(marketPrices("rise", [2], { depth: null, quote: null })).toEqual([null]);
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
    expect(["board", "odd"].map((market) => offeredUnits([first, second, odd], market as "odd", 1_000))).toEqual([4, 999]);
    expect(["board", "odd"].map((market) => offeredUnits([first], market as "odd", 1_000))).toEqual([1, 0]);
  });

  test("each part meets the book that the parts before left", () => {
    const depth = { bids: [[100, 2] as [number, number], [90, 5] as [number, number]], asks: [] };
    expect(marketPrices("rise", [1, 2, 9], { depth, quote: null })).toEqual([100, 95, 90]);
    expect(marketPrices("fall", [1, 2], { depth, quote: { last: 101, bid: 100, ask: 110 } })).toEqual([110, 110]);
    expect(marketPrices("rise", [1, 2], { depth: null, quote: null })).toEqual([null, null]);
  });

  test("takes nothing that is being closed or in its lock-up", () => {
    const closing = orderOf({ orderNo: "K4", status: "readyToClose" });
    const locked = orderOf({ orderNo: "K5", lockedUntil: 1_000 });
    const all = [first, closing, locked];
    expect(freeOrders(all, 999)).toEqual([first]);
    expect(freeOrders(all, 1_000)).toEqual([first, locked]);
    expect(offeredUnits([first, closing], "board", 1_000)).toBe(1);
  });

  test("single shares of several orders do not make up a lot of the board", () => {
    const halves = [600, 400].map((filledLots, n) => orderOf({ orderNo: `K${n}`, filledLots, lotShares: 1 }));
    expect(offeredUnits(halves, "board", 1_000)).toBe(0);
  });

  test("adds up what each order is charged", () => {
    const parts = [first, second].map((order) => ({ order, lots: 1 }));
    const all = expectedClosing(parts, price(11_000_000), 1_000, { depth: null, quote: null });
    expect(all).toMatchObject({ valueCents: 220_000_000, feeCents: 313_400, taxCents: 660_000 });
    expect(expectedClosing(parts, null, 1_000, { depth: null, quote: null })).toBeNull();
  });

  test("brings to the cent what its orders bring lot by lot of each, at any price and number", () => {
    const sizes = fc.array(fc.record({ lots: fc.integer({ min: 1, max: 40 }), cost: fc.integer({ min: 1_000, max: 3_000_000 }) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        sizes,
        fc.nat(),
        fc.integer({ min: 1_000, max: 30_000_000 }),
        fc.constantFrom("rise", "fall"),
        (all, pick, at, direction) => {
          const orders = all.map(({ lots, cost }, n) =>
            orderOf({
              orderNo: `K${n}`,
              direction,
              filledLots: lots,
              openCents: lots * cost * 1_000,
              collateralCents: lots * cost * 1_900,
            }),
          );
          const total = all.reduce((sum, { lots }) => sum + lots, 0);
          const wanted = 1 + (pick % total);
          const draft = { ...FIRST_DRAFT, lotsText: String(wanted), priceText: String(at / 10_000) };
          const plan = closingPlan(orders, draft, 1_000, { depth: null, quote: null });
          let left = wanted;
          let proceeds = 0;
          let profit = 0;
          for (const order of orders) {
            const lots = Math.min(left, order.filledLots);
            if (lots === 0) break;
            const one = closingOf(order, lots, price(at));
            proceeds += one.proceedsCents;
            profit += one.profitCents;
            left -= lots;
          }
          expect(plan.closing).toMatchObject({ proceedsCents: proceeds, profitCents: profit, valueCents: wanted * at * 10 });
          expect(plan.parts?.reduce((sum, part) => sum + part.lots, 0)).toBe(wanted);
          expect(closingPlan(orders, { ...draft, lotsText: String(total + 1) }, 1_000, { depth: null, quote: null }).parts).toBeNull();
        },
      ),
    );
  });

  test("after hours has one price, whatever the book shows", () => {
    const draft = { ...FIRST_DRAFT, pricing: "market", lotsText: "1" } as const;
    const market = { depth: { bids: [[9_000_000, 5] as [number, number]], asks: [] }, quote: { last: 11_000_000, bid: 9_000_000, ask: 0 } };
    const valueIn = (at: "board" | "fixed") => closingPlan([first], { ...draft, market: at }, 1_000, market).closing?.valueCents;
    expect([valueIn("board"), valueIn("fixed")]).toEqual([90_000_000, 110_000_000]);
  });
});

describe("the progress of a close", () => {
  const first = orderOf({ orderNo: "K1", filledLots: 1 });
  const second = orderOf({ orderNo: "K2", filledLots: 3, closedLots: 1, closingCents: 70_000_000, closeFeeCents: 9 });
  const parts = [
    { order: first, lots: 1 },
    { order: second, lots: 2 },
  ];

  test("is the average of its own fills over all orders, not of earlier ones", () => {
    const closed = { ...first, status: "closed", closedLots: 1, closingCents: 100_000_000, profitCents: 40, closeFeeCents: 3 };
    const half = { ...second, status: "readyToClose", closedLots: 2, closingLots: 1, closingCents: 98_000_000, closeFeeCents: 12 };
    expect(progressOf(parts, [closed, half] as never)).toEqual({
      state: "partlyFilled",
      filledShares: 2_000,
      restingShares: 1_000,
      averagePrice: 9_900_000,
      feeCents: 6,
      taxCents: 0,
      profitCents: 40,
    });
  });

  test("does not count an order's earlier close where this one has filled nothing of it", () => {
    const closed = { ...first, status: "closed", closedLots: 1, closingCents: 100_000_000 };
    expect(progressOf(parts, [closed, second] as never)).toMatchObject({ filledShares: 1_000, averagePrice: 10_000_000 });
  });

  test("tells what waits from what was not filled, and from what was cancelled later", () => {
    const waiting = { ...second, status: "readyToClose", closingLots: 2, closingCents: 0 };
    expect(progressOf(parts.slice(1), [waiting] as never)).toMatchObject({ state: "queued", filledShares: 0, averagePrice: null });
    expect(progressOf(parts.slice(1), [second])).toMatchObject({
      state: "unfilled",
      filledShares: 0,
      restingShares: 0,
      averagePrice: null,
    });
  });
});

test("a lock-up counts down in whole seconds", () => {
  expect([0, 1, 999, 45_000, 60_000, 3_723_000].map(countdown)).toEqual(["0:00", "0:01", "0:01", "0:45", "1:00", "1:02:03"]);
});
