/** A margin call's deadline, the end of the second trading day after it, and what becomes of the margin put up once nothing is owed. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RequestId } from "#contract/kernel/id.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { eventually, newTrader, place } from "./fixture.ts";

/** A stock whose limits move with its price. */
const MOVING = 7;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(() => broker.shut());

const market = (at: number): void => broker.venue.set(MOVING, { bids: [[at, 100]], asks: [[at, 100]], last: at, reference: at });

it("gives back what was put up when the position is closed, though the call it was for was met before", async () => {
  market(100);
  const memberId = await newTrader(broker, 100_000_000);
  const { orderNo } = await place(broker, memberId, { code: "2454", funding: "margin", lots: 10 });
  const account = async () => (await broker.call("readMargin", memberId, {})).account;
  market(77);
  await eventually(async () => expect((await account()).call).toMatchObject({ requiredCents: 22_600_000 }));
  await broker.call("payMargin", memberId, { requestId: randomUUID() as RequestId, amount: 226_000 });
  expect(await account()).toMatchObject({ call: null, addedCents: 22_600_000 });
  await broker.close(memberId, orderNo, { lots: 10 });
  await eventually(async () => expect(await account()).toMatchObject({ addedCents: 0 }));
  expect((await readBalances(broker.db.kysely, memberId)).margin).toBe(0);
});

it("has a deadline that skips holidays and weekends, and can be met until its last moment", async () => {
  // A Wednesday before a Friday without trading.
  broker.clock.now = Date.parse("2027-12-22T11:00:00+08:00");
  market(100);
  const memberId = await newTrader(broker, 100_000_000);
  const { orderNo } = await place(broker, memberId, { code: "2454", funding: "margin", lots: 10 });
  const call = async () => (await broker.call("readMargin", memberId, {})).account.call;
  market(77);
  await eventually(async () => expect(await call()).toMatchObject({ status: "due" }));
  const dueAt = Date.parse("2027-12-28T00:00:00+08:00") - 1;
  expect(await call()).toMatchObject({ calledAt: broker.clock.now, dueAt });
  broker.clock.now = dueAt;
  market(76);
  await broker.settled();
  expect(await call()).toMatchObject({ status: "due" });
  broker.clock.now = dueAt + 1;
  market(75);
  await eventually(async () => expect((await broker.call("readOrder", memberId, { orderNo })).order).toMatchObject({ status: "closed" }));
  const { calls } = await broker.call("readMargin", memberId, {});
  expect(calls).toMatchObject([{ status: "liquidated", dueAt }]);
});
