/** Tests that a call auction missed while the server was down is held late at its official price, once, for the orders that were in it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Candle } from "#contract/candle.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { PastCall } from "#server/venue/venue.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let first: number;
let second: number;
/** When the call takes place. */
let callAt: number;

const units = (amount: number): number => Math.round(amount * 10_000);

/** A minute bar that begins with the call. */
const bar = (open: number, close: number, volume: number): Candle => ({
  at: callAt,
  open: units(open),
  high: units(Math.max(open, close)),
  low: units(Math.min(open, close)),
  close: units(close),
  volume,
});

beforeEach(async () => {
  broker = await openTestBroker();
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  [first, second] = [await broker.newMember(), await broker.newMember()];
  broker.venue.setPhase("preOpen");
  callAt = broker.clock.now + 10 * MINUTE_MS;
});
afterEach(async () => {
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const read = async (member: number, { orderNo }: { orderNo: OrderNo }) => broker.call("readOrder", member, { orderNo });

/** Takes the server down now and brings it back at a moment after the call, with what the venue then reports of it. */
async function comeBack(past: PastCall[], bars: Record<string, Candle[]>, at = callAt + 5 * MINUTE_MS): Promise<void> {
  await broker.stop();
  await broker.settled();
  const { venue, clock, db, faults } = broker;
  expect(faults).toEqual([]);
  clock.now = at;
  venue.setPastCalls(past, bars);
  venue.setPhase("open");
  broker = await openTestBroker({ db, venue, clock });
}

const opening = (): PastCall => ({ kind: "opening", at: callAt, share: 0.5 });
const closing = (): PastCall => ({ kind: "closing", at: callAt, share: 1 });

describe("a missed call", () => {
  it("fills at its official price what the price reaches, both to open and to close", async () => {
    broker.venue.setPhase("open");
    broker.venue.set(0, { asks: [[100, 4]] });
    const held = await broker.place(second, { lots: 2 });
    broker.venue.set(0, { asks: [] });
    broker.venue.setPhase("preOpen");
    const reached = await broker.place(first, { price: 102, lots: 2 });
    const beyond = await broker.place(first, { price: 100.5, lots: 2 });
    await broker.close(second, held.orderNo, { price: 100, lots: 2 });
    await comeBack([opening()], { "2330": [bar(101, 105, 40)] });
    const { order, fills } = await read(first, reached);
    expect(order).toMatchObject({ status: "holding", filledLots: 2, heldCents: 0 });
    expect(fills).toMatchObject([{ price: units(101), lots: 2, reason: "missedCall", level: 0, at: broker.clock.now }]);
    expect((await read(first, beyond)).order).toMatchObject({ status: "pending", filledLots: 0 });
    expect((await read(second, held)).fills.at(-1)).toMatchObject({ side: "close", price: units(101), lots: 2, reason: "missedCall" });
    expect(broker.faults).toEqual([]);
  });

  it("gives each side no more lots than traded in it, the better price first, then by time", async () => {
    const early = await broker.place(first, { price: 101, lots: 4 });
    const better = await broker.place(second, { price: 103, lots: 4 });
    const late = await broker.place(first, { price: 101, lots: 4 });
    await comeBack([opening()], { "2330": [bar(101, 101, 12)] });
    expect((await read(second, better)).order.filledLots).toBe(4);
    expect((await read(first, early)).order.filledLots).toBe(2);
    expect((await read(first, late)).order.filledLots).toBe(0);
  });

  it("takes its price from the close of its minute at the end of the day, and its orders do not expire first", async () => {
    broker.venue.setPhase("closingAuction");
    const order = await broker.place(first, { price: 102, lots: 1 });
    await broker.stop();
    await broker.settled();
    const { venue, clock, db } = broker;
    clock.now = callAt + MINUTE_MS;
    venue.setPastCalls([closing()], { "2330": [bar(103, 101.5, 40)] });
    venue.setPhase("closed");
    broker = await openTestBroker({ db, venue, clock });
    await broker.settled();
    expect((await read(first, order)).fills).toMatchObject([{ price: units(101.5), reason: "missedCall" }]);
  });

  it("is held late once, also when the server goes down again", async () => {
    const order = await broker.place(first, { price: 101, lots: 4 });
    const past = [opening()];
    const bars = { "2330": [bar(101, 101, 4)] };
    await comeBack(past, bars);
    expect((await read(first, order)).order.filledLots).toBe(2);
    await comeBack(past, bars, callAt + 6 * MINUTE_MS);
    expect((await read(first, order)).order.filledLots).toBe(2);
    // Even if the mark of the first return was lost with it: the fills carry their own.
    await query(broker.db.kysely, "UPDATE call_clock SET until = 0");
    await comeBack(past, bars, callAt + 7 * MINUTE_MS);
    expect((await read(first, order)).order.filledLots).toBe(2);
  });

  it("is held of each row at its own moment, where the open of some was put off", async () => {
    broker.venue.set(1, { bids: [], asks: [], last: 50, reference: 50 });
    const delayed = await broker.place(first, { price: 102, lots: 2 });
    const code = broker.venue.instruments[1]?.code ?? "";
    const onTime = await broker.place(second, { code, price: 52, lots: 2 });
    const late: PastCall = { kind: "opening", at: callAt + 2 * MINUTE_MS, share: 0.5, rows: [0] };
    const bars = { "2330": [{ ...bar(101, 101, 40), at: late.at }], [code]: [{ ...bar(51, 51, 40), at: callAt }] };
    await comeBack([{ ...opening(), except: [0] }], bars, callAt + MINUTE_MS);
    expect((await read(second, onTime)).order).toMatchObject({ status: "holding", filledLots: 2 });
    expect((await read(first, delayed)).order).toMatchObject({ status: "pending", filledLots: 0 });
    const another = await broker.place(second, { code, price: 52, lots: 2 });
    await comeBack([{ ...opening(), except: [0] }, late], { ...bars, [code]: [{ ...bar(51, 51, 40), at: late.at }] });
    expect((await read(first, delayed)).fills).toMatchObject([{ price: units(101), lots: 2, reason: "missedCall" }]);
    expect((await read(second, another)).order).toMatchObject({ status: "pending", filledLots: 0 });
  });

  it("is held of a stock that is traded by calls alone, each of those that were missed, and none of them twice", async () => {
    const order = await broker.place(first, { price: 102, lots: 3 });
    broker.clock.now = callAt + 1;
    broker.venue.setMatching(0, "call");
    broker.venue.setPhase("open");
    broker.venue.setCall(0, { asks: [[101, 1]], anchor: 101 });
    broker.venue.call("periodic", [0]);
    await broker.settled();
    expect((await read(first, order)).order.filledLots).toBe(1);
    const between = [0, 5, 10].map((minute): PastCall => ({ kind: "periodic", at: callAt + minute * MINUTE_MS, share: 1, rows: [0] }));
    const bars = [0, 5, 10].map((minute) => ({ ...bar(101 - minute / 10, 101 - minute / 10, 1), at: callAt + minute * MINUTE_MS }));
    await comeBack(between, { "2330": bars }, callAt + 12 * MINUTE_MS);
    const { fills } = await read(first, order);
    expect(fills.map(({ price, lots, reason }) => [price, lots, reason])).toEqual([
      [units(102), 1, "auction"],
      [units(100.5), 1, "missedCall"],
      [units(100), 1, "missedCall"],
    ]);
  });

  it("is not held again, however soon the server goes down after it", async () => {
    const order = await broker.place(first, { price: 101, lots: 4 });
    broker.clock.now = callAt + 1;
    broker.venue.setCall(0, { asks: [[101, 1]], anchor: 101 });
    broker.venue.setPhase("open");
    broker.venue.call("opening");
    await broker.settled();
    expect((await read(first, order)).order.filledLots).toBe(1);
    await comeBack([opening()], { "2330": [bar(101, 101, 40)] });
    expect((await read(first, order)).order.filledLots).toBe(1);
  });

  it("leaves an order alone that was entered after it or is of an earlier day", async () => {
    const old = await broker.place(first, { price: 101, lots: 1 });
    broker.clock.now = callAt - MINUTE_MS;
    broker.venue.setDay(callAt - 2 * MINUTE_MS, callAt + 60 * MINUTE_MS);
    await broker.settled();
    broker.clock.now = callAt + SECOND_MS;
    const later = await broker.place(first, { price: 101, lots: 1 });
    await comeBack([opening()], { "2330": [bar(101, 101, 40)] });
    expect((await read(first, old)).order.filledLots).toBe(0);
    expect((await read(first, later)).order.filledLots).toBe(0);
  });

  it("has no price where nothing traded in it", async () => {
    const order = await broker.place(first, { price: 101, lots: 1 });
    const before = { ...bar(99, 99, 50), at: callAt - 3 * MINUTE_MS };
    await comeBack([opening()], { "2330": [before] });
    expect((await read(first, order)).order).toMatchObject({ status: "pending", filledLots: 0 });
  });

  it("is not missed when the server was there, whatever it failed to do", async () => {
    const order = await broker.place(first, { price: 101, lots: 1 });
    await query(broker.db.kysely, "UPDATE call_clock SET until = $1", [callAt]);
    await comeBack([opening()], { "2330": [bar(101, 101, 40)] });
    expect((await read(first, order)).order.filledLots).toBe(0);
  });
});
