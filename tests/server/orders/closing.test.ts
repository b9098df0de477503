/** Closing: the locks of a position, whole lots and single shares apart, and the house's own closes, which no lock keeps back. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Instrument } from "#contract/instrument.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { closeFor, closeSeek } from "#server/desks/order/close.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { openHouse, refusalOf } from "#tests/support/trading.ts";
import type { House } from "#tests/support/trading.ts";

let house: House;
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
  house = await openHouse({ venue: fakeVenue(INSTRUMENTS) });
  house.venue.setDay(taipeiMidnight(TODAY), taipeiMidnight(TODAY + 1));
  for (const { row } of INSTRUMENTS) house.venue.set(row, { bids: [[99.5, 50]], asks: [[100, 50]], last: 100, reference: 100 });
  member = await house.newMember();
});
afterEach(async () => {
  expect(house.faults).toEqual([]);
  await house.shut();
});

const next = (): void => {
  house.clock.now += DAY;
  const day = taipeiDay(house.clock.now);
  house.venue.setDay(taipeiMidnight(day), taipeiMidnight(day + 1));
};
const orderOf = async (orderNo: OrderNo) => (await house.call("readOrder", member, { orderNo })).order;
const change = (orderNo: OrderNo, set: Record<string, unknown>) =>
  house.db.kysely.updateTable("order").set(set).where("order_no", "=", orderNo).execute();
const closeByHouse = (orderNo: OrderNo) =>
  house.counter.submit({
    memberIds: [member],
    orderNos: [orderNo],
    placements: 1,
    seeks: (round) => {
      const order = round?.order(member, orderNo);
      return round && order ? closeSeek(round, order) : [];
    },
    decide: (round) => {
      const order = round.order(member, orderNo);
      return order !== undefined && closeFor(round, order, "liquidation");
    },
  });

describe("a lock", () => {
  it("of a day ends with the next trading day, whatever the hour", async () => {
    house.clock.now = taipeiMidnight(TODAY) + DAY - 60_000;
    const { orderNo, lockedUntil } = await house.place(member, { code: "0050" });
    expect(await refusalOf(house.close(member, orderNo))).toEqual({ code: "TRD_SELL_LOCK_TPLUS", params: { n: 1 }, field: "orderNo" });
    // Nobody knows when the day after begins before it does: until then it is a day.
    expect(lockedUntil).toBe(house.clock.now + DAY);
    await change(orderNo, { locked_until: taipeiMidnight(TODAY + 1) });
    next();
    expect(await house.close(member, orderNo)).toMatchObject({ status: "closed" });
  });

  it("of more days says how many", async () => {
    const { orderNo } = await house.place(member, { code: "2603" });
    expect(await refusalOf(house.close(member, orderNo))).toEqual({ code: "TRD_SELL_LOCK_DAYS", params: { n: 3 }, field: "orderNo" });
    for (let day = 0; day < 3; day += 1) next();
    expect(await house.close(member, orderNo)).toMatchObject({ status: "closed" });
  });

  it("of a newcomer is its closed period, by the rules", async () => {
    const { orderNo } = await house.place(member, { code: "6999" });
    await query(house.db.kysely, `INSERT INTO rule (part, code, body) VALUES ('trade', '6999', '{"closedDays": 3}')`);
    await house.counter.rules.reload(house.db.kysely);
    expect(await refusalOf(house.close(member, orderNo))).toEqual({ code: "TRD_CLOSED_PERIOD", params: {}, field: "orderNo" });
    next();
    expect(await house.close(member, orderNo)).toMatchObject({ status: "closed" });
  });

  it("does not keep the house from closing", async () => {
    const locked = await house.place(member, { code: "2603", lots: 2 });
    await change(locked.orderNo, { locked: true });
    expect(await closeByHouse(locked.orderNo)).toBe(true);
    expect(await orderOf(locked.orderNo)).toMatchObject({ status: "closed", closeCause: "liquidation", closePricing: "market" });
  });
});

describe("the house's close", () => {
  it("takes what rests out of the market first, and meets members too", async () => {
    house.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await house.place(member, { lots: 5, price: 100 });
    const other = await house.newMember();
    await house.place(other, { price: 99.9, lots: 1 });
    expect(await closeByHouse(orderNo)).toBe(true);
    const { order, fills } = await house.call("readOrder", member, { orderNo });
    expect(order).toMatchObject({ status: "closed", lots: 2, closedLots: 2 });
    expect(fills.filter(({ side }) => side === "close")).toMatchObject([
      { price: 999_000, reason: "member" },
      { price: 995_000, reason: "bookLevel" },
    ]);
    expect((await auditBooks(house.db.kysely)).differences).toEqual([]);
  });

  it("replaces a close at a limit, rests where the book gives nothing, and is nothing for what holds nothing", async () => {
    const { orderNo } = await house.place(member, { lots: 2 });
    await house.close(member, orderNo, { price: 105, lots: 1 });
    house.venue.set(0, { bids: [] });
    expect(await closeByHouse(orderNo)).toBe(true);
    expect(await orderOf(orderNo)).toMatchObject({
      status: "readyToClose",
      closingLots: 2,
      closePricing: "market",
      closeCause: "liquidation",
    });
    house.venue.set(0, { bids: [[95, 9]] });
    await house.settled();
    expect((await orderOf(orderNo)).status).toBe("closed");
    const none = await house.place(member, { price: 95 });
    expect(await closeByHouse(none.orderNo)).toBe(false);
    expect((await orderOf(none.orderNo)).status).toBe("cancelled");
  });
});

describe("a position counted in single shares", () => {
  // What a split leaves: 2,345 shares of what was two lots.
  const split = async (): Promise<OrderNo> => {
    const { orderNo } = await house.place(member, { lots: 2 });
    await change(orderNo, { lots: 2_345, filled_lots: 2_345, lot_shares: 1 });
    return orderNo;
  };

  it("trades whole lots on the board and the rest in the odd-lot market, never both at once", async () => {
    const orderNo = await split();
    expect(await refusalOf(house.close(member, orderNo, { lots: 2_345 }))).toEqual({
      code: "TRD_ODD_LOTS_APART",
      params: {},
      field: "lots",
    });
    expect(await refusalOf(house.close(member, orderNo, { lots: 345 }))).toMatchObject({ code: "TRD_ODD_LIMIT_ONLY", field: "pricing" });
    expect(await house.close(member, orderNo, { lots: 2_000 })).toMatchObject({
      status: "holding",
      closedLots: 2_000,
      closeCents: 19_900_000,
    });
    expect(await house.close(member, orderNo, { lots: 345, price: 99 })).toMatchObject({ status: "readyToClose", closingLots: 345 });
    house.venue.setCall(0, { bids: [[99.5, 400]], anchor: 99.5 }, true);
    house.venue.call("odd");
    await house.settled();
    expect(await orderOf(orderNo)).toMatchObject({ status: "closed", closedLots: 2_345 });
  });

  it("meets members on the board, lot for thousand shares", async () => {
    const orderNo = await split();
    const other = await house.newMember();
    const rests = await house.place(other, { price: 99.9, lots: 1 });
    await house.close(member, orderNo, { lots: 2_000, price: 99.5 });
    expect((await house.call("readOrder", other, { orderNo: rests.orderNo })).order).toMatchObject({ status: "holding", filledLots: 1 });
    expect((await orderOf(orderNo)).closeCents).toBe(9_990_000 + 9_950_000);
  });

  it("is closed with all others: the whole lots at market, the rest at the worst price of the day", async () => {
    const orderNo = await split();
    const { orders, refused } = await house.call("closeOrders", member, { requestId: RequestId.parse(randomUUID()), code: null });
    expect(refused).toEqual([]);
    expect(orders).toMatchObject([{ orderNo, status: "readyToClose", closedLots: 2_000, closingLots: 345, closePrice: 900_000 }]);
    house.venue.setCall(0, { bids: [[99.5, 400]], anchor: 99.5 }, true);
    house.venue.call("odd");
    await house.settled();
    expect(await orderOf(orderNo)).toMatchObject({ status: "closed", closeCents: 19_900_000 + 3_432_750 });
  });

  it("is closed by the house in two steps", async () => {
    const orderNo = await split();
    await closeByHouse(orderNo);
    expect(await orderOf(orderNo)).toMatchObject({ status: "holding", closedLots: 2_000 });
    await closeByHouse(orderNo);
    expect(await orderOf(orderNo)).toMatchObject({ status: "readyToClose", closingLots: 345, closePrice: 900_000 });
  });
});
