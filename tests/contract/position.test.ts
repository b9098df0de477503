/** Tests how orders make up positions: the key, first in first out, and sums that are exact. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIRECTIONS } from "#contract/order.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { positionId, positionsOf } from "#contract/position.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { FUNDINGS } from "#contract/rule.ts";
import { order } from "#tests/workers/sample.ts";

const no = (n: number): OrderNo => `K${String(n).padStart(12, "0")}` as OrderNo;

const orders = fc
  .array(
    fc.record({
      code: fc.constantFrom("1000", "1001"),
      direction: fc.constantFrom(...DIRECTIONS),
      funding: fc.constantFrom(...FUNDINGS),
      dayTrade: fc.boolean(),
      lots: fc.integer({ min: 1, max: 400 }),
      closed: fc.nat(400),
      lotShares: fc.constantFrom(1, 1000),
      openCents: fc.integer({ min: 1, max: 1_000_000_000 }),
      placedAt: fc.nat(5),
    }),
    { maxLength: 14 },
  )
  .map((all) =>
    all.map(({ code, lots, closed, placedAt, openCents, ...more }, n) =>
      order(code, lots, {
        ...more,
        orderNo: no(n),
        closedLots: Math.min(closed, lots),
        placedAt: epochMs(placedAt),
        openCents: cents(openCents),
      }),
    ),
  );

describe("positions", () => {
  it("hold every open share exactly once, with the exact opening value", () => {
    fc.assert(
      fc.property(orders, (all) => {
        const positions = positionsOf(all);
        const open = all.filter((one) => one.filledLots > one.closedLots);
        expect(positions.flatMap((one) => one.orders.map(({ orderNo }) => orderNo)).toSorted()).toEqual(
          open.map(({ orderNo }) => orderNo).toSorted(),
        );
        expect(new Set(positions.map(({ id }) => id)).size).toBe(positions.length);
        for (const { id, orders: held, shares, openCents, averagePrice } of positions) {
          expect(held.every((one) => positionId(one) === id)).toBe(true);
          expect(shares).toBe(held.reduce((sum, one) => sum + (one.filledLots - one.closedLots) * one.lotShares, 0));
          // The opening value is the one that profits are computed with.
          expect(openCents).toBe(held.reduce((sum, one) => sum + profitAt(heldOf(one), price(10_000)).openCents, 0));
          expect(averagePrice).toBe(Math.round((openCents * 100) / shares));
        }
      }),
    );
  });

  it("list their orders oldest first, in any order of the input", () => {
    fc.assert(
      fc.property(orders, (all) => {
        const [there, back] = [positionsOf(all), positionsOf(all.toReversed())];
        expect(back).toEqual(there);
        for (const { orders: held } of there) {
          const times = held.map(({ placedAt, orderNo }) => `${placedAt} ${orderNo}`);
          expect(times).toEqual(times.toSorted());
        }
        const newest = there.map((one) => one.orders.at(-1)?.placedAt ?? 0);
        expect(newest).toEqual(newest.toSorted((a, b) => b - a));
      }),
    );
  });

  it("keep cash, margin and day trades apart, and long from short", () => {
    expect(positionId(order("2330", 1))).toBe("2330:rise:cash");
    expect(positionId(order("2330", 1, { direction: "fall", funding: "margin", dayTrade: true }))).toBe("2330:fall:margin:day");
    const all = [order("2330", 1), order("2330", 1, { dayTrade: true }), order("2330", 1, { funding: "margin" })];
    expect(positionsOf(all)).toHaveLength(3);
  });

  it("tell what can still be closed from what is being closed", () => {
    const closing = order("2330", 3, { status: "readyToClose", closingLots: 2, orderNo: no(2) });
    const odd = order("2330", 250, { lotShares: 1, status: "holding", orderNo: no(3) });
    const [position] = positionsOf([order("2330", 2, { status: "holding" }), closing, odd]);
    expect(position).toMatchObject({ shares: 5_250, closableShares: 2_250, closingShares: 2_000 });
  });

  it("are nothing without open lots", () => {
    expect(positionsOf([order("2330", 2, { closedLots: 2 })])).toEqual([]);
  });
});
