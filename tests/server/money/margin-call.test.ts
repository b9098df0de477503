/** The deadline of a margin call: the end of the second trading day after it, and overdue from the next moment on. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openHouse } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { comes, newTrader, place } from "./lend.ts";

/** A stock whose limits move with its price. */
const MOVING = 7;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openHouse();
});
afterAll(() => broker.shut());

const market = (at: number): void => broker.venue.set(MOVING, { bids: [[at, 100]], asks: [[at, 100]], last: at, reference: at });

it("skips holidays and weekends, and is met until its last moment", async () => {
  // A Wednesday before a Friday without trading.
  broker.clock.now = Date.parse("2027-12-22T11:00:00+08:00");
  market(100);
  const memberId = await newTrader(broker, 100_000_000);
  const { orderNo } = await place(broker, memberId, { code: "2454", funding: "margin", lots: 10 });
  const call = async () => (await broker.call("readMargin", memberId, {})).account.call;
  market(77);
  await comes(async () => expect(await call()).toMatchObject({ status: "due" }));
  const dueAt = Date.parse("2027-12-28T00:00:00+08:00") - 1;
  expect(await call()).toMatchObject({ calledAt: broker.clock.now, dueAt });
  broker.clock.now = dueAt;
  market(76);
  await broker.settled();
  expect(await call()).toMatchObject({ status: "due" });
  broker.clock.now = dueAt + 1;
  market(75);
  await comes(async () => expect((await broker.call("readOrder", memberId, { orderNo })).order).toMatchObject({ status: "closed" }));
  const { calls } = await broker.call("readMargin", memberId, {});
  expect(calls).toMatchObject([{ status: "liquidated", dueAt }]);
});
