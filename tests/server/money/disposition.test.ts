/** Tests a stock under disposition: members' orders wait for its next call, and the broker's own sale of a position does too. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RequestId } from "#contract/kernel/id.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { expectConsistentBooks, newTrader, orderBecomes, orderOf, place } from "./fixture.ts";

const DEPOSIT = 1_000_000_000;
let broker: TestBroker;
let member: number;

beforeEach(async () => {
  broker = await openTestBroker();
  member = await newTrader(broker, DEPOSIT);
  priced(100);
});
afterEach(async () => {
  Object.assign(broker.venue.instruments[0] ?? {}, { watch: "none" });
  await expectConsistentBooks(broker, member, DEPOSIT);
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

const priced = (at: number): void => broker.venue.set(0, { bids: [[at, 1_000]], asks: [[at, 1_000]], last: at, reference: at });

/** From the next session on the first stock is traded by calls. */
function dispose(): void {
  Object.assign(broker.venue.instruments[0] ?? {}, { watch: "disposition" });
  broker.venue.setMatching(0, "call");
}

it("takes limit orders good for the day, which wait for the next call whatever the book shows", async () => {
  dispose();
  expect(await refusalOf(broker.place(member))).toMatchObject({ code: "TRD_AUCTION_LIMIT_ONLY", field: "pricing" });
  for (const validity of ["ioc", "fok"] as const) {
    expect(await refusalOf(broker.place(member, { price: 100, also: { validity } }))).toMatchObject({
      code: "TRD_AUCTION_LIMIT_ONLY",
      field: "validity",
    });
  }
  const order = await broker.place(member, { price: 101, lots: 2 });
  // The whole price is put aside before the call.
  expect(order).toMatchObject({ status: "pending", filledLots: 0, heldCents: 20_200_000 + 28_700 });
  priced(99);
  await broker.settled();
  expect(await orderOf(broker, order.orderNo)).toMatchObject({ status: "pending", filled_lots: 0 });
  broker.venue.setCall(0, { asks: [[98, 1]], anchor: 98 });
  broker.venue.call("periodic", [0]);
  await orderBecomes(broker, order.orderNo, { status: "pending", filled_lots: 1 });
  broker.venue.setCall(0, { asks: [[100, 5]], anchor: 100 });
  broker.venue.call("periodic", [0]);
  await orderBecomes(broker, order.orderNo, { status: "holding", filled_lots: 2 });
});

it("is sold by the broker in the next call at any price of the day, where a halted stock waits until it trades again", async () => {
  const { orderNo } = await place(broker, member, { funding: "leverage", leverage: 2 });
  broker.venue.setMatching(0, "call");
  priced(60);
  await broker.settled();
  expect(await orderOf(broker, orderNo)).toMatchObject({ status: "holding" });
  dispose();
  priced(59.9);
  await orderBecomes(broker, orderNo, { status: "readyToClose", close_cause: "liquidation", close_pricing: "limit", closed_lots: 0 });
  broker.venue.setCall(0, { bids: [[58, 1_000]], anchor: 58 });
  broker.venue.call("periodic", [0]);
  await orderBecomes(broker, orderNo, { status: "closed", close_cause: "liquidation" });
});

it("is closed by its member in a call as well, and the close can be taken back before it", async () => {
  const { orderNo } = await place(broker, member, { lots: 2 });
  dispose();
  expect(await refusalOf(broker.close(member, orderNo, { lots: 2 }))).toMatchObject({ code: "TRD_AUCTION_LIMIT_ONLY" });
  await broker.close(member, orderNo, { lots: 2, price: 99 });
  expect(await orderOf(broker, orderNo)).toMatchObject({ status: "readyToClose", closed_lots: 0 });
  await broker.call("cancelOrder", member, { requestId: randomUUID() as RequestId, orderNo });
  expect(await orderOf(broker, orderNo)).toMatchObject({ status: "holding", closed_lots: 0 });
});

it("takes a conditional order only at a limit for the day, which waits for the next call once its price is reached", async () => {
  dispose();
  const trigger = { kind: "stop", price: 1_010_000 };
  expect(await refusalOf(broker.place(member, { also: { trigger } }))).toMatchObject({ code: "TRD_AUCTION_LIMIT_ONLY", field: "pricing" });
  for (const validity of ["ioc", "fok"] as const) {
    const refusal = await refusalOf(broker.place(member, { price: 102, also: { trigger, validity } }));
    expect(refusal).toMatchObject({ code: "TRD_AUCTION_LIMIT_ONLY", field: "validity" });
  }
  const { orderNo } = await broker.place(member, { price: 102, also: { trigger } });
  priced(101);
  await orderBecomes(broker, orderNo, { status: "pending", trigger_kind: null, filled_lots: 0 });
  broker.venue.setCall(0, { asks: [[101, 5]], anchor: 101 });
  broker.venue.call("periodic", [0]);
  await orderBecomes(broker, orderNo, { status: "holding", filled_lots: 1 });
});

it("is closed with all others at the worst price of the day, which waits for the next call and gets its price", async () => {
  const { orderNo } = await place(broker, member, { lots: 2 });
  dispose();
  const answer = await broker.call("closeOrders", member, { requestId: randomUUID() as RequestId, code: null });
  expect(answer).toMatchObject({ refused: [], orders: [{ orderNo, status: "readyToClose", closePricing: "limit", closePrice: 900_000 }] });
  broker.venue.setCall(0, { bids: [[99, 9]], anchor: 99 });
  broker.venue.call("periodic", [0]);
  await orderBecomes(broker, orderNo, { status: "closed", closed_lots: 2, close_cause: "member" });
  expect((await broker.call("readOrder", member, { orderNo })).fills.at(-1)).toMatchObject({ price: 990_000 });
});
