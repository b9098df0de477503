/** Tests priority: market before limit, then the better price, then the earlier order; and each fill reaches its order. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import fc from "fast-check";
import type { OrderNo } from "#contract/kernel/id.ts";
import { startJobs } from "#server/jobs/index.ts";
import { OrderBook } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder } from "#server/trading/sequencer/order-book.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const resting = (n: number, side: RestingOrder["side"], limit: number | null, row = 0): RestingOrder => ({
  orderNo: `K${String(n).padStart(12, "0")}`,
  memberId: 1,
  row,
  side,
  limit,
  market: "board",
  atMarket: limit === null,
  lots: 1,
  timePriority: String(n).padStart(12, "0"),
});
const numbers = (queue: readonly RestingOrder[]): number[] => queue.map(({ orderNo }) => Number(orderNo.slice(1)));

describe("the order book", () => {
  it("is sorted by market, price and time", () => {
    const book = new OrderBook();
    for (const one of [resting(1, "buy", 99), resting(2, "buy", 101), resting(3, "buy", null), resting(4, "buy", 101)]) book.put(one);
    expect(numbers(book.queue(0, "buy"))).toEqual([3, 2, 4, 1]);
    for (const one of [resting(5, "sell", 99), resting(6, "sell", 101), resting(7, "sell", null)]) book.put(one);
    expect(numbers(book.queue(0, "sell"))).toEqual([7, 5, 6]);
    book.put(resting(1, "sell", 100));
    expect(numbers(book.queue(0, "sell"))).toEqual([7, 5, 1, 6]);
    expect(numbers(book.queue(0, "buy"))).toEqual([3, 2, 4]);
  });

  it("is correct after any sequence of additions and removals", () => {
    const change = fc.record({
      n: fc.nat(20),
      row: fc.nat(2),
      side: fc.constantFrom("buy" as const, "sell" as const),
      limit: fc.option(fc.nat(5), { nil: null }),
      leaves: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const book = new OrderBook();
        const there = new Map<string, RestingOrder>();
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
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await openTestBroker();
  });
  afterAll(async () => {
    expect(broker.faults).toEqual([]);
    await broker.shut();
  });

  it("are filled by price and then by time, as far as the book reaches", async () => {
    const [first, second, third] = [await broker.newMember(), await broker.newMember(), await broker.newMember()];
    const early = await broker.place(first, { price: 99, lots: 2 });
    const late = await broker.place(second, { price: 99, lots: 2 });
    const best = await broker.place(third, { price: 99.5, lots: 2 });
    broker.venue.set(0, { asks: [[99, 5]] });
    await broker.settled();
    const filled = async (member: number, { orderNo }: typeof early) =>
      (await broker.call("readOrder", member, { orderNo })).order.filledLots;
    expect([await filled(first, early), await filled(second, late), await filled(third, best)]).toEqual([2, 1, 2]);
    broker.venue.set(1, { asks: [[99, 5]] });
    await broker.settled();
    expect(await filled(second, late)).toBe(1);
    broker.venue.setMatching(0, "call");
    broker.venue.set(0, { asks: [[99, 5]] });
    await broker.settled();
    expect(await filled(second, late)).toBe(1);
    broker.venue.setMatching(0, null);
    broker.venue.set(0, { asks: [[99, 5]] });
    await broker.settled();
    expect(await filled(second, late)).toBe(2);
  });
});

describe("an order that is read while it fills", () => {
  it("is returned with its own fills, not with later ones", async () => {
    const broker = await openTestBroker();
    const member = await broker.newMember();
    const { orderNo } = await broker.place(member, { price: 100, lots: 2 });
    const reading = broker.call("readOrder", member, { orderNo });
    broker.venue.set(0, { asks: [[100, 1]] });
    const { order, fills } = await reading;
    expect(fills.reduce((sum, fill) => sum + fill.lots, 0)).toBe(order.filledLots);
    await broker.settled();
    expect((await broker.call("readOrder", member, { orderNo })).fills).toHaveLength(1);
    await broker.shut();
  });
});

describe("the end of a trading day", () => {
  let broker: TestBroker;
  let member: number;
  const DAY = 86_400_000;
  beforeEach(async () => {
    broker = await openTestBroker();
    broker.venue.setDay(broker.clock.now - DAY / 2, broker.clock.now + DAY / 2);
    member = await broker.newMember();
  });
  afterEach(async () => {
    expect(broker.faults).toEqual([]);
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
    await broker.shut();
  });
  const roll = async (): Promise<void> => {
    broker.clock.now += DAY;
    broker.venue.setDay(broker.clock.now - DAY / 2, broker.clock.now + DAY / 2);
    await broker.settled();
  };
  const orderOf = async ({ orderNo }: { orderNo: OrderNo }) => (await broker.call("readOrder", member, { orderNo })).order;
  const factTypes = () => broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);

  it("cancels unfilled resting orders and releases their money", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const part = await broker.place(member, { price: 100, lots: 3 });
    const none = await broker.place(member, { price: 95, lots: 2 });
    const held = await broker.place(member, { code: "2603", direction: "fall", price: 105 });
    broker.venue.set(1, { asks: [[100, 1]] });
    const position = await broker.place(member, { code: "2603" });
    const closing = await broker.close(member, position.orderNo, { price: 105 });
    expect(closing.status).toBe("readyToClose");
    await roll();
    expect(await orderOf(part)).toMatchObject({ status: "holding", lots: 2, filledLots: 2, heldCents: 0 });
    for (const one of [none, held]) expect(await orderOf(one)).toMatchObject({ status: "cancelled", heldCents: 0 });
    expect(await orderOf(closing)).toMatchObject({ status: "holding", closingLots: 0, closePrice: null });
    expect((await broker.call("readMember", member, {})).frozenCents).toBe(0);
    expect(factTypes().slice(-4).toSorted()).toEqual(["order.cancelled", "order.cancelled", "order.closeCancelled", "order.reduced"]);
  });

  it("is processed before the first prices of the next day are traded on", async () => {
    const stale = await broker.place(member, { price: 95 });
    broker.clock.now += DAY;
    broker.venue.setDay(broker.clock.now - 1, broker.clock.now + DAY);
    // At the same moment: the first prices of the new day.
    broker.venue.set(0, { asks: [[90, 9]], last: 90, reference: 90 });
    await broker.settled();
    expect(await orderOf(stale)).toMatchObject({ status: "cancelled", filledLots: 0 });
  });

  it("leaves orders of the new day alone, including closes of old positions", async () => {
    broker.venue.set(0, { asks: [[100, 1]] });
    const position = await broker.place(member);
    await roll();
    const fresh = await broker.place(member, { price: 95 });
    const closing = await broker.close(member, position.orderNo, { price: 105 });
    broker.venue.setPhase("closed");
    broker.venue.setPhase("open");
    await broker.settled();
    expect((await orderOf(fresh)).status).toBe("pending");
    expect((await orderOf(closing)).status).toBe("readyToClose");
    broker.venue.set(0, { bids: [[105, 1]] });
    await broker.settled();
    expect((await orderOf(closing)).status).toBe("closed");
  });

  it("is processed at the start of the server if it was missed", async () => {
    const stale = await broker.place(member, { price: 95 });
    await broker.stop();
    broker.clock.now += DAY;
    broker.venue.setDay(broker.clock.now - 1, broker.clock.now + DAY);
    const stop = await startJobs({ ...broker, now: () => broker.clock.now });
    await broker.settled();
    expect((await orderOf(stale)).status).toBe("cancelled");
    await stop();
  });
});
