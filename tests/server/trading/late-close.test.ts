/**
 * Tests members' orders while the close of a stock is put off: they stay in its call, which takes them again after a minute and fills them once, at
 * its own moment; also where the server is down meanwhile. What is left of them ends with it.
 */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Candle } from "#contract/candle.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { PastCall } from "#server/venue/venue.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const OPENS_AT = Date.UTC(2026, 6, 1, 1, 0, 0);
const CLOSES_AT = OPENS_AT + 270 * MINUTE_MS;
const TAKES_FROM = CLOSES_AT + MINUTE_MS;
const HELD_AT = CLOSES_AT + 3 * MINUTE_MS;

let broker: TestBroker;
let first: number;
let second: number;

const units = (amount: number): number => Math.round(amount * 10_000);

beforeEach(async () => {
  broker = await openTestBroker();
  const { venue, clock } = broker;
  clock.now = CLOSES_AT - MINUTE_MS;
  venue.setDay(OPENS_AT, CLOSES_AT);
  venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  venue.set(1, { bids: [], asks: [], last: 100, reference: 100 });
  [first, second] = [await broker.newMember(), await broker.newMember()];
  venue.setPhase("closingAuction");
});
afterEach(async () => {
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const read = async (member: number, { orderNo }: { orderNo: OrderNo }) => broker.call("readOrder", member, { orderNo });
const amend = (member: number, orderNo: OrderNo, change: { price?: number; lots?: number }) =>
  broker.call("amendOrder", member, {
    requestId: RequestId.parse(randomUUID()),
    orderNo,
    lots: change.lots ?? null,
    price: change.price === undefined ? null : units(change.price),
    trigger: null,
  });

/** The session ends, and the close of the first row is put off. */
async function putOff(): Promise<void> {
  const { venue, clock } = broker;
  clock.now = CLOSES_AT;
  venue.setLateClose(0, { takesFrom: TAKES_FROM, heldAt: HELD_AT });
  venue.setPhase("closed", CLOSES_AT + 10 * MINUTE_MS);
  venue.call("closing", [1], CLOSES_AT);
  await broker.settled();
}

/** The call is held, at 101 with so many lots of the market's own for sale, and the last one of the odd lots right after it. */
async function hold(lots = 10): Promise<void> {
  const { venue, clock } = broker;
  clock.now = HELD_AT;
  venue.setLateClose(0, null);
  venue.setCall(0, { asks: [[101, lots]], bids: [[101, 1]], anchor: 101 });
  venue.call("closing", [0], HELD_AT);
  venue.setCall(0, { asks: [[101, 500]], bids: [[101, 1]], anchor: 101 }, true);
  venue.call("odd", [0], HELD_AT);
  await broker.settled();
}

describe("a close that is put off", () => {
  it("keeps its orders when the session ends, fills them once at its own moment, and ends what is left", async () => {
    const order = await broker.place(first, { price: 102, lots: 4 });
    const beyond = await broker.place(second, { price: 100, lots: 2 });
    const onTime = await broker.place(first, { code: "2603", price: 90, lots: 1 });
    await putOff();
    expect((await read(first, onTime)).order.status).toBe("cancelled");
    expect((await read(first, order)).order).toMatchObject({ status: "pending", filledLots: 0 });
    expect((await read(second, beyond)).order.status).toBe("pending");
    await hold(3);
    expect((await read(first, order)).fills).toMatchObject([{ price: units(102), lots: 3, reason: "auction", at: HELD_AT }]);
    expect((await read(first, order)).order).toMatchObject({ status: "holding", filledLots: 3, heldCents: 0 });
    expect((await read(second, beyond)).order).toMatchObject({ status: "cancelled", filledLots: 0, heldCents: 0 });
    broker.venue.call("closing", [0], HELD_AT);
    broker.venue.setPhase("oddLot");
    await broker.settled();
    expect((await read(first, order)).order.filledLots).toBe(3);
  });

  it("takes nothing in its first minute: neither orders, nor changes, nor cancellations", async () => {
    const order = await broker.place(first, { price: 102, lots: 4 });
    await putOff();
    broker.clock.now = TAKES_FROM - 1;
    const refused = { code: "TRD_NON_TRADING_HOURS" };
    expect(await refusalOf(broker.place(second, { price: 101, lots: 1 }))).toMatchObject(refused);
    expect(await refusalOf(amend(first, order.orderNo, { lots: 2 }))).toMatchObject(refused);
    expect(await refusalOf(broker.cancel(first, order.orderNo))).toMatchObject(refused);
    const all = await broker.call("cancelOrders", first, { requestId: RequestId.parse(randomUUID()), code: null });
    expect(all).toMatchObject({ orders: [], refused: [{ orderNo: order.orderNo, code: "TRD_NON_TRADING_HOURS" }] });
    await hold();
    expect((await read(first, order)).order).toMatchObject({ status: "holding", filledLots: 4 });
  });

  it("takes orders, changes and cancellations from then on, limit orders for the day alone, and of no other stock", async () => {
    const amended = await broker.place(first, { price: 102, lots: 4 });
    const cancelled = await broker.place(first, { price: 102, lots: 4 });
    await putOff();
    broker.clock.now = TAKES_FROM;
    const fresh = await broker.place(second, { price: 101, lots: 1 });
    expect(fresh).toMatchObject({ status: "pending", filledLots: 0 });
    await amend(first, amended.orderNo, { price: 100.5 });
    await broker.cancel(first, cancelled.orderNo);
    expect(await refusalOf(broker.place(second, { price: null, lots: 1 }))).toMatchObject({ code: "TRD_AUCTION_LIMIT_ONLY" });
    expect(await refusalOf(broker.place(second, { code: "2603", price: 100, lots: 1 }))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
    await hold();
    expect((await read(second, fresh)).fills).toMatchObject([{ price: units(101), lots: 1, at: HELD_AT }]);
    expect((await read(first, amended)).order).toMatchObject({ status: "cancelled", filledLots: 0 });
    expect((await read(first, cancelled)).order).toMatchObject({ status: "cancelled", filledLots: 0 });
    expect(await refusalOf(broker.place(second, { price: 101, lots: 1 }))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
  });

  it("keeps single shares too, which trade right after it", async () => {
    const single = await broker.place(first, { price: 102, lots: 30, also: { market: "odd" } });
    await putOff();
    broker.clock.now = TAKES_FROM;
    const late = await broker.place(second, { price: 101, lots: 20, also: { market: "odd" } });
    await hold();
    expect((await read(first, single)).fills).toMatchObject([{ price: units(101), lots: 30, reason: "oddAuction", at: HELD_AT }]);
    expect((await read(second, late)).order).toMatchObject({ status: "holding", filledLots: 20 });
  });
});

/** The server is killed now, and another one starts at a moment; `isHeld`: the call has taken place meanwhile. */
async function restart(at: number, isHeld: boolean): Promise<void> {
  await broker.stop();
  await broker.settled();
  const { venue, clock, db } = broker;
  clock.now = at;
  const past: PastCall[] = [
    { kind: "closing", at: CLOSES_AT, share: 1, except: [0] },
    { kind: "closing", at: HELD_AT, share: 1, rows: [0] },
  ];
  const bar: Candle = { at: HELD_AT, open: units(101), high: units(101), low: units(101), close: units(101), volume: 40 };
  if (isHeld) venue.setLateClose(0, null);
  venue.setPastCalls(past, { "2330": [bar] });
  broker = await openTestBroker({ db, venue, clock });
  await broker.settled();
}

describe("the server is killed while it is awaited", () => {
  it("and is back in time: the orders are in the call that it then holds, once", async () => {
    const order = await broker.place(first, { price: 102, lots: 4 });
    await putOff();
    await restart(TAKES_FROM + SECOND_MS, false);
    expect((await read(first, order)).order).toMatchObject({ status: "pending", filledLots: 0 });
    const fresh = await broker.place(second, { price: 102, lots: 1 });
    await hold();
    await restart(HELD_AT + MINUTE_MS, true);
    expect((await read(first, order)).fills).toMatchObject([{ price: units(101), lots: 4, reason: "auction" }]);
    expect((await read(second, fresh)).order).toMatchObject({ status: "holding", filledLots: 1 });
  });

  it("and comes back too late: it is held late at its official price, with the orders that were in it", async () => {
    const order = await broker.place(first, { price: 102, lots: 4 });
    await putOff();
    broker.clock.now = TAKES_FROM;
    const fresh = await broker.place(second, { price: 101, lots: 1 });
    const beyond = await broker.place(second, { price: 100, lots: 1 });
    const gone = await broker.place(second, { price: 103, lots: 1 });
    await broker.cancel(second, gone.orderNo);
    await restart(HELD_AT + 2 * MINUTE_MS, true);
    expect((await read(first, order)).fills).toMatchObject([{ price: units(101), lots: 4, reason: "missedCall" }]);
    expect((await read(second, fresh)).fills).toMatchObject([{ price: units(101), lots: 1, reason: "missedCall" }]);
    expect((await read(second, gone)).order).toMatchObject({ status: "cancelled", filledLots: 0 });
    expect((await read(second, beyond)).order).toMatchObject({ status: "cancelled", filledLots: 0, heldCents: 0 });
    await restart(HELD_AT + 3 * MINUTE_MS, true);
    expect((await read(first, order)).order).toMatchObject({ status: "holding", filledLots: 4 });
  });
});
