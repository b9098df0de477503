/** Tests amending pending orders: fewer lots keep time priority, another price loses it, and the held money follows to the cent. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { amendFigures } from "#src/screens/trade/amend-figures.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
const DEPOSIT = 1_000_000_000;

beforeAll(async () => {
  broker = await openTestBroker();
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

describe("the amend sheet", () => {
  const market = { kind: "stock", limits: null, last: 1_000_000, ask: 0 } as const;

  it.each([
    ["a purchase at a lower price", { direction: "rise", price: 100, lots: 3 }, { price: 98 }],
    ["a purchase at a higher price", { direction: "rise", price: 100, lots: 3 }, { price: 101 }],
    ["a purchase of fewer lots", { direction: "rise", price: 100, lots: 3 }, { lots: 2 }],
    ["a short sale of fewer lots", { direction: "fall", price: 105, lots: 3 }, { lots: 1 }],
    ["a short sale at another price", { direction: "fall", price: 105, lots: 3 }, { price: 104, lots: 2 }],
  ] as const)("says what the broker then holds for %s", async (_what, placed, change) => {
    const order = await broker.place(member, placed);
    const limits = broker.venue.limits(0, broker.clock.now);
    const wanted = { lots: placed.lots, ...change, price: price(("price" in change ? change.price : placed.price) * 10_000) };
    const { before, after } = amendFigures(order, wanted, { ...market, limits });
    expect(before).toBe(order.heldCents);
    expect(after).not.toBe(before);
    expect(after).toBe((await amend(member, order.orderNo, change)).heldCents);
    await broker.cancel(member, order.orderNo);
  });

  it("says it for the rest of an order that is partly filled", async () => {
    broker.venue.set(0, { asks: [[100, 1]] });
    const order = await broker.place(member, { price: 100, lots: 3 });
    expect(order.filledLots).toBe(1);
    const { after } = amendFigures(order, { lots: 3, price: price(990_000) }, market);
    expect(after).toBe((await amend(member, order.orderNo, { price: 99 })).heldCents);
    await broker.cancel(member, order.orderNo);
  });
});

describe("fewer lots", () => {
  it("release their money and keep time priority", async () => {
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

  it("of a close order stay whole lots, when odd lots are held beside them", async () => {
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

  it("equal to the filled lots cancel the rest", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const { orderNo } = await broker.place(member, { price: 100, lots: 4 });
    expect(await amend(member, orderNo, { lots: 3 })).toMatchObject({ status: "pending", lots: 3, filledLots: 2 });
    // Two lots with their fee; the third lot's hold with its additional fee.
    expect(await available()).toBe(DEPOSIT - 30_000_000 - 42_700);
    expect(await amend(member, orderNo, { lots: 1 })).toMatchObject({ status: "holding", lots: 2, heldCents: 0 });
    expect(facts().slice(-2)).toEqual(["order.amended", "order.reduced"]);
  });

  it("of a short release collateral, fee and tax", async () => {
    const { orderNo, heldCents } = await broker.place(member, { direction: "fall", price: 105, lots: 2 });
    expect(heldCents).toBe(19_800_000 + 31_300 + 66_000);
    expect(await amend(member, orderNo, { lots: 1 })).toMatchObject({ lots: 1, heldCents: 9_900_000 + 15_600 + 33_000 });
    await broker.cancel(member, orderNo);
  });

  it("of a resting close order leave the others held", async () => {
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
  it("changes the held money and loses time priority", async () => {
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

  it("trades at once when it is marketable, also with another member's order", async () => {
    const other = await broker.newMember();
    await broker.place(other, { direction: "fall", price: 100, lots: 1 });
    const { orderNo } = await broker.place(member, { price: 99, lots: 2 });
    broker.venue.set(0, { asks: [[100.5, 5]] });
    expect(await amend(member, orderNo, { price: 100.5 })).toMatchObject({ status: "holding", openCents: 20_050_000, heldCents: 0 });
    expect(facts()).toEqual(["order.placed", "order.amended", "order.filled"]);
  });

  it("changes a resting close order, and one at market", async () => {
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
  it("and a repeated request returns the order's current state", async () => {
    const { orderNo } = await broker.place(member, { price: 98, lots: 3 });
    const requestId = randomUUID();
    await amend(member, orderNo, { lots: 2, requestId });
    expect(await amend(member, orderNo, { lots: 2, requestId })).toMatchObject({ lots: 2 });
    expect(await refusalOf(amend(member, orderNo, { lots: 1, requestId }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
    expect(facts()).toEqual(["order.placed", "order.amended"]);
  });
});

describe("an amendment is refused", () => {
  it("without a change, with more lots, and for orders that do not rest", async () => {
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

  it("at an invalid price, or without enough money", async () => {
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
