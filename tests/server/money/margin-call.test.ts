/** A margin call's deadline, the end of the second trading day after it, and what becomes of the margin put up once nothing is owed. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RequestId } from "#contract/kernel/id.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { eventually, newTrader, orderBecomes, orderOf, pass, place } from "./fixture.ts";

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
  // The call ends in a step of its own, after the position.
  await eventually(async () =>
    expect((await broker.call("readMargin", memberId, {})).calls).toMatchObject([{ status: "liquidated", dueAt }]),
  );
});

it("is neither raised nor enforced while one of the account's positions is locked, whose value may be wrong", async () => {
  market(100);
  broker.venue.set(1, { bids: [[100, 100]], asks: [[100, 100]], last: 100, reference: 100 });
  const [called, uncalled] = [await newTrader(broker, 100_000_000), await newTrader(broker, 100_000_000)];
  const call = async (memberId: number) => (await broker.call("readMargin", memberId, {})).account.call;
  const open = async (memberId: number) => [
    await place(broker, memberId, { code: "2603", funding: "margin", lots: 1 }),
    await place(broker, memberId, { code: "2454", funding: "margin", lots: 10 }),
  ];
  const healthy = [...(await open(called)), ...(await open(uncalled))];
  const locked = healthy.filter(({ code }) => code === "2454");
  const lock = async (verb: string): Promise<void> => {
    for (const { orderNo } of locked) expect(await runCommand(broker.db, ["order", orderNo, verb], () => undefined)).toBe(0);
  };
  await runCommand(broker.db, ["order", locked[1]?.orderNo ?? "", "lock"], () => undefined);
  market(74);
  await eventually(async () => expect(await call(called)).toMatchObject({ status: "due" }));
  await lock("lock");
  pass(broker, 10);
  market(60);
  await broker.settled();
  market(59);
  await broker.settled();
  expect(await call(called)).toMatchObject({ status: "due" });
  expect(await call(uncalled)).toBeNull();
  for (const { orderNo } of healthy) expect(await orderOf(broker, orderNo)).toMatchObject({ status: "holding", closed_lots: 0 });
  await lock("unlock");
  await broker.stop();
  broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
  for (const { orderNo } of locked) await orderBecomes(broker, orderNo, { status: "closed", close_cause: "marginCall" });
});
