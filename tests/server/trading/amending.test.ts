/** Amending what rests: fewer lots keep the place, another price takes a new one, and the money held follows to the cent. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openHouse, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
const DEPOSIT = 1_000_000_000;

beforeAll(async () => {
  broker = await openHouse();
});
beforeEach(async () => {
  broker.venue.setPhase("open");
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  await broker.settled();
  member = await broker.newMember();
  broker.published.length = 0;
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

interface Change {
  lots?: number;
  price?: number;
  requestId?: string;
}
const amend = (who: number, orderNo: OrderNo, { lots, price, requestId }: Change) =>
  broker.call("amendOrder", who, {
    requestId: RequestId.parse(requestId ?? randomUUID()),
    orderNo,
    lots: lots ?? null,
    price: price === undefined ? null : price * 10_000,
  });
const facts = () => broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);
const available = async () => (await broker.call("readMember", member, {})).availableCents;

describe("fewer lots", () => {
  it("release their money and keep the place in the queue", async () => {
    const other = await broker.newMember();
    const first = await broker.place(member, { price: 100, lots: 3 });
    const second = await broker.place(other, { price: 100, lots: 1 });
    expect(await amend(member, first.orderNo, { lots: 1 })).toMatchObject({ lots: 1, status: "pending", heldCents: 10_000_000 + 14_200 });
    expect(await available()).toBe(DEPOSIT - 10_014_200);
    expect(facts()).toEqual(["order.placed", "order.amended"]);
    broker.venue.set(0, { asks: [[100, 1]] });
    await broker.settled();
    expect((await broker.call("readOrder", member, { orderNo: first.orderNo })).order.status).toBe("holding");
    expect((await broker.call("readOrder", other, { orderNo: second.orderNo })).order.status).toBe("pending");
    await broker.cancel(other, second.orderNo);
  });

  it("of a close on the board stay whole lots, where single shares are held beside them", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await broker.place(member, { lots: 2 });
    const count = (lots: number, lotShares: number) =>
      broker.db.kysely
        .updateTable("order")
        .set({ lots, filled_lots: lots, lot_shares: lotShares })
        .where("order_no", "=", orderNo)
        .execute();
    await count(2000, 1);
    await broker.close(member, orderNo, { price: 105, lots: 2000 });
    for (const lots of [1500, 500]) {
      expect(await refusalOf(amend(member, orderNo, { lots }))).toEqual({ code: "TRD_ODD_LOTS_APART", params: {}, field: "lots" });
    }
    expect(await amend(member, orderNo, { lots: 1000 })).toMatchObject({ status: "readyToClose", closingLots: 1000 });
  });

  it("than are filled already cancel the rest", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await broker.place(member, { price: 100, lots: 4 });
    expect(await amend(member, orderNo, { lots: 3 })).toMatchObject({ status: "pending", lots: 3, filledLots: 2 });
    // Two lots paid and their fee; the third held with what its fee adds.
    expect(await available()).toBe(DEPOSIT - 30_000_000 - 42_700);
    expect(await amend(member, orderNo, { lots: 1 })).toMatchObject({ status: "holding", lots: 2, heldCents: 0 });
    expect(facts().slice(-2)).toEqual(["order.amended", "order.reduced"]);
  });

  it("of a fall release collateral, fee and tax", async () => {
    const { orderNo, heldCents } = await broker.place(member, { direction: "fall", price: 105, lots: 2 });
    expect(heldCents).toBe(19_800_000 + 31_300 + 66_000);
    expect(await amend(member, orderNo, { lots: 1 })).toMatchObject({ lots: 1, heldCents: 9_900_000 + 15_600 + 33_000 });
    await broker.cancel(member, orderNo);
  });

  it("of a close that rests leave the others held", async () => {
    broker.venue.set(0, { asks: [[100, 3]] });
    const { orderNo } = await broker.place(member, { lots: 3 });
    await broker.close(member, orderNo, { price: 105, lots: 3 });
    expect(await amend(member, orderNo, { lots: 1 })).toMatchObject({ status: "readyToClose", closingLots: 1, closePrice: 1_050_000 });
    broker.venue.set(0, { bids: [[105, 9]], asks: [] });
    await broker.settled();
    expect((await broker.call("readOrder", member, { orderNo })).order).toMatchObject({ status: "holding", closedLots: 1 });
  });
});

describe("another price", () => {
  it("holds more or less, and goes behind whoever waits there", async () => {
    const other = await broker.newMember();
    const moved = await broker.place(member, { price: 98, lots: 1 });
    const there = await broker.place(other, { price: 99, lots: 1 });
    expect(await amend(member, moved.orderNo, { price: 99 })).toMatchObject({ price: 990_000, heldCents: 9_900_000 + 14_100 });
    broker.venue.set(0, { asks: [[99, 1]] });
    await broker.settled();
    expect((await broker.call("readOrder", other, there)).order.status).toBe("holding");
    expect(await amend(member, moved.orderNo, { price: 95 })).toMatchObject({ heldCents: 9_500_000 + 13_500 });
    expect(await available()).toBe(DEPOSIT - 9_513_500);
    await broker.cancel(member, moved.orderNo);
  });

  it("trades at once where the market is there already, another member's order too", async () => {
    const other = await broker.newMember();
    await broker.place(other, { direction: "fall", price: 100, lots: 1 });
    const { orderNo } = await broker.place(member, { price: 99, lots: 2 });
    broker.venue.set(0, { asks: [[100.5, 5]] });
    expect(await amend(member, orderNo, { price: 100.5 })).toMatchObject({ status: "holding", openCents: 20_050_000, heldCents: 0 });
    expect(facts()).toEqual(["order.placed", "order.amended", "order.filled"]);
  });

  it("of a close that rests, and of one at market", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await broker.place(member, { lots: 2 });
    broker.venue.set(0, { asks: [] });
    expect(await broker.close(member, orderNo, { lots: 2 })).toMatchObject({ status: "readyToClose", closePricing: "market" });
    expect(await amend(member, orderNo, { price: 104 })).toMatchObject({ closePricing: "limit", closePrice: 1_040_000 });
    expect(await amend(member, orderNo, { price: 103, lots: 1 })).toMatchObject({ closePrice: 1_030_000, closingLots: 1 });
    broker.venue.set(0, { bids: [[103, 9]] });
    await broker.settled();
    expect((await broker.call("readOrder", member, { orderNo })).order).toMatchObject({ closedLots: 1, closeCents: 10_300_000 });
  });
});

describe("an amendment acts once", () => {
  it("and answers again as the order stands", async () => {
    const { orderNo } = await broker.place(member, { price: 98, lots: 3 });
    const requestId = randomUUID();
    await amend(member, orderNo, { lots: 2, requestId });
    expect(await amend(member, orderNo, { lots: 2, requestId })).toMatchObject({ lots: 2 });
    expect(await refusalOf(amend(member, orderNo, { lots: 1, requestId }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
    expect(facts()).toEqual(["order.placed", "order.amended"]);
  });
});

describe("an amendment is refused", () => {
  it("for nothing, for more, and for what does not rest", async () => {
    const { orderNo } = await broker.place(member, { price: 98, lots: 3 });
    expect(await refusalOf(amend(member, orderNo, {}))).toMatchObject({ code: "TRD_AMEND_NOTHING" });
    expect(await refusalOf(amend(member, orderNo, { lots: 3, price: 98 }))).toMatchObject({ code: "TRD_AMEND_NOTHING" });
    expect(await refusalOf(amend(member, orderNo, { lots: 4 }))).toMatchObject({ code: "TRD_AMEND_MORE", field: "lots" });
    expect(await refusalOf(amend(await broker.newMember(), orderNo, { lots: 1 }))).toMatchObject({ code: "TRD_ORDER_NOT_FOUND" });
    await broker.cancel(member, orderNo);
    expect(await refusalOf(amend(member, orderNo, { lots: 1 }))).toMatchObject({ code: "TRD_ALREADY_CANCELLED" });
    broker.venue.set(0, { asks: [[100, 2]] });
    const held = await broker.place(member, { lots: 2 });
    expect(await refusalOf(amend(member, held.orderNo, { lots: 1 }))).toMatchObject({ code: "TRD_ORDER_NOT_PENDING" });
  });

  it("at a price the market does not take, or without the money for it", async () => {
    const poor = await broker.newMember({ depositCents: 9_813_900 });
    const { orderNo } = await broker.place(poor, { price: 98, lots: 1 });
    expect(await refusalOf(amend(poor, orderNo, { price: 120 }))).toMatchObject({ code: "TRD_PRICE_LIMIT_EXCEEDED", field: "price" });
    expect(await refusalOf(amend(poor, orderNo, { price: 98.05 }))).toMatchObject({ code: "TRD_PRICE_OFF_TICK", params: { n: "0.1" } });
    expect(await refusalOf(amend(poor, orderNo, { price: 99 }))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT", field: "price" });
    await broker.db.kysely.updateTable("trader").set({ max_order_cents: 9_850_000 }).where("member_id", "=", poor).execute();
    expect(await refusalOf(amend(poor, orderNo, { price: 98.6 }))).toMatchObject({ code: "RSK_ORDER_MAX", params: { n: "98,500" } });
    await broker.cancel(poor, orderNo);
  });
});
