/** Tests where members' orders stand in a call auction and after it: behind what stood before them when it began, or what came before them in it. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
let other: number;

beforeEach(async () => {
  broker = await openTestBroker();
  broker.venue.set(0, { bids: [[100, 20]], asks: [[100.5, 300]], last: 100, reference: 100, volume: 1_000 });
  [member, other] = [await broker.newMember(), await broker.newMember()];
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const read = async (orderNo: OrderNo, of = member) => (await broker.call("readOrder", of, { orderNo })).order;
const place = async (orderNo: OrderNo) => (await broker.call("readQueue", member, { orderNos: [orderNo] })).places[0]?.lots ?? null;

/** The call of 100 begins. */
async function begin(): Promise<void> {
  broker.venue.setMatching(0, "call");
  broker.venue.set(0, {});
  await broker.settled();
}

/** Holds the call, and shows so many bids at 100 afterwards. */
async function hold(own: Parameters<TestBroker["venue"]["setCall"]>[1], shown: number): Promise<void> {
  broker.venue.setCall(0, own);
  broker.venue.setMatching(0, null);
  broker.venue.call("resume", [0]);
  broker.venue.set(0, { bids: [[100, shown]] });
  await broker.settled();
  broker.venue.set(0, {});
  await broker.settled();
}
const bids = (lots: number) => [[100, lots]] as [number, number][];

describe("an order that waited before the call", () => {
  it("is served after those who stood before it, and before those who came in the call", async () => {
    const { orderNo } = await broker.place(member, { price: 100, lots: 10 });
    await begin();
    await hold({ bids: bids(600), asks: bids(25), anchor: 100 }, 500);
    expect((await read(orderNo)).filledLots).toBe(5);
    // What is left of it is first.
    expect(await place(orderNo)).toBe(0);
  });

  it("keeps before it what the call has not served of that, and no more than is displayed", async () => {
    const { orderNo } = await broker.place(member, { price: 100, lots: 10 });
    await begin();
    await hold({ bids: bids(600), asks: bids(8), anchor: 100 }, 500);
    expect([(await read(orderNo)).filledLots, await place(orderNo)]).toEqual([0, 12]);
    await begin();
    await hold({ bids: bids(600), asks: bids(2), anchor: 100 }, 7);
    expect([(await read(orderNo)).filledLots, await place(orderNo)]).toEqual([0, 7]);
  });

  it("is still there after a restart", async () => {
    const { orderNo } = await broker.place(member, { price: 100, lots: 10 });
    await begin();
    await hold({ bids: bids(600), asks: bids(23), anchor: 100 }, 500);
    await broker.stop();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    expect([(await read(orderNo)).filledLots, await place(orderNo)]).toEqual([3, 0]);
  });

  it("stands behind all who came with it where its price is new", async () => {
    const { orderNo } = await broker.place(member, { price: 99.5, lots: 10 });
    await begin();
    broker.clock.now += MINUTE_MS;
    await broker.call("amendOrder", member, { requestId: RequestId.parse(randomUUID()), orderNo, lots: null, price: price(1_000_000) });
    const came = { from: broker.clock.now - MINUTE_MS, until: broker.clock.now };
    await hold({ bids: bids(600), asks: bids(30), anchor: 100, came }, 500);
    // All of them came before it.
    expect([(await read(orderNo)).filledLots, await place(orderNo)]).toEqual([0, 500]);
  });
});

describe("an order that the call does not reach", () => {
  it("keeps its place, however little of the market is in the call at its price", async () => {
    broker.venue.set(0, {
      bids: [
        [100, 20],
        [99, 300],
      ],
    });
    const { orderNo } = await broker.place(member, { price: 99, lots: 10 });
    await begin();
    const { orderNo: later } = await broker.place(member, { price: 99, lots: 10 });
    broker.venue.setCall(0, { bids: bids(40), asks: bids(24), anchor: 100, came: { from: broker.clock.now, until: broker.clock.now + 1 } });
    broker.venue.setMatching(0, null);
    broker.venue.call("resume", [0]);
    broker.venue.set(0, {});
    await broker.settled();
    expect([await place(orderNo), await place(later)]).toEqual([300, 310]);
  });
});

describe("an order that came in the call", () => {
  it("is served when those who came before it are, and what is left of it is first", async () => {
    await begin();
    const from = broker.clock.now;
    broker.clock.now += MINUTE_MS / 2;
    const { orderNo } = await broker.place(member, { price: 100, lots: 10 });
    broker.clock.now += MINUTE_MS / 2;
    await hold({ bids: bids(40), asks: bids(24), anchor: 100, came: { from, until: broker.clock.now } }, 500);
    expect([(await read(orderNo)).filledLots, await place(orderNo)]).toEqual([4, 0]);
  });

  it("has the time of the market's lots where it closes a position, too", async () => {
    broker.venue.set(0, { asks: [[100, 10]] });
    const { orderNo } = await broker.place(member, { lots: 10 });
    await begin();
    const from = broker.clock.now;
    broker.clock.now += MINUTE_MS / 4;
    await broker.close(member, orderNo, { price: 100, lots: 10 });
    broker.clock.now = from + MINUTE_MS;
    await hold({ bids: bids(15), asks: bids(40), anchor: 100, came: { from, until: broker.clock.now } }, 500);
    // A quarter of the market's forty lots came before it.
    const { fills } = await broker.call("readOrder", member, { orderNo });
    expect(fills.filter(({ reason }) => reason === "auction").map(({ lots }) => lots)).toEqual([5]);
  });

  it("goes behind another member's that came before it", async () => {
    const first = await broker.place(other, { price: 100, lots: 10 });
    await begin();
    const from = broker.clock.now;
    const second = await broker.place(member, { price: 100, lots: 10 });
    await hold({ bids: bids(200), asks: bids(36), anchor: 100, came: { from, until: from + MINUTE_MS } }, 500);
    expect((await read(first.orderNo, other)).filledLots).toBe(10);
    expect((await read(second.orderNo)).filledLots).toBe(6);
    expect(await place(second.orderNo)).toBe(0);
  });
});

describe("where a stock is traded by calls alone", () => {
  it("an order has the place that a call has left it, which counts in the next", async () => {
    await begin();
    const from = broker.clock.now;
    const { orderNo } = await broker.place(member, { price: 100, lots: 10 });
    expect(await place(orderNo)).toBe(null);
    const call = async (bid: number, ask: number): Promise<void> => {
      broker.clock.now += MINUTE_MS;
      const came = { from: broker.clock.now - MINUTE_MS, until: broker.clock.now };
      broker.venue.setCall(0, {
        bids: bids(bid),
        asks: bids(ask),
        anchor: 100,
        came: from === came.from ? { from: from - MINUTE_MS, until: from } : came,
      });
      broker.venue.call("periodic", [0]);
      await broker.settled();
    };
    // All of the market's lots came before it.
    await call(60, 20);
    expect([(await read(orderNo)).filledLots, await place(orderNo)]).toEqual([0, 40]);
    // Those that are new do not.
    await call(90, 44);
    expect([(await read(orderNo)).filledLots, await place(orderNo)]).toEqual([4, 0]);
  });
});
