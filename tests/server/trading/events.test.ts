/** Tests that an order's timeline is complete: amendments, close requests and cancellations, each with its time. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await broker.shut();
});

const requestId = () => RequestId.parse(randomUUID());

it("contains what fields and fills do not show, for this order only, oldest first", async () => {
  broker.venue.setPhase("open");
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  const member = await broker.newMember();
  const other = await broker.place(member, { price: 99, lots: 1 });
  const order = await broker.place(member, { price: 100, lots: 3 });
  await broker.call("amendOrder", member, { requestId: requestId(), orderNo: order.orderNo, lots: 2, price: null });
  await broker.call("amendOrder", member, { requestId: requestId(), orderNo: order.orderNo, lots: null, price: 98 * 10_000 });
  await broker.cancel(member, order.orderNo);
  const { events } = await broker.call("readOrder", member, { orderNo: order.orderNo });
  expect(events.map(({ type, lots, price }) => [type, lots, price])).toEqual([
    ["order.amended", 2, 1_000_000],
    ["order.amended", 2, 980_000],
    ["order.cancelled", 2, 980_000],
  ]);
  const moments = events.map(({ at }) => at);
  expect(moments.toSorted((a, b) => a - b)).toEqual(moments);
  expect((await broker.call("readOrder", member, { orderNo: other.orderNo })).events).toEqual([]);
});
