/** Tests commands on several orders (cancel all, close all, reverse): executed once, with one stable answer. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;

beforeEach(async () => {
  broker = await openTestBroker();
  for (const row of [0, 1, 3]) broker.venue.set(row, { bids: [[99.5, 9]], asks: [[100, 9]], last: 100, reference: 100 });
  member = await broker.newMember();
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const id = () => RequestId.parse(randomUUID());
const code = (text: string) => text as Code;
const statusOf = async (orderNo: OrderNo) => (await broker.call("readOrder", member, { orderNo })).order.status;
const numbers = (orders: { orderNo: string }[]) => orders.map(({ orderNo }) => orderNo);

describe("cancelling all", () => {
  it("cancels all resting orders of one instrument or of all, and a repeat returns the same answer", async () => {
    const one = await broker.place(member, { price: 95 });
    const two = await broker.place(member, { price: 96, code: "2603" });
    const held = await broker.place(member, { lots: 2 });
    await broker.close(member, held.orderNo, { price: 105 });
    const other = await broker.newMember();
    const theirs = await broker.place(other, { price: 95 });
    const first = { requestId: id(), code: code("2603") };
    expect(numbers((await broker.call("cancelOrders", member, first)).orders)).toEqual([two.orderNo]);
    const all = { requestId: id(), code: null };
    const answer = await broker.call("cancelOrders", member, all);
    expect(numbers(answer.orders)).toEqual([one.orderNo, held.orderNo]);
    expect(answer.refused).toEqual([]);
    expect([await statusOf(one.orderNo), await statusOf(two.orderNo), await statusOf(held.orderNo)]).toEqual([
      "cancelled",
      "cancelled",
      "holding",
    ]);
    expect((await broker.call("readOrder", other, { orderNo: theirs.orderNo })).order.status).toBe("pending");
    await broker.place(member, { price: 95 });
    expect(await broker.call("cancelOrders", member, all)).toEqual(answer);
    expect(await broker.call("askOutcome", member, { requestId: all.requestId, giveUp: false })).toEqual({
      known: true,
      order: null,
      answer,
    });
    expect(await refusalOf(broker.call("cancelOrders", member, { ...all, code: code("2330") }))).toMatchObject({
      code: "GEN_REQUEST_REUSED",
    });
    expect((await broker.call("listOrders", member, { statuses: ["pending"], cursor: null })).items).toHaveLength(1);
  });

  it("succeeds with an empty result when nothing rests", async () => {
    const body = { requestId: id(), code: null };
    expect(await broker.call("cancelOrders", member, body)).toEqual({ orders: [], refused: [] });
    expect(await broker.call("askOutcome", member, { requestId: body.requestId, giveUp: false })).toMatchObject({ known: true });
  });
});

describe("closing all", () => {
  it("closes what can be closed, and returns the reason for each other position", async () => {
    const free = await broker.place(member, { lots: 2 });
    const locked = await broker.place(member, { lots: 1, code: "2308" });
    const waits = await broker.place(member, { price: 95 });
    const body = { requestId: id(), code: null };
    const answer = await broker.call("closeOrders", member, body);
    expect(answer.orders).toMatchObject([{ orderNo: free.orderNo, status: "closed", closedLots: 2 }]);
    expect(answer.refused).toEqual([{ orderNo: locked.orderNo, code: "TRD_SELL_LOCK_MINUTES", params: { n: 10 } }]);
    expect(await statusOf(waits.orderNo)).toBe("pending");
    expect(await broker.call("closeOrders", member, body)).toEqual(answer);
  });

  it("lets the close orders rest when the book is empty", async () => {
    const one = await broker.place(member, { lots: 2 });
    const two = await broker.place(member, { direction: "fall", lots: 1 });
    broker.venue.set(0, { bids: [], asks: [] });
    await broker.settled();
    const { orders } = await broker.call("closeOrders", member, { requestId: id(), code: code("2330") });
    expect(orders.map(({ orderNo, status }) => [orderNo, status])).toEqual([
      [one.orderNo, "readyToClose"],
      [two.orderNo, "readyToClose"],
    ]);
  });

  it("closes odd lots without daily limits at a price well beyond the last one", async () => {
    broker.venue.set(8, { last: 100 });
    const { orderNo } = await broker.place(member, { code: "00646", lots: 100, price: 100, also: { market: "odd" } });
    broker.venue.setCall(8, { asks: [[100, 100]] }, true);
    broker.venue.call("odd", [8]);
    await broker.settled();
    const answer = await broker.call("closeOrders", member, { requestId: id(), code: code("00646") });
    expect(answer.refused).toEqual([]);
    expect(answer.orders).toMatchObject([{ orderNo, status: "readyToClose", closePricing: "limit", closePrice: 900_000 }]);
  });
});

describe("reversing", () => {
  it("closes a position and opens the same lots in the opposite direction in one step", async () => {
    const { orderNo } = await broker.place(member, { lots: 3 });
    const body = { requestId: id(), orderNo };
    const answer = await broker.call("reverseOrder", member, body);
    expect(answer.closed).toMatchObject({ orderNo, status: "closed", closedLots: 3 });
    expect(answer.opened).toMatchObject({ status: "holding", direction: "fall", filledLots: 3 });
    expect(await broker.call("reverseOrder", member, body)).toEqual(answer);
    expect(await broker.call("askOutcome", member, { requestId: body.requestId, giveUp: false })).toMatchObject({
      known: true,
      order: { orderNo },
      answer,
    });
    broker.venue.set(0, { asks: [[100, 9]] });
    const back = await broker.call("reverseOrder", member, { requestId: id(), orderNo: answer.opened.orderNo });
    expect(back).toMatchObject({ closed: { status: "closed" }, opened: { status: "holding", direction: "rise", filledLots: 3 } });
  });

  it("is paid for with the proceeds of the close", async () => {
    const tight = await broker.newMember({ depositCents: 10_100_000 });
    const { orderNo } = await broker.place(tight, { lots: 1 });
    expect(await broker.call("reverseOrder", tight, { requestId: id(), orderNo })).toMatchObject({
      closed: { status: "closed" },
      opened: { status: "holding", direction: "fall" },
    });
  });

  it("does neither when one of the two is refused", async () => {
    const poor = await broker.newMember({ depositCents: 10_100_000 });
    const { orderNo } = await broker.place(poor, { lots: 1 });
    broker.venue.set(0, { bids: [[90, 1]], asks: [[110, 9]] });
    // The proceeds would not cover the worst-case price of the opposite long, and the book is empty.
    broker.venue.set(0, { bids: [] });
    expect(await refusalOf(broker.call("reverseOrder", poor, { requestId: id(), orderNo }))).toMatchObject({
      code: "FUND_AVAILABLE_INSUFFICIENT",
    });
    expect((await broker.call("readOrder", poor, { orderNo })).order.status).toBe("holding");
    const { orderNo: unshortable } = await broker.place(member, { code: "2603" });
    await broker.db.kysely
      .updateTable("member")
      .set({ restrictions: ["tradeBarred"] })
      .where("id", "=", member)
      .execute();
    expect(await refusalOf(broker.call("reverseOrder", member, { requestId: id(), orderNo: unshortable }))).toMatchObject({
      code: "ACC_TRADE_BARRED",
    });
    expect(await statusOf(unshortable)).toBe("holding");
  });
});
