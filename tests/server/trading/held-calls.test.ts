/**
 * Tests that each call of an instrument is held once, however often the market comes to it: after a start around its moment, after a takeover by
 * a standby, and when the answer of the database is lost. What was priced and not booked is still held, by this server or by the next one.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Candle } from "#contract/candle.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { SessionPhase } from "#contract/instrument.ts";
import type { Database } from "#server/db/database.ts";
import { CommitUnknown, DatabaseUnavailable } from "#server/db/outage.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { heldOnce } from "#server/trading/matching-engine/held-calls.ts";
import type { CallKind } from "#server/venue/venue.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
let callAt: number;
/** What happens to transactions: all is well, the database does not answer, or its answer to the next commit is lost. */
let state: "well" | "away" | "answerLost";

const units = (amount: number): number => Math.round(amount * 10_000);

/** The database with the faults of `state`. */
function faulty(db: Database): Database {
  return {
    ...db,
    transaction: async (work) => {
      if (state === "away") throw new DatabaseUnavailable("away");
      const result = await db.transaction(work);
      if (state !== "answerLost") return result;
      state = "well";
      throw new CommitUnknown("lost");
    },
  };
}

beforeEach(async () => {
  state = "well";
  broker = await openTestBroker({ db: faulty(await openTestDatabase()) });
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  member = await broker.newMember();
  callAt = broker.clock.now + 10 * MINUTE_MS;
});
afterEach(async () => {
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const read = async ({ orderNo }: { orderNo: OrderNo }) => broker.call("readOrder", member, { orderNo });
const filled = async (order: { orderNo: OrderNo }): Promise<number> => (await read(order)).order.filledLots;

/** Another server takes over now; `missed`: whether its market knows of the opening call as past. */
async function takeOver(missed: boolean): Promise<void> {
  await broker.stop();
  await broker.settled();
  const { venue, clock, db } = broker;
  const minute: Candle = { at: callAt, open: units(101), high: units(101), low: units(101), close: units(101), volume: 4 };
  venue.setPastCalls(missed ? [{ kind: "opening", at: callAt, share: 0.5 }] : [], { "2330": [minute] });
  broker = await openTestBroker({ db, venue, clock });
}

/** The opening call takes place now, with three lots of the market at 101. */
function open(): void {
  broker.venue.setCall(0, { asks: [[101, 3]], anchor: 101 });
  broker.venue.setPhase("open");
  broker.venue.call("opening", null, callAt);
}

/** An order of five lots for the opening call, which is due now. */
async function orderToOpen() {
  broker.venue.setPhase("preOpen");
  const order = await broker.place(member, { price: 101, lots: 5 });
  broker.clock.now = callAt + SECOND_MS;
  return order;
}

describe("a call", () => {
  it("that a starting server has held late is not held again when its market comes to it", async () => {
    const order = await orderToOpen();
    await takeOver(true);
    expect(await filled(order)).toBe(2);
    open();
    await broker.settled();
    expect(await filled(order)).toBe(2);
    expect(broker.venue.reported).toEqual([]);
  });

  it("that a starting server has not held yet is held when its market comes to it, and not late after that", async () => {
    const order = await orderToOpen();
    await takeOver(false);
    open();
    await broker.settled();
    expect(await filled(order)).toBe(3);
    await takeOver(true);
    expect(await filled(order)).toBe(3);
  });

  it("that one server has held is not held again by the next, whose clock is behind, and its price stands", async () => {
    const order = await orderToOpen();
    open();
    await broker.settled();
    expect(await filled(order)).toBe(3);
    const published = [...broker.venue.reported];
    expect(published).toHaveLength(1);
    broker.clock.now = callAt - SECOND_MS;
    await takeOver(false);
    open();
    await broker.settled();
    expect(await filled(order)).toBe(3);
    expect(broker.venue.reported).toEqual(published);
  });

  it("is held once in a batch that has it twice", async () => {
    const order = await orderToOpen();
    open();
    open();
    await broker.settled();
    expect(await filled(order)).toBe(3);
  });

  it("is held with others of its batch, in the order they came, and not after a later one of its row", async () => {
    const times: [string, number][] = [
      ["2330", 1],
      ["2454", 2],
      ["2330", 3],
      ["2330", 2],
      ["2454", 2],
      ["2454", 3],
    ];
    const held: string[] = [];
    const calls = times.map(([code, minute]) => ({ code, kind: "odd" as const, at: callAt + minute * MINUTE_MS }));
    await Promise.all(
      calls.map((call, nth) => broker.sequencer.submit({ memberIds: [], ...heldOnce(call, () => held.push(times[nth]?.join() ?? "")) })),
    );
    expect(held).toEqual(["2330,1", "2454,2", "2330,3", "2454,3"]);
  });

  it("of tomorrow is another one", async () => {
    const order = await orderToOpen();
    broker.venue.setPhase("open");
    broker.venue.call("opening", null, callAt - 24 * 60 * MINUTE_MS);
    open();
    await broker.settled();
    expect(await filled(order)).toBe(3);
  });

  const CASES: [CallKind, SessionPhase, Record<string, unknown>][] = [
    ["closing", "closingAuction", {}],
    ["resume", "open", {}],
    ["odd", "open", { market: "odd" }],
    ["fixed", "fixedPrice", { market: "fixed" }],
    ["lateOdd", "oddLot", { market: "odd" }],
  ];
  it.each(CASES)("of the kind %s is held once by one server after the other, and the next one is held", async (kind, phase, also) => {
    broker.venue.setPhase(phase);
    // After the close, odd lots are those that came since.
    if (kind === "lateOdd") broker.venue.setDay(broker.clock.now - MINUTE_MS, broker.clock.now);
    if (kind === "resume") broker.venue.setMatching(0, "call");
    const price = kind === "fixed" ? 100 : 101;
    const order = await broker.place(member, { price, lots: 9, also });
    broker.venue.setCall(0, { asks: [[price, 2]], anchor: price }, also["market"] === "odd");
    broker.clock.now = callAt;
    for (const times of [1, 2]) {
      const at = callAt + times * 5 * SECOND_MS;
      broker.venue.call(kind, [0], at);
      await broker.settled();
      expect(await filled(order)).toBe(2 * times);
      await takeOver(false);
      broker.venue.call(kind, [0], at);
      await broker.settled();
      expect(await filled(order)).toBe(2 * times);
    }
  });
});

describe("a call that was priced and not booked", () => {
  it("is held by the next server after a kill, however long the database had been away", async () => {
    const order = await orderToOpen();
    state = "away";
    open();
    await broker.settled();
    broker.clock.now += MINUTE_MS;
    // The mark of the time up to which the server was there is a write of its own, and goes through.
    await broker.tick();
    await broker.stop();
    state = "well";
    await takeOver(true);
    expect((await read(order)).fills).toMatchObject([{ price: units(101), lots: 2, reason: "missedCall" }]);
  });

  it("is booked before anything else is decided, once the database answers again", async () => {
    const order = await orderToOpen();
    state = "away";
    open();
    await broker.settled();
    expect(broker.sequencer.orderBook.queue(0, "buy")).toMatchObject([{ orderNo: order.orderNo, lots: 5 }]);
    state = "well";
    await broker.cancel(member, order.orderNo);
    expect((await read(order)).fills).toMatchObject([{ price: units(101), lots: 3, reason: "auction" }]);
  });

  it("is booked without any other command", async () => {
    const order = await orderToOpen();
    state = "away";
    open();
    await broker.settled();
    state = "well";
    await vi.waitFor(async () => expect(await filled(order)).toBe(3), { timeout: 10_000 });
  });

  it.each([
    ["is held with the newest book of its row where it is of odd lots", 0, 1],
    ["is left out where it is of odd lots and the next one was due since", 5 * SECOND_MS, 0],
  ])("%s", async (_title, later, lots) => {
    const order = await broker.place(member, { price: 101, lots: 9, also: { market: "odd" } });
    state = "away";
    for (const ofMarket of [4, 2, 1]) {
      broker.clock.now += 5 * SECOND_MS;
      broker.venue.setCall(0, { asks: [[101, ofMarket]], anchor: 101 }, true);
      broker.venue.call("odd", [0], broker.clock.now);
      await broker.settled();
    }
    broker.clock.now += later;
    state = "well";
    await broker.place(member, { price: 95, lots: 1 });
    expect(await filled(order)).toBe(lots);
  });

  it("is booked once where only the answer was lost, and its price stays public", async () => {
    const order = await orderToOpen();
    state = "answerLost";
    open();
    await broker.settled();
    await broker.place(member, { price: 95, lots: 1 });
    expect(await filled(order)).toBe(3);
    expect(broker.venue.reported).toHaveLength(1);
  });

  it("leaves orders that it does not fill their places where only the answer was lost", async () => {
    const order = await orderToOpen();
    state = "answerLost";
    // All of the market's lots came before it.
    const came = { from: callAt - 20 * MINUTE_MS, until: callAt - 15 * MINUTE_MS };
    broker.venue.set(0, { bids: [[101, 80]] });
    broker.venue.setCall(0, { bids: [[101, 9]], asks: [[101, 3]], anchor: 101, came });
    broker.venue.setPhase("open");
    broker.venue.call("opening", null, callAt);
    await broker.settled();
    await broker.place(member, { price: 95, lots: 1 });
    broker.venue.set(0, {});
    await broker.settled();
    expect(await filled(order)).toBe(0);
    const { places } = await broker.call("readQueue", member, { orderNos: [order.orderNo] });
    expect(places[0]?.lots).toBe(6);
  });
});
