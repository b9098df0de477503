/** Who is served first: market before limit, the better price, then the older order; and each fill finds its order. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import fc from "fast-check";
import type { OrderNo } from "#contract/kernel/id.ts";
import { startClockwork } from "#server/clockwork/index.ts";
import { RestingBook } from "#server/desks/order/resting.ts";
import type { Resting } from "#server/desks/order/resting.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openHouse } from "#tests/support/trading.ts";
import type { House } from "#tests/support/trading.ts";

const resting = (n: number, side: Resting["side"], limit: number | null, row = 0): Resting => ({
  orderNo: `K${String(n).padStart(12, "0")}`,
  memberId: 1,
  row,
  side,
  limit,
  market: "board",
  atMarket: limit === null,
  lots: 1,
  turn: String(n).padStart(12, "0"),
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
        expect(book.rows("board")).toEqual(new Set([...there.values()].map(({ row }) => row)));
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
    house.venue.setMatching(0, "call");
    house.venue.set(0, { asks: [[99, 5]] });
    await house.settled();
    expect(await filled(second, late)).toBe(1);
    house.venue.setMatching(0, null);
    house.venue.set(0, { asks: [[99, 5]] });
    await house.settled();
    expect(await filled(second, late)).toBe(2);
  });
});

describe("an order that is read while it fills", () => {
  it("is told with its own fills, not with those that came after it was looked up", async () => {
    const house = await openHouse();
    const member = await house.newMember();
    const { orderNo } = await house.place(member, { price: 100, lots: 2 });
    const reading = house.call("readOrder", member, { orderNo });
    house.venue.set(0, { asks: [[100, 1]] });
    const { order, fills } = await reading;
    expect(fills.reduce((sum, fill) => sum + fill.lots, 0)).toBe(order.filledLots);
    await house.settled();
    expect((await house.call("readOrder", member, { orderNo })).fills).toHaveLength(1);
    await house.shut();
  });
});

describe("a trading day that ends", () => {
  let house: House;
  let member: number;
  const DAY = 86_400_000;
  beforeEach(async () => {
    house = await openHouse();
    house.venue.setDay(house.clock.now - DAY / 2, house.clock.now + DAY / 2);
    member = await house.newMember();
  });
  afterEach(async () => {
    expect(house.faults).toEqual([]);
    expect((await auditBooks(house.db.kysely)).differences).toEqual([]);
    await house.shut();
  });
  const roll = async (): Promise<void> => {
    house.clock.now += DAY;
    house.venue.setDay(house.clock.now - DAY / 2, house.clock.now + DAY / 2);
    await house.settled();
  };
  const orderOf = async ({ orderNo }: { orderNo: OrderNo }) => (await house.call("readOrder", member, { orderNo })).order;
  const told = () => house.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);

  it("takes what rests unfilled along, and gives the money back", async () => {
    house.venue.set(0, { asks: [[100, 2]] });
    const part = await house.place(member, { price: 100, lots: 3 });
    const none = await house.place(member, { price: 95, lots: 2 });
    const held = await house.place(member, { code: "2603", direction: "fall", price: 105 });
    house.venue.set(1, { asks: [[100, 1]] });
    const position = await house.place(member, { code: "2603" });
    const closing = await house.close(member, position.orderNo, { price: 105 });
    expect(closing.status).toBe("readyToClose");
    await roll();
    expect(await orderOf(part)).toMatchObject({ status: "holding", lots: 2, filledLots: 2, heldCents: 0 });
    for (const one of [none, held]) expect(await orderOf(one)).toMatchObject({ status: "cancelled", heldCents: 0 });
    expect(await orderOf(closing)).toMatchObject({ status: "holding", closingLots: 0, closePrice: null });
    expect((await house.call("readMember", member, {})).frozenCents).toBe(0);
    expect(told().slice(-4).toSorted()).toEqual(["order.cancelled", "order.cancelled", "order.closeCancelled", "order.reduced"]);
  });

  it("is over before the next one's prices are traded on", async () => {
    const stale = await house.place(member, { price: 95 });
    house.clock.now += DAY;
    house.venue.setDay(house.clock.now - 1, house.clock.now + DAY);
    // In the same breath: the first prices of the new day.
    house.venue.set(0, { asks: [[90, 9]], last: 90, reference: 90 });
    await house.settled();
    expect(await orderOf(stale)).toMatchObject({ status: "cancelled", filledLots: 0 });
  });

  it("leaves alone what was asked for in the new day, a close of an old position too", async () => {
    house.venue.set(0, { asks: [[100, 1]] });
    const position = await house.place(member);
    await roll();
    const fresh = await house.place(member, { price: 95 });
    const closing = await house.close(member, position.orderNo, { price: 105 });
    house.venue.setPhase("closed");
    house.venue.setPhase("open");
    await house.settled();
    expect((await orderOf(fresh)).status).toBe("pending");
    expect((await orderOf(closing)).status).toBe("readyToClose");
    house.venue.set(0, { bids: [[105, 1]] });
    await house.settled();
    expect((await orderOf(closing)).status).toBe("closed");
  });

  it("ends for whoever was away, when the house opens again", async () => {
    const stale = await house.place(member, { price: 95 });
    house.stop();
    house.clock.now += DAY;
    house.venue.setDay(house.clock.now - 1, house.clock.now + DAY);
    const stop = await startClockwork({ ...house, now: () => house.clock.now });
    await house.settled();
    expect((await orderOf(stale)).status).toBe("cancelled");
    stop();
  });
});
