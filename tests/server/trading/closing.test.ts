/** Tests closing: lock-ups, separate whole and odd lots, and closes by the broker, which only an operator's lock prevents. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import { AmendOrderBody } from "#contract/order.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { closeFor, queriesOfPosition } from "#server/trading/order-entry/close.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { forceClose, submitForcedClose } from "#server/trading/risk/forced-close.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
const START = Date.UTC(2026, 6, 1, 2);
const TODAY = taipeiDay(START);
const DAY = 86_400_000;

const INSTRUMENTS: readonly Instrument[] = [
  fakeInstrument(0, "2330"),
  fakeInstrument(1, "0050", { kind: "etf", sellLockSeconds: DAY / 1000 }),
  fakeInstrument(2, "2603", { sellLockSeconds: (3 * DAY) / 1000 }),
  fakeInstrument(3, "6999", { listedDay: TODAY - 2 }),
];

beforeEach(async () => {
  broker = await openTestBroker({ venue: fakeVenue(INSTRUMENTS) });
  broker.venue.setDay(taipeiMidnight(TODAY), taipeiMidnight(TODAY + 1));
  for (const { row } of INSTRUMENTS) broker.venue.set(row, { bids: [[99.5, 50]], asks: [[100, 50]], last: 100, reference: 100 });
  member = await broker.newMember();
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const next = (): void => {
  broker.clock.now += DAY;
  const day = taipeiDay(broker.clock.now);
  broker.venue.setDay(taipeiMidnight(day), taipeiMidnight(day + 1));
};
const orderOf = async (orderNo: OrderNo) => (await broker.call("readOrder", member, { orderNo })).order;
const change = (orderNo: OrderNo, set: Record<string, unknown>) =>
  broker.db.kysely.updateTable("order").set(set).where("order_no", "=", orderNo).execute();
const closeByBroker = (orderNo: OrderNo) =>
  broker.sequencer.submit({
    memberIds: [member],
    orderNos: [orderNo],
    placements: 1,
    counterparties: (batch) => {
      const order = batch?.order(member, orderNo);
      return batch && order ? queriesOfPosition(batch, order) : [];
    },
    decide: (batch) => {
      const order = batch.order(member, orderNo);
      return order !== undefined && closeFor(batch, order, "liquidation");
    },
  });

describe("a lock-up", () => {
  it("of one day ends with the next trading day, at any time of day", async () => {
    broker.clock.now = taipeiMidnight(TODAY) + DAY - 60_000;
    const { orderNo, lockedUntil } = await broker.place(member, { code: "0050" });
    expect(await refusalOf(broker.close(member, orderNo))).toEqual({ code: "TRD_SELL_LOCK_TPLUS", params: { n: 1 }, field: "orderNo" });
    // The start of the following day is not known yet; until then it counts as 24 hours.
    expect(lockedUntil).toBe(broker.clock.now + DAY);
    await change(orderNo, { locked_until: taipeiMidnight(TODAY + 1) });
    next();
    expect(await broker.close(member, orderNo)).toMatchObject({ status: "closed" });
  });

  it("of several days is reported with its number of days", async () => {
    const { orderNo } = await broker.place(member, { code: "2603" });
    expect(await refusalOf(broker.close(member, orderNo))).toEqual({ code: "TRD_SELL_LOCK_DAYS", params: { n: 3 }, field: "orderNo" });
    for (let day = 0; day < 3; day += 1) next();
    expect(await broker.close(member, orderNo)).toMatchObject({ status: "closed" });
  });

  it("of a new listing is the closed period of the rules", async () => {
    const { orderNo } = await broker.place(member, { code: "6999" });
    await query(broker.db.kysely, `INSERT INTO rule (part, code, body) VALUES ('trade', '6999', '{"closedDays": 3}')`);
    await broker.sequencer.rules.reload(broker.db.kysely);
    expect(await refusalOf(broker.close(member, orderNo))).toEqual({ code: "TRD_CLOSED_PERIOD", params: {}, field: "orderNo" });
    next();
    expect(await broker.close(member, orderNo)).toMatchObject({ status: "closed" });
  });

  it("does not block closes by the broker", async () => {
    const locked = await broker.place(member, { code: "2603", lots: 2 });
    expect(await closeByBroker(locked.orderNo)).toBe(true);
    expect(await orderOf(locked.orderNo)).toMatchObject({ status: "closed", closeCause: "liquidation", closePricing: "market" });
  });

  it.each(["liquidation", "marginCall", "squareOff", "debt"] as const)(
    "set by the operator blocks a close for %s until it is lifted",
    async (cause) => {
      const { orderNo } = await broker.place(member, { code: "2603", lots: 2 });
      const close = () =>
        submitForcedClose(broker.sequencer, { member_id: member, order_no: orderNo }, (batch, o) => forceClose(batch, o, cause));
      expect(await runCommand(broker.db, ["order", orderNo, "lock"], () => undefined)).toBe(0);
      expect(await close()).toBe(false);
      expect(await orderOf(orderNo)).toMatchObject({ status: "holding", closedLots: 0 });
      expect(await runCommand(broker.db, ["order", orderNo, "unlock"], () => undefined)).toBe(0);
      expect(await close()).toBe(true);
      expect(await orderOf(orderNo)).toMatchObject({ status: "closed", closeCause: cause });
    },
  );
});

describe("a resting close of a position that is locked", () => {
  const rest = async (): Promise<OrderNo> => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    expect(await broker.close(member, orderNo, { price: 105, lots: 2 })).toMatchObject({ status: "readyToClose" });
    expect(await runCommand(broker.db, ["order", orderNo, "lock"], () => undefined)).toBe(0);
    return orderNo;
  };
  const HELD = { status: "holding", closedLots: 0, closingLots: 0, closePrice: null } as const;

  it("is cancelled when the market reaches it", async () => {
    const orderNo = await rest();
    broker.venue.set(0, { bids: [[105.5, 9]], asks: [[106, 9]] });
    await broker.settled();
    expect(await orderOf(orderNo)).toMatchObject(HELD);
  });

  it("is no counterparty of another member's order, and is cancelled at the next change", async () => {
    const orderNo = await rest();
    broker.venue.set(0, { asks: [] });
    const bought = await broker.place(await broker.newMember(), { price: 105, lots: 1 });
    expect(bought).toMatchObject({ status: "pending", filledLots: 0 });
    broker.venue.set(0, { bids: [[99, 9]] });
    await broker.settled();
    expect(await orderOf(orderNo)).toMatchObject(HELD);
  });

  it("is cancelled instead of amended", async () => {
    const orderNo = await rest();
    const body = { requestId: RequestId.parse(randomUUID()), orderNo, lots: null, price: 1_040_000 };
    expect(await broker.call("amendOrder", member, AmendOrderBody.parse(body))).toMatchObject(HELD);
  });

  it("is not replaced by a close of the broker", async () => {
    const orderNo = await rest();
    expect(await closeByBroker(orderNo)).toBe(false);
    expect(await orderOf(orderNo)).toMatchObject({ status: "readyToClose", closedLots: 0, closePrice: 1_050_000 });
  });
});

describe("a close by the broker", () => {
  it("first cancels resting orders, and also matches members' orders", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await broker.place(member, { lots: 5, price: 100 });
    const other = await broker.newMember();
    await broker.place(other, { price: 99.9, lots: 1 });
    expect(await closeByBroker(orderNo)).toBe(true);
    const { order, fills } = await broker.call("readOrder", member, { orderNo });
    expect(order).toMatchObject({ status: "closed", lots: 2, closedLots: 2 });
    expect(fills.filter(({ side }) => side === "close")).toMatchObject([
      { price: 999_000, reason: "member" },
      { price: 995_000, reason: "bookLevel" },
    ]);
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  });

  it("replaces a limit close, rests when the book is empty, and does nothing without a position", async () => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    await broker.close(member, orderNo, { price: 105, lots: 1 });
    broker.venue.set(0, { bids: [] });
    expect(await closeByBroker(orderNo)).toBe(true);
    expect(await orderOf(orderNo)).toMatchObject({
      status: "readyToClose",
      closingLots: 2,
      closePricing: "market",
      closeCause: "liquidation",
    });
    broker.venue.set(0, { bids: [[95, 9]] });
    await broker.settled();
    expect((await orderOf(orderNo)).status).toBe("closed");
    const none = await broker.place(member, { price: 95 });
    expect(await closeByBroker(none.orderNo)).toBe(false);
    expect((await orderOf(none.orderNo)).status).toBe("cancelled");
  });
});

describe("a position counted in shares", () => {
  // The result of a split: 2,345 shares instead of two lots.
  const split = async (): Promise<OrderNo> => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    await change(orderNo, { lots: 2_345, filled_lots: 2_345, lot_shares: 1 });
    return orderNo;
  };

  it("trades whole lots on the board and the rest in the odd-lot market, never both at once", async () => {
    const orderNo = await split();
    expect(await refusalOf(broker.close(member, orderNo, { lots: 2_345 }))).toEqual({
      code: "TRD_ODD_LOTS_APART",
      params: {},
      field: "lots",
    });
    expect(await refusalOf(broker.close(member, orderNo, { lots: 345 }))).toMatchObject({ code: "TRD_ODD_LIMIT_ONLY", field: "pricing" });
    expect(await broker.close(member, orderNo, { lots: 2_000 })).toMatchObject({
      status: "holding",
      closedLots: 2_000,
      closeCents: 19_900_000,
    });
    expect(await broker.close(member, orderNo, { lots: 345, price: 99 })).toMatchObject({ status: "readyToClose", closingLots: 345 });
    broker.venue.setCall(0, { bids: [[99.5, 400]], anchor: 99.5 }, true);
    broker.venue.call("odd");
    await broker.settled();
    expect(await orderOf(orderNo)).toMatchObject({ status: "closed", closedLots: 2_345 });
  });

  it("matches members on the board, one lot per thousand shares", async () => {
    const orderNo = await split();
    const other = await broker.newMember();
    const rests = await broker.place(other, { price: 99.9, lots: 1 });
    await broker.close(member, orderNo, { lots: 2_000, price: 99.5 });
    expect((await broker.call("readOrder", other, { orderNo: rests.orderNo })).order).toMatchObject({ status: "holding", filledLots: 1 });
    expect((await orderOf(orderNo)).closeCents).toBe(9_990_000 + 9_950_000);
  });

  it("is closed by close-all: whole lots at market, the rest at the day's worst price", async () => {
    const orderNo = await split();
    const { orders, refused } = await broker.call("closeOrders", member, { requestId: RequestId.parse(randomUUID()), code: null });
    expect(refused).toEqual([]);
    expect(orders).toMatchObject([{ orderNo, status: "readyToClose", closedLots: 2_000, closingLots: 345, closePrice: 900_000 }]);
    broker.venue.setCall(0, { bids: [[99.5, 400]], anchor: 99.5 }, true);
    broker.venue.call("odd");
    await broker.settled();
    expect(await orderOf(orderNo)).toMatchObject({ status: "closed", closeCents: 19_900_000 + 3_432_750 });
  });

  it("is closed by the broker in two steps", async () => {
    const orderNo = await split();
    await closeByBroker(orderNo);
    expect(await orderOf(orderNo)).toMatchObject({ status: "holding", closedLots: 2_000 });
    await closeByBroker(orderNo);
    expect(await orderOf(orderNo)).toMatchObject({ status: "readyToClose", closingLots: 345, closePrice: 900_000 });
  });
});
