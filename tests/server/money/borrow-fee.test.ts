/** Tests the borrow fee of shorts: a day at its close, once, to the cent, also in the first moment of the next day, and in the profit. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { heldOf, profitAt } from "#contract/profit.ts";
import { price } from "#contract/kernel/money.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { movedBy, newTrader, ordersOf, place } from "./fixture.ts";

let broker: TestBroker;
let venue: FakeVenue;
let member: number;
let feeDay = 100;
const ROW = 0;

/** The rate of a listed stock: 5 % a year. */
const feeOn = (valueCents: number, days = 1): number => Math.ceil((valueCents * 0.05) / 365) * days;

/** Lets days pass that ended with a close. */
async function pass(days: number, close: number): Promise<void> {
  feeDay += days;
  venue.setFeeDay(feeDay, { [ROW]: close });
  await broker.settled();
}
const read = async (orderNo: OrderNo) => (await broker.call("readOrder", member, { orderNo })).order;
const available = async (): Promise<number> => (await readBalances(broker.db.kysely, member)).available;
const pool = async (kind: "lendingPool" | "fees"): Promise<number> => {
  const [row] = await query<{ cents: number }>(
    broker.db.kysely,
    "SELECT balance AS cents FROM pocket WHERE member_id IS NULL AND kind = $1 AND currency = 'TWD'",
    [kind],
  );
  return row?.cents ?? 0;
};
const flows = async (): Promise<number[]> => {
  const { items } = await broker.call("listFlows", member, { kinds: ["borrowFee"], from: null, until: null, cursor: null });
  return items.map(({ amountCents }) => amountCents);
};
const cover = (orderNo: OrderNo, lots: number) =>
  broker.call("closeOrder", member, {
    requestId: crypto.randomUUID() as never,
    orderNo,
    lots,
    pricing: "market",
    price: null,
    validity: "rod",
    fixed: false,
  });

beforeAll(async () => {
  const clock = { now: Date.UTC(2026, 6, 1, 2) };
  venue = fakeVenue(INSTRUMENTS, () => clock.now);
  venue.setFeeDay(feeDay);
  broker = await openTestBroker({ venue, clock });
});
beforeEach(async () => {
  venue.set(ROW, { bids: [[100, 4000]], asks: [[100, 4000]], last: 100, reference: 100 });
  member = await newTrader(broker);
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

describe.each(["cash", "margin"] as const)("a short on %s", (funding) => {
  it("pays each day of a weekend at the close before it, once, and its final profit is the money it moved", async () => {
    const before = await available();
    const { orderNo } = await place(broker, member, { direction: "fall", lots: 3, funding });
    const [lent, kept] = [await pool("lendingPool"), await pool("fees")];
    await pass(1, 110);
    expect((await read(orderNo)).lendingCents).toBe(-feeOn(33_000_000));
    venue.setFeeDay(feeDay);
    await broker.settled();
    await pass(3, 90);
    const fees = feeOn(33_000_000) + feeOn(27_000_000, 3);
    expect((await read(orderNo)).lendingCents).toBe(-fees);
    expect(await flows()).toEqual([-feeOn(27_000_000, 3), -feeOn(33_000_000)]);
    // A fifth of the fee is the broker's part on top of the lender's rate.
    const [toLenders, toBroker] = [(await pool("lendingPool")) - lent, (await pool("fees")) - kept];
    expect(toLenders + toBroker).toBe(fees);
    expect(Math.abs(toBroker - fees / 5)).toBeLessThan(2);
    const open = await read(orderNo);
    expect(profitAt(heldOf(open), price(1_000_000)).lendingCents).toBe(-fees);
    const part = await cover(orderNo, 1);
    expect(part.lendingCents).toBe(-fees + Math.ceil(fees / 3));
    const closed = await cover(orderNo, 2);
    expect(closed).toMatchObject({ status: "closed" });
    expect(closed.lendingCents).toBeUndefined();
    expect((await available()) - before).toBe(closed.profitCents);
    const [row] = await ordersOf(broker, member);
    expect(row && movedBy(row)).toBe(closed.profitCents);
  });
});

it("is not owed by who covers on the day, and owed by who covers in the first moment of the next", async () => {
  const same = await place(broker, member, { direction: "fall" });
  await cover(same.orderNo, 1);
  const next = await place(broker, member, { direction: "fall" });
  feeDay += 1;
  // The cover is queued before anything else of the new day.
  venue.setFeeDay(feeDay, { [ROW]: 100 });
  await cover(next.orderNo, 1);
  expect(await flows()).toEqual([-feeOn(10_000_000)]);
});

it("is never paid by a purchase, nor by a position that was opened before borrow fees", async () => {
  await place(broker, member, { lots: 2 });
  const old = await place(broker, member, { direction: "fall", code: "2603" });
  await query(broker.db.kysely, `UPDATE "order" SET terms = terms - 'borrowPerMillion', borrow_day = NULL WHERE order_no = $1`, [
    old.orderNo,
  ]);
  await pass(5, 100);
  expect(await flows()).toEqual([]);
});

it("is charged at the start for the days that the server was off, and not twice", async () => {
  const { orderNo } = await place(broker, member, { direction: "fall" });
  await broker.stop();
  await broker.settled();
  feeDay += 4;
  venue.setFeeDay(feeDay, { [ROW]: 120 });
  const { clock, db } = broker;
  broker = await openTestBroker({ db, venue, clock });
  expect((await read(orderNo)).lendingCents).toBe(-feeOn(12_000_000, 4));
  await broker.stop();
  await broker.settled();
  broker = await openTestBroker({ db, venue, clock });
  expect(await flows()).toHaveLength(1);
});

it("comes out of the short's own collateral when the member has no other money", async () => {
  const { orderNo } = await place(broker, member, { direction: "fall", lots: 10 });
  const before = await read(orderNo);
  const left = await available();
  await broker.sequencer.submit({
    memberIds: [member],
    decide: (batch) =>
      batch.ledger.post({
        memberId: member,
        kind: "withdrawal",
        orderNo: null,
        moves: [{ from: "available", to: "external", amount: left }],
      }),
  });
  await pass(1, 100);
  const after = await read(orderNo);
  expect(after.lendingCents).toBe(-feeOn(100_000_000));
  expect(before.collateralCents - after.collateralCents).toBe(feeOn(100_000_000));
  expect(await readBalances(broker.db.kysely, member)).toMatchObject({ available: 0, debt: 0 });
});
