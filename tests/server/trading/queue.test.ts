/** Tests that resting orders wait their turn behind what was displayed when they came, through the broker and its database. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { QueuePlaces } from "#server/trading/sequencer/queue-places.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let buyer: number;
let other: number;
let seller: number;

beforeEach(async () => {
  broker = await openTestBroker();
  broker.venue.set(0, { bids: [[100, 454]], asks: [[100.5, 300]], last: 100, reference: 100, volume: 1_000 });
  [buyer, other, seller] = [await broker.newMember(), await broker.newMember(), await broker.newMember()];
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

/** The market sells some lots at the bid of 100. */
async function sold(lots: number, at = 100): Promise<void> {
  broker.venue.set(0, { last: at, volume: broker.venue.quote(0).volume + lots });
  await broker.settled();
}
const read = async (member: number, orderNo: OrderNo) => (await broker.call("readOrder", member, { orderNo })).order;
const place = async (member: number, orderNo: OrderNo) =>
  (await broker.call("readQueue", member, { orderNos: [orderNo] })).places.map(({ lots }) => lots)[0] ?? null;

describe("a resting order", () => {
  it("waits until the lots that were displayed before it have traded", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 10 });
    expect(await place(buyer, orderNo)).toBe(454);
    await sold(52);
    expect([await place(buyer, orderNo), (await read(buyer, orderNo)).filledLots]).toEqual([402, 0]);
    await sold(402);
    expect([await place(buyer, orderNo), (await read(buyer, orderNo)).filledLots]).toEqual([0, 0]);
    await sold(4);
    expect(await read(buyer, orderNo)).toMatchObject({ filledLots: 4, openCents: 40_000_000 });
    await sold(100);
    expect(await read(buyer, orderNo)).toMatchObject({ status: "holding", filledLots: 10 });
    expect(await place(buyer, orderNo)).toBe(null);
  });

  it("stands behind members who came before it, and is told so", async () => {
    const first = await broker.place(buyer, { price: 100, lots: 5 });
    const second = await broker.place(other, { price: 100, lots: 5 });
    expect([await place(buyer, first.orderNo), await place(other, second.orderNo)]).toEqual([454, 459]);
    await sold(457);
    expect([(await read(buyer, first.orderNo)).filledLots, (await read(other, second.orderNo)).filledLots]).toEqual([3, 0]);
    expect(await place(other, second.orderNo)).toBe(2);
    await sold(5);
    expect([(await read(buyer, first.orderNo)).filledLots, (await read(other, second.orderNo)).filledLots]).toEqual([5, 3]);
  });

  it("is first where the market shows nothing at its price", async () => {
    broker.venue.set(0, { bids: [[99.5, 200]], asks: [[100.5, 300]] });
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 2 });
    expect(await place(buyer, orderNo)).toBe(0);
    await sold(1, 99.5);
    expect((await read(buyer, orderNo)).filledLots).toBe(1);
  });

  it("is not passed by trades below it: they count like those at its price, at the better price first", async () => {
    broker.venue.set(0, {
      bids: [
        [100, 20],
        [99.5, 30],
      ],
    });
    const better = await broker.place(buyer, { price: 100, lots: 2 });
    const worse = await broker.place(other, { price: 99.5, lots: 2 });
    await sold(9, 99.5);
    expect([await place(buyer, better.orderNo), await place(other, worse.orderNo)]).toEqual([11, 30]);
    // 11 before the first order, its two lots, and 8 of those before the second.
    await sold(21, 99.5);
    expect(await read(buyer, better.orderNo)).toMatchObject({ filledLots: 2, openCents: 20_000_000 });
    expect([await place(other, worse.orderNo), (await read(other, worse.orderNo)).filledLots]).toEqual([22, 0]);
  });

  it("gets of an offer at its price what is left by those who stand before it", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    broker.venue.set(0, { bids: [[99.5, 100]], asks: [[100, 50]] });
    await broker.settled();
    expect([await place(buyer, orderNo), (await read(buyer, orderNo)).filledLots]).toEqual([404, 0]);
    // Nobody who comes later gets those lots: they are sold.
    expect(broker.venue.depth(0).asks).toEqual([]);
    broker.venue.set(0, { asks: [[100, 407]] });
    await broker.settled();
    expect([await place(buyer, orderNo), (await read(buyer, orderNo)).filledLots]).toEqual([0, 3]);
    broker.venue.set(0, { asks: [[99.5, 8]] });
    await broker.settled();
    expect(await read(buyer, orderNo)).toMatchObject({ status: "holding", filledLots: 5, openCents: 50_000_000 });
    expect(broker.venue.depth(0).asks).toEqual([[995_000, 6]]);
  });

  it("gets an offer at its price once those before it are cancelled: the display shows none of them any more", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    broker.venue.set(0, { bids: [[99.5, 100]], asks: [[100, 50]] });
    await broker.settled();
    broker.clock.now += 5_000;
    await broker.tick();
    expect([await place(buyer, orderNo), (await read(buyer, orderNo)).filledLots]).toEqual([0, 0]);
    broker.venue.set(0, { asks: [[100, 4]] });
    await broker.settled();
    expect((await read(buyer, orderNo)).filledLots).toBe(4);
  });

  it("keeps its place when its lots are reduced, and takes a new one at another price", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    await sold(100);
    await broker.call("amendOrder", buyer, { requestId: crypto.randomUUID() as never, orderNo, lots: 3, price: null });
    expect(await place(buyer, orderNo)).toBe(354);
    broker.venue.set(0, {
      bids: [
        [100, 400],
        [99.5, 77],
      ],
    });
    await broker.settled();
    await broker.call("amendOrder", buyer, { requestId: crypto.randomUUID() as never, orderNo, lots: null, price: 995_000 });
    expect(await place(buyer, orderNo)).toBe(77);
  });

  it("advances as others cancel before it, and has never more ahead than is displayed", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    broker.clock.now += 5_000;
    await broker.tick();
    expect(await place(buyer, orderNo)).toBe(Math.ceil(454 * Math.exp(-5 / 240)));
    broker.venue.set(0, { bids: [[100, 30]] });
    broker.clock.now += 5_000;
    await broker.tick();
    expect(await place(buyer, orderNo)).toBe(30);
  });

  it("keeps its place in a call, and stands behind no more than is displayed afterwards", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    broker.venue.setMatching(0, "call");
    broker.venue.set(0, { bids: [[100, 80]] });
    await broker.settled();
    expect(await place(buyer, orderNo)).toBe(454);
    const { orderNo: later } = await broker.place(other, { price: 100, lots: 5 });
    expect(await place(other, later)).toBe(null);
    broker.venue.setMatching(0, null);
    broker.venue.set(0, {});
    await broker.settled();
    expect([await place(buyer, orderNo), await place(other, later)]).toEqual([80, 85]);
  });

  it("does not gain a place by a long call: nobody ahead is cancelled for the time before the queue was formed", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    broker.venue.setMatching(0, "call");
    broker.venue.set(0, {});
    await broker.settled();
    broker.clock.now += 1_800_000;
    await broker.tick();
    broker.venue.setMatching(0, null);
    broker.venue.set(0, { bids: [[100, 80]] });
    await broker.settled();
    broker.clock.now += 5_000;
    await broker.tick();
    expect(await place(buyer, orderNo)).toBe(Math.ceil(80 * Math.exp(-5 / 240)));
  });

  it("is filled by the last trades before a call, which find no place any more afterwards", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    broker.venue.setMatching(0, "call");
    await sold(457);
    expect((await read(buyer, orderNo)).filledLots).toBe(3);
    await sold(457);
    expect((await read(buyer, orderNo)).filledLots).toBe(3);
  });

  it("is filled by the last trades before a call although the clock comes to the call first", () => {
    const venue = fakeVenue(INSTRUMENTS);
    venue.set(0, { bids: [[100, 454]], last: 100, volume: 1_000 });
    const places = new QueuePlaces(venue, () => 0);
    const order = { orderNo: "1", memberId: 1, row: 0, side: "buy", market: "board", atMarket: false, limit: 1_000_000, lots: 5 } as const;
    const resting = { ...order, timePriority: "1" };
    places.put(resting, places.placeFor(resting));
    venue.set(0, { volume: 1_457 });
    venue.setMatching(0, "call");
    places.step();
    expect(places.due("1")).toBe(3);
  });

  it("shows its place to its own member only", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    expect(await place(other, orderNo)).toBe(null);
  });
});

describe("what the market has reached", () => {
  /** The market sells some lots at 100; nothing has been matched yet. */
  const sell = (lots: number): void => broker.venue.set(0, { last: 100, volume: broker.venue.quote(0).volume + lots });

  it("cannot be cancelled any more: the order is filled, and only the rest of it is cancelled", async () => {
    const whole = await broker.place(buyer, { price: 100, lots: 10 });
    const cancelled = refusalOf(broker.cancel(buyer, whole.orderNo));
    sell(464);
    expect(await cancelled).toMatchObject({ code: "TRD_ORDER_NOT_PENDING" });
    expect(await read(buyer, whole.orderNo)).toMatchObject({ status: "holding", filledLots: 10, openCents: 100_000_000 });
    const part = await broker.place(buyer, { price: 100, lots: 10 });
    const reduced = broker.cancel(buyer, part.orderNo);
    sell(457);
    await reduced;
    expect(await read(buyer, part.orderNo)).toMatchObject({ status: "holding", filledLots: 3, lots: 3 });
  });

  it("cannot be cancelled with all other orders at once either", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 10 });
    const cancelled = broker.call("cancelOrders", buyer, { requestId: crypto.randomUUID() as never, code: null });
    sell(500);
    expect(await cancelled).toMatchObject({ orders: [], refused: [] });
    expect(await read(buyer, orderNo)).toMatchObject({ status: "holding", filledLots: 10 });
  });

  it("cannot be amended any more: fewer lots than it has got are refused, another price is for the rest", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 10 });
    const amended = broker.call("amendOrder", buyer, { requestId: crypto.randomUUID() as never, orderNo, lots: null, price: 995_000 });
    sell(458);
    await amended;
    const { order, fills } = await broker.call("readOrder", buyer, { orderNo });
    expect(order).toMatchObject({ status: "pending", price: 995_000, filledLots: 4, lots: 10 });
    expect(fills.map(({ lots, price }) => [lots, price])).toEqual([[4, 1_000_000]]);
  });

  it("does not expire with the day", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 10 });
    sell(457);
    broker.venue.setPhase("closed");
    broker.clock.now += 86_400_000;
    await broker.settled();
    expect(await read(buyer, orderNo)).toMatchObject({ status: "holding", filledLots: 3 });
  });

  it("is not sold twice: a member who comes after the trade meets only what is left of the order", async () => {
    broker.venue.set(0, { bids: [[100, 4]] });
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 10 });
    const taken = broker.place(seller, { direction: "fall", price: 100, lots: 12 });
    sell(10);
    const { filledLots } = await read(seller, (await taken).orderNo);
    expect(await read(buyer, orderNo)).toMatchObject({ status: "holding", filledLots: 10 });
    expect((await broker.call("readOrder", buyer, { orderNo })).fills.map(({ lots }) => lots)).toEqual([6, 4]);
    expect(filledLots).toBe(8);
  });
});

describe("a member who takes", () => {
  it("meets the displayed lots that came before a member, the member, and then those behind", async () => {
    broker.venue.set(0, { bids: [[100, 3]] });
    const rests = await broker.place(buyer, { price: 100, lots: 2 });
    broker.venue.set(0, { bids: [[100, 8]] });
    await broker.settled();
    const { orderNo } = await broker.place(seller, { direction: "fall", price: 100, lots: 7 });
    const { fills } = await broker.call("readOrder", seller, { orderNo });
    expect(fills.map(({ lots, reason }) => [lots, reason])).toEqual([
      [3, "limitOrBetter"],
      [2, "member"],
      [2, "limitOrBetter"],
    ]);
    expect(await read(buyer, rests.orderNo)).toMatchObject({ status: "holding", filledLots: 2 });
  });

  it("shortens the queue before the others", async () => {
    const rests = await broker.place(buyer, { price: 100, lots: 2 });
    await broker.place(seller, { direction: "fall", price: 100, lots: 54 });
    expect(await place(buyer, rests.orderNo)).toBe(400);
    expect((await read(buyer, rests.orderNo)).filledLots).toBe(0);
  });
});

describe("after a restart", () => {
  it("an order stands where it stood, as far as it was stored, and is not behind those who came later", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    await sold(254);
    broker.clock.now += 1_000;
    await broker.tick();
    const { db, venue, clock } = broker;
    await broker.stop();
    await broker.settled();
    venue.set(0, { bids: [[100, 900]] });
    broker = await openTestBroker({ db, venue, clock });
    expect(await place(buyer, orderNo)).toBe(200);
    const later = await broker.place(other, { price: 100, lots: 5 });
    expect(await place(other, later.orderNo)).toBe(905);
    await sold(201);
    expect([(await read(buyer, orderNo)).filledLots, (await read(other, later.orderNo)).filledLots]).toEqual([1, 0]);
  });

  it("an order that was just placed has its place: it is stored in the same transaction", async () => {
    const { orderNo } = await broker.place(buyer, { price: 100, lots: 5 });
    const { db, venue, clock } = broker;
    await broker.stop();
    venue.set(0, { bids: [[100, 900]] });
    broker = await openTestBroker({ db, venue, clock });
    expect(await place(buyer, orderNo)).toBe(454);
  });
});
