/** Who is served first: market before limit, the better price, then the older order; and each fill finds its order. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import fc from "fast-check";
import { RestingBook } from "#server/clockwork/resting.ts";
import type { Resting } from "#server/clockwork/resting.ts";
import { openHouse } from "#tests/support/trading.ts";
import type { House } from "#tests/support/trading.ts";

const resting = (n: number, side: Resting["side"], limit: number | null, row = 0): Resting => ({
  orderNo: `K${String(n).padStart(12, "0")}`,
  memberId: 1,
  row,
  side,
  limit,
});
const numbers = (queue: readonly Resting[]): number[] => queue.map(({ orderNo }) => Number(orderNo.slice(1)));

describe("the book of resting orders", () => {
  it("serves market, then price, then time", () => {
    const book = new RestingBook();
    for (const one of [resting(1, "buy", 99), resting(2, "buy", 101), resting(3, "buy", null), resting(4, "buy", 101)]) book.put(one);
    expect(numbers(book.queue(0, "buy"))).toEqual([3, 2, 4, 1]);
    for (const one of [resting(5, "sell", 99), resting(6, "sell", 101), resting(7, "sell", null)]) book.put(one);
    expect(numbers(book.queue(0, "sell"))).toEqual([7, 5, 6]);
    book.put(resting(1, "sell", 100));
    expect(numbers(book.queue(0, "sell"))).toEqual([7, 5, 1, 6]);
    expect(numbers(book.queue(0, "buy"))).toEqual([3, 2, 4]);
  });

  it("forgets what left it, whatever came and went", () => {
    const change = fc.record({
      n: fc.nat(20),
      row: fc.nat(2),
      side: fc.constantFrom("buy" as const, "sell" as const),
      limit: fc.option(fc.nat(5), { nil: null }),
      leaves: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const book = new RestingBook();
        const there = new Map<string, Resting>();
        for (const { n, row, side, limit, leaves } of changes) {
          const one = resting(n, side, limit, row);
          if (leaves) book.remove(one.orderNo);
          else book.put(one);
          if (leaves) there.delete(one.orderNo);
          else there.set(one.orderNo, one);
        }
        const kept = [0, 1, 2].flatMap((row) => [...book.queue(row, "buy"), ...book.queue(row, "sell")]);
        expect(book.size).toBe(there.size);
        expect(new Set(kept)).toEqual(new Set(there.values()));
        expect(new Set(book.rows())).toEqual(new Set([...there.values()].map(({ row }) => row)));
      }),
    );
  });
});

describe("several members at one price", () => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse();
  });
  afterAll(async () => {
    expect(house.faults).toEqual([]);
    await house.shut();
  });

  it("are served the better price first, then in the order they came, as far as the book reaches", async () => {
    const [first, second, third] = [await house.newMember(), await house.newMember(), await house.newMember()];
    const early = await house.place(first, { price: 99, lots: 2 });
    const late = await house.place(second, { price: 99, lots: 2 });
    const best = await house.place(third, { price: 99.5, lots: 2 });
    house.venue.set(0, { asks: [[99, 5]] });
    await house.settled();
    const filled = async (member: number, { orderNo }: typeof early) =>
      (await house.call("readOrder", member, { orderNo })).order.filledLots;
    expect([await filled(first, early), await filled(second, late), await filled(third, best)]).toEqual([2, 1, 2]);
    house.venue.set(1, { asks: [[99, 5]] });
    await house.settled();
    expect(await filled(second, late)).toBe(1);
    house.venue.setPhase("closed");
    house.venue.set(0, { asks: [[99, 5]] });
    await house.settled();
    expect(await filled(second, late)).toBe(1);
    house.venue.setPhase("open");
    house.venue.set(0, { asks: [[99, 5]] });
    await house.settled();
    expect(await filled(second, late)).toBe(2);
  });
});
