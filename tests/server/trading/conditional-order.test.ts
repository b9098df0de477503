/** Tests conditional orders: they hold money but are in no book until their trigger, then act like any other order. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { activate } from "#server/trading/order-entry/activate.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
const DAY = 86_400_000;

beforeEach(async () => {
  broker = await openTestBroker();
  broker.venue.setDay(broker.clock.now - DAY / 2, broker.clock.now + DAY / 2);
  broker.venue.set(0, { bids: [[99.5, 9]], asks: [[100, 9]], last: 100, reference: 100 });
  member = await broker.newMember();
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const stop = (price: number) => ({ trigger: { kind: "stop", price: price * 10_000 } });
const target = (price: number) => ({ trigger: { kind: "takeProfit", price: price * 10_000 } });
const facts = () => broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);
const orderOf = async (orderNo: OrderNo) => (await broker.call("readOrder", member, { orderNo })).order;
/** Triggers an order like the trigger monitor. */
const setOff = (orderNo: OrderNo) =>
  broker.sequencer.submit({
    memberIds: [member],
    orderNos: [orderNo],
    placements: 1,
    decide: (batch) => {
      const order = batch.order(member, orderNo);
      return order !== undefined && activate(batch, order);
    },
  });

describe("a conditional order", () => {
  it("holds its money, is in no book, and trades once when it is triggered", async () => {
    const order = await broker.place(member, { price: 102, lots: 2, also: stop(101) });
    expect(order).toMatchObject({ status: "pending", trigger: { kind: "stop", price: 1_010_000 }, heldCents: 20_400_000 + 29_000 });
    broker.venue.set(0, { asks: [[99, 9]], last: 99 });
    await broker.settled();
    expect(await orderOf(order.orderNo)).toMatchObject({ status: "pending", filledLots: 0 });
    expect(await setOff(order.orderNo)).toBe(true);
    expect(await setOff(order.orderNo)).toBe(false);
    expect(facts()).toEqual(["order.placed", "order.triggered", "order.filled"]);
    expect(await orderOf(order.orderNo)).toMatchObject({ status: "holding", trigger: null, openCents: 19_800_000, heldCents: 0 });
  });

  it("matches nothing while it waits, and gets its time priority when it is triggered", async () => {
    const other = await broker.newMember();
    broker.venue.set(0, { bids: [], asks: [] });
    const waits = await broker.place(member, { price: 98, lots: 1, also: target(99) });
    const rests = await broker.place(other, { price: 98, lots: 1 });
    await setOff(waits.orderNo);
    await broker.place(await broker.newMember(), { direction: "fall", price: 98, lots: 1 });
    expect((await broker.call("readOrder", other, { orderNo: rests.orderNo })).order.status).toBe("holding");
    expect((await orderOf(waits.orderNo)).status).toBe("pending");
  });

  it("is triggered by the market", async () => {
    const order = await broker.place(member, { lots: 1, also: stop(101) });
    expect(order).toMatchObject({ status: "pending", heldCents: 11_000_000 + 15_600 });
    broker.venue.set(0, { asks: [[101.5, 9]], last: 101, volume: 1 });
    await expect.poll(async () => (await orderOf(order.orderNo)).status, { timeout: 20_000 }).toBe("holding");
    expect(await orderOf(order.orderNo)).toMatchObject({ openCents: 10_150_000, trigger: null });
  });

  it("can be amended and cancelled before it is triggered", async () => {
    const { orderNo } = await broker.place(member, { price: 102, lots: 2, also: stop(101) });
    const body = { requestId: RequestId.parse(randomUUID()), orderNo, lots: 1, price: 1_015_000 };
    expect(await broker.call("amendOrder", member, body)).toMatchObject({ status: "pending", lots: 1, heldCents: 10_150_000 + 14_400 });
    expect(await broker.cancel(member, orderNo)).toMatchObject({ status: "cancelled", heldCents: 0 });
    expect(await setOff(orderNo)).toBe(false);
  });

  it("waits for its moved trigger, with the same money and its exits where they were", async () => {
    const stopLoss = { exits: [{ kind: "stop", price: 1_000_000 }] };
    const { orderNo, heldCents } = await broker.place(member, { price: 105, lots: 2, also: { ...stop(101), ...stopLoss } });
    const move = (trigger: number | null) =>
      broker.call("amendOrder", member, { requestId: RequestId.parse(randomUUID()), orderNo, lots: null, price: null, trigger });
    expect(await refusalOf(move(1_010_000))).toMatchObject({ code: "TRD_AMEND_NOTHING" });
    expect(await refusalOf(move(1_012_000))).toMatchObject({ code: "TRD_PRICE_OFF_TICK", field: "trigger" });
    expect(await refusalOf(move(995_000))).toMatchObject({ code: "TRD_TRIGGER_PASSED", field: "trigger" });
    expect(await move(1_030_000)).toMatchObject({
      status: "pending",
      trigger: { kind: "stop", price: 1_030_000 },
      heldCents,
      price: 1_050_000,
    });
    broker.venue.set(0, { asks: [[102, 9]], last: 102, volume: 1 });
    await broker.settled();
    expect(await orderOf(orderNo)).toMatchObject({ status: "pending" });
    broker.venue.set(0, { asks: [[103, 9]], last: 103, volume: 2 });
    await expect.poll(async () => (await orderOf(orderNo)).status, { timeout: 20_000 }).toBe("holding");
    expect(await refusalOf(move(1_050_000))).toMatchObject({ code: "TRD_ORDER_NOT_PENDING" });
  });

  it("keeps a trigger that its exits would lie on the wrong side of, and an order without one gets none", async () => {
    const move = (orderNo: OrderNo, trigger: number) =>
      broker.call("amendOrder", member, { requestId: RequestId.parse(randomUUID()), orderNo, lots: null, price: null, trigger });
    const exits = { exits: [{ kind: "takeProfit", price: 1_040_000 }] };
    const { orderNo } = await broker.place(member, { price: 105, lots: 1, also: { ...stop(101), ...exits } });
    expect(await refusalOf(move(orderNo, 1_040_000))).toMatchObject({ code: "TRD_TRIGGER_PASSED", field: "exits" });
    const plain = await broker.place(member, { price: 98, lots: 1 });
    expect(await refusalOf(move(plain.orderNo, 1_030_000))).toMatchObject({ code: "TRD_TRIGGER_PASSED", field: "trigger" });
  });

  it("that is IOC or FOK is cancelled when it gets nothing", async () => {
    const { orderNo } = await broker.place(member, { price: 98, lots: 2, also: { ...target(99), validity: "fok" } });
    expect((await orderOf(orderNo)).status).toBe("pending");
    await setOff(orderNo);
    expect((await orderOf(orderNo)).status).toBe("cancelled");
    expect(facts()).toEqual(["order.placed", "order.triggered", "order.cancelled"]);
  });

  it("expires with its day", async () => {
    const { orderNo } = await broker.place(member, { price: 102, lots: 2, also: stop(101) });
    broker.clock.now += DAY;
    broker.venue.setDay(broker.clock.now - DAY / 2, broker.clock.now + DAY / 2);
    await broker.settled();
    expect(await orderOf(orderNo)).toMatchObject({ status: "cancelled", heldCents: 0 });
  });

  it("is refused if its trigger is already met or off the tick: for a long, stop above and take-profit below; for a short, the reverse", async () => {
    const passed = { code: "TRD_TRIGGER_PASSED", params: {}, field: "trigger" };
    expect(await refusalOf(broker.place(member, { price: 102, also: stop(100) }))).toEqual(passed);
    expect(await refusalOf(broker.place(member, { price: 98, also: target(100) }))).toEqual(passed);
    expect(await refusalOf(broker.place(member, { direction: "fall", price: 98, also: stop(100) }))).toEqual(passed);
    expect(await refusalOf(broker.place(member, { direction: "fall", price: 102, also: target(100) }))).toEqual(passed);
    expect(await refusalOf(broker.place(member, { price: 102, also: stop(101.2) }))).toEqual({
      code: "TRD_PRICE_OFF_TICK",
      params: { n: "0.5" },
      field: "trigger",
    });
  });

  it("brings its exit orders: one of each kind, on the tick and not met yet", async () => {
    const exits = (...some: [kind: string, price: number][]) => ({ exits: some.map(([kind, price]) => ({ kind, price: price * 10_000 })) });
    expect(await refusalOf(broker.place(member, { price: 98, also: exits(["stop", 95], ["stop", 94]) }))).toEqual({
      code: "TRD_TRIGGER_TWICE",
      params: {},
      field: "exits",
    });
    expect(await refusalOf(broker.place(member, { price: 98, also: exits(["stop", 99]) }))).toMatchObject({
      code: "TRD_TRIGGER_PASSED",
      field: "exits",
    });
    expect(await broker.place(member, { also: exits(["stop", 95], ["takeProfit", 105]) })).toMatchObject({ status: "holding" });
    expect(facts().filter((type) => type === "condition.set")).toHaveLength(2);
  });
});
