/** Tests what becomes of calls that cannot be booked: tried again, given up, or held late, and never with orders that were not in them. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Candle } from "#contract/candle.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { AmendOrderBody } from "#contract/order.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
let callAt: number;
/** How many of the next transactions fail. */
let failing: number;

const units = (amount: number): number => Math.round(amount * 10_000);

/** The database with the faults of `failing`. */
const faulty = (db: Database): Database => ({
  ...db,
  transaction: async (work) => {
    if (failing === 0) return db.transaction(work);
    failing -= 1;
    throw new Error("a constraint");
  },
});
const breaks = (times: number): void => void (failing = times);
const isBack = (): void => breaks(0);

beforeEach(async () => {
  isBack();
  broker = await openTestBroker({ db: faulty(await openTestDatabase()) });
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  member = await broker.newMember();
  callAt = broker.clock.now + 10 * MINUTE_MS;
});
afterEach(async () => {
  isBack();
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const filled = async ({ orderNo }: { orderNo: OrderNo }): Promise<number> =>
  (await broker.call("readOrder", member, { orderNo })).order.filledLots;
const markNow = async (): Promise<number | undefined> =>
  (await query<{ until: number }>(broker.db.kysely, "SELECT until FROM call_clock"))[0]?.until;

/** Another server takes over now; its market knows of the opening call as past. */
async function takeOver(): Promise<void> {
  await broker.stop();
  await broker.settled();
  const { venue, clock, db } = broker;
  const minute: Candle = { at: callAt, open: units(101), high: units(101), low: units(101), close: units(101), volume: 40 };
  venue.setPastCalls([{ kind: "opening", at: callAt, share: 0.5 }], { "2330": [minute] });
  broker = await openTestBroker({ db, venue, clock });
}

/** The opening call takes place now, with three lots of the market at 101, and one that it trades alone at 100. */
function open(): void {
  broker.clock.now = callAt + SECOND_MS;
  broker.venue.setCall(0, {
    bids: [[100, 1]],
    asks: [
      [100, 1],
      [101, 2],
    ],
    anchor: 100,
  });
  broker.venue.setPhase("open");
  broker.venue.call("opening", null, callAt);
}

const amend = ({ orderNo }: { orderNo: OrderNo }, price: number) =>
  broker.call("amendOrder", member, AmendOrderBody.parse({ orderNo, lots: null, price: units(price), requestId: crypto.randomUUID() }));

it("a call that fails although the database answers is tried again at once", async () => {
  broker.venue.setPhase("preOpen");
  const order = await broker.place(member, { price: 101, lots: 5 });
  breaks(2);
  open();
  await broker.settled();
  expect(await filled(order)).toBe(3);
});

it("a call that fails again and again is given up: its price is taken back, and the mark moves on", async () => {
  broker.venue.setPhase("preOpen");
  const order = await broker.place(member, { price: 101, lots: 5 });
  breaks(Infinity);
  open();
  await broker.settled();
  isBack();
  expect(await filled(order)).toBe(0);
  expect(broker.faults).toContainEqual(new Error("a constraint"));
  broker.clock.now += 180 * MINUTE_MS;
  await broker.tick();
  expect(await markNow()).toBeGreaterThan(callAt);
  expect(broker.venue.reported).toMatchObject([{ price: units(101) }, { price: units(100), lots: 0 }]);
  await amend(order, 102);
  await takeOver();
  expect(await filled(order)).toBe(0);
});

it("an order that got its price after a call takes no part in it when it is held late", async () => {
  broker.venue.setPhase("preOpen");
  const amended = await broker.place(member, { price: 95, lots: 2 });
  const lowered = await broker.place(member, { price: 103, lots: 2 });
  await amend(lowered, 102);
  broker.clock.now = callAt + SECOND_MS;
  await amend(amended, 102);
  await takeOver();
  expect([await filled(amended), await filled(lowered)]).toEqual([0, 2]);
});

it("an order whose trigger was reached after a call takes no part in it when it is held late", async () => {
  broker.venue.setPhase("open");
  const waiting = await broker.place(member, { price: 102, lots: 2, also: { trigger: { kind: "stop", price: units(101) } } });
  const resting = await broker.place(member, { price: 102, lots: 2 });
  broker.clock.now = callAt + SECOND_MS;
  broker.venue.set(0, { last: 101 });
  await broker.settled();
  expect(broker.published.map(({ fact }) => fact.type)).toContain("order.triggered");
  await takeOver();
  expect([await filled(waiting), await filled(resting)]).toEqual([0, 2]);
});

it("a call priced before an order of it got another price is booked without it", async () => {
  broker.venue.setPhase("preOpen");
  const order = await broker.place(member, { price: 101, lots: 5 });
  const amending = amend(order, 95);
  await new Promise((resolve) => setImmediate(resolve));
  open();
  await amending;
  await broker.settled();
  expect(await filled(order)).toBe(0);
});

it("calls of one row that wait together are held in the order they were due, each of them", async () => {
  broker.venue.setPhase("open");
  const order = await broker.place(member, { price: 101, lots: 9, also: { market: "odd" } });
  broker.venue.setCall(0, { asks: [[101, 1]], anchor: 101 }, true);
  for (const nth of [1, 2, 3]) broker.venue.call("odd", [0], callAt + nth * 5 * SECOND_MS);
  await broker.settled();
  expect(await filled(order)).toBe(3);
});

it("the price of a call that comes after a later one of its row is taken back", async () => {
  broker.venue.setPhase("preOpen");
  await broker.place(member, { price: 101, lots: 9 });
  broker.venue.setCall(0, {
    bids: [[100, 1]],
    asks: [
      [100, 1],
      [101, 2],
    ],
    anchor: 100,
  });
  broker.venue.setPhase("open");
  for (const at of [callAt + MINUTE_MS, callAt]) broker.venue.call("periodic", [0], at);
  await broker.settled();
  expect(broker.venue.reported.at(-1)).toMatchObject({ price: units(100), lots: 0 });
});
