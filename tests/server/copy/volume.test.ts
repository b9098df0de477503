/** The part of an instrument's volume that copies may buy: followers are not led into a market too thin for all of them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { copyOrders, expectCleanBooks, follower, mentor, parts, passTicks } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

it("lets copies buy a part of what has traded, in all acts of the session together, and says so", async () => {
  const one = await mentor(broker);
  const first = await follower(broker, one, { amount: 500_000 });
  const second = await follower(broker, one, { amount: 500_000 });
  // A tenth of 69 lots is six.
  broker.venue.set(0, { bids: [[100, 4000]], asks: [[100, 4000]], last: 100, reference: 100, volume: 69 });
  await broker.place(one.member, { lots: 4 });
  await passTicks(broker);
  const lotsOf = async ({ member }: typeof first) => (await copyOrders(broker, member)).map((order) => order.filled_lots);
  expect([await lotsOf(first), await lotsOf(second)]).toEqual([[2], [2]]);
  await broker.place(one.member, { lots: 4 });
  await passTicks(broker);
  expect([await lotsOf(first), await lotsOf(second)]).toEqual([
    [2, 1],
    [2, 1],
  ]);
  await broker.place(one.member, { lots: 2 });
  await passTicks(broker);
  for (const { member, copyNo } of [first, second])
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual([null, null, "volume"]);
  // What was bought in earlier sessions does not count.
  broker.venue.setDay(broker.clock.now + 1, broker.clock.now + DAY_MS);
  broker.clock.now += 1_000;
  await broker.place(one.member, { lots: 4 });
  await passTicks(broker);
  expect(await lotsOf(first)).toEqual([2, 1, 1]);
});

it("counts a usual day where less has traded by then, and not the day itself", async () => {
  const one = await mentor(broker);
  const { member } = await follower(broker, one, { amount: 900_000 });
  const instrument = broker.venue.instruments[1];
  if (!instrument) throw new Error("no second instrument");
  const { opensAt } = broker.venue.state(broker.clock.now);
  const bar = (at: number, volume: number) => ({ at, open: 0, high: 0, low: 0, close: 0, volume });
  // Thirty lots a day, of which a tenth is three.
  broker.venue.setPastCalls([], { [instrument.code]: [bar(opensAt - 2 * DAY_MS, 40), bar(opensAt - DAY_MS, 20), bar(opensAt, 9_000)] });
  broker.venue.set(instrument.row, { bids: [[100, 4000]], asks: [[100, 4000]], last: 100, reference: 100 });
  await broker.place(one.member, { code: instrument.code, lots: 8 });
  await passTicks(broker);
  expect((await copyOrders(broker, member)).map((order) => order.filled_lots)).toEqual([3]);
});
