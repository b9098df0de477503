/**
 * Tests the price of continuous matching: a resting order is executed at its own price, neither better nor worse, when the book reaches it.
 */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
let other: number;

beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.venue.setMatching(0, null);
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  await broker.settled();
  [member, other] = [await broker.newMember(), await broker.newMember()];
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

type Levels = [price: number, lots: number][];
const read = (who: number, { orderNo }: { orderNo: OrderNo }) => broker.call("readOrder", who, { orderNo });
const fillsOf = async (who: number, order: { orderNo: OrderNo }) =>
  (await read(who, order)).fills.map(({ price, lots, reason }) => [price / 10_000, lots, reason]);

describe("an order that the book reaches", () => {
  it("is bought at its own limit, with that reason", async () => {
    const order = await broker.place(member, { price: 100, lots: 3 });
    broker.venue.set(0, {
      asks: [
        [98, 2],
        [99, 5],
      ],
    });
    await broker.settled();
    const { order: now, fills } = await read(member, order);
    expect(fills).toMatchObject([
      { price: 1_000_000, lots: 2, reason: "resting", level: 1, best: 980_000 },
      { price: 1_000_000, lots: 1, reason: "resting", level: 2, best: 980_000 },
    ]);
    expect(now).toMatchObject({ status: "holding", openCents: 30_000_000, heldCents: 0 });
  });

  it("is sold at its own limit, for opening and for closing", async () => {
    const short = await broker.place(member, { direction: "fall", price: 101, lots: 1 });
    broker.venue.set(0, { asks: [[100, 1]] });
    const long = await broker.place(member, { code: "2330", lots: 1 });
    await broker.close(member, long.orderNo, { price: 102, lots: 1 });
    broker.venue.set(0, { bids: [[104, 9]] });
    await broker.settled();
    expect(await fillsOf(member, short)).toEqual([[101, 1, "resting"]]);
    expect(await fillsOf(member, long)).toEqual([
      [100, 1, "bookLevel"],
      [102, 1, "resting"],
    ]);
  });

  it("takes the book's prices on entry, and its own price for the rest", async () => {
    broker.venue.set(0, { asks: [[98, 2]] });
    const order = await broker.place(member, { price: 100, lots: 3 });
    broker.venue.set(0, { asks: [[97, 5]] });
    await broker.settled();
    expect(await fillsOf(member, order)).toEqual([
      [98, 2, "limitOrBetter"],
      [100, 1, "resting"],
    ]);
  });

  it("counts as a new order after a price change, and takes the book's prices", async () => {
    const order = await broker.place(member, { price: 95, lots: 1 });
    broker.venue.set(0, { asks: [[98, 2]] });
    await broker.call("amendOrder", member, {
      requestId: crypto.randomUUID() as never,
      orderNo: order.orderNo,
      lots: null,
      price: 1_000_000,
    });
    expect(await fillsOf(member, order)).toEqual([[98, 1, "limitOrBetter"]]);
  });

  it("at market is executed at the worse of the last trade and the incoming price", async () => {
    const buys = await broker.place(member, { lots: 2 });
    expect(buys.status).toBe("pending");
    broker.venue.set(0, {
      asks: [
        [98, 1],
        [103, 5],
      ],
    });
    await broker.settled();
    expect(await fillsOf(member, buys)).toEqual([
      [100, 1, "resting"],
      [103, 1, "resting"],
    ]);
    broker.venue.set(0, { asks: [], bids: [] });
    const sells = await broker.place(other, { direction: "fall", lots: 2 });
    broker.venue.set(0, {
      bids: [
        [102, 1],
        [97, 5],
      ],
    });
    await broker.settled();
    expect(await fillsOf(other, sells)).toEqual([
      [100, 1, "resting"],
      [97, 1, "resting"],
    ]);
  });
});

describe("two members", () => {
  it("trade at the price of the resting order, and each fact says its role", async () => {
    const rests = await broker.place(member, { price: 100 });
    const comes = await broker.place(other, { direction: "fall", price: 98 });
    expect(await fillsOf(member, rests)).toEqual([[100, 1, "resting"]]);
    expect(await fillsOf(other, comes)).toEqual([[100, 1, "member"]]);
  });

  it.each([true, false])("that both rested trade at the price of the earlier one (the buyer: %s)", async (buyerFirst) => {
    broker.venue.setMatching(0, "call");
    const buy = () => broker.place(member, { price: 101 });
    const sell = () => broker.place(other, { direction: "fall", price: 99 });
    const first = await (buyerFirst ? buy() : sell());
    const second = await (buyerFirst ? sell() : buy());
    broker.venue.setMatching(0, null);
    broker.venue.set(0, { last: 100 });
    await broker.settled();
    const [early, late] = buyerFirst ? [member, other] : [other, member];
    const at = buyerFirst ? 101 : 99;
    expect(await fillsOf(early, first)).toEqual([[at, 1, "resting"]]);
    expect(await fillsOf(late, second)).toEqual([[at, 1, "member"]]);
  });
});

describe("for any sequence of books", () => {
  const side = fc.constantFrom("rise" as const, "fall" as const);
  const half = fc.integer({ min: 190, max: 210 }).map((each) => each / 2);
  const levels: fc.Arbitrary<Levels> = fc.uniqueArray(fc.tuple(half, fc.integer({ min: 1, max: 4 })), {
    maxLength: 4,
    selector: ([at]) => at,
  });

  it("a resting order is executed at its own price, to the cent", async () => {
    await fc.assert(
      fc.asyncProperty(
        side,
        half,
        fc.integer({ min: 1, max: 6 }),
        fc.array(levels, { minLength: 1, maxLength: 4 }),
        async (direction, at, lots, books) => {
          broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
          const who = await broker.newMember();
          const order = await broker.place(who, { direction, price: at, lots });
          for (const book of books) {
            const best = (rising: boolean) => book.toSorted(([a], [b]) => (rising ? a - b : b - a));
            broker.venue.set(0, direction === "rise" ? { asks: best(true), bids: [] } : { bids: best(false), asks: [] });
            await broker.settled();
          }
          const reached = books.reduce((sum, book) => {
            const there = book.filter(([each]) => (direction === "rise" ? each <= at : each >= at));
            return Math.min(lots, sum + there.reduce((all, [, some]) => all + some, 0));
          }, 0);
          const { order: now, fills } = await read(who, order);
          expect(now.filledLots).toBe(reached);
          expect(new Set(fills.map(({ price }) => price / 10_000))).toEqual(new Set(reached > 0 ? [at] : []));
          expect(now.openCents).toBe(at * 100 * 1_000 * reached);
          if (now.status === "pending") await broker.cancel(who, order.orderNo);
        },
      ),
      { numRuns: 20, endOnFailure: true },
    );
  });
});
