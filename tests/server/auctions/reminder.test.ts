/** Tests that winners of an auction who have not paid are reminded once, halfway through their time to pay. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { HOUR_MS } from "#contract/kernel/time.ts";
import { startAuctionClock } from "#server/offerings/auctions/auction-clock.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { announce, AT, bid, bidNow, crowdAt, expectCleanBooks, factsOf, newBidder, openAuctionBroker, passHours, pay } from "./fixture.ts";

let broker: TestBroker;
beforeEach(async () => {
  broker = await openAuctionBroker();
});
afterEach(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

it("reminds who won and has not paid halfway to the deadline, once, and nobody else", async () => {
  // 197 of 200 lots go to the crowd above: three are left.
  const code = await announce(broker, { crowd: crowdAt(560_000, 197) });
  const [late, prompt, loser] = [await newBidder(broker), await newBidder(broker), await newBidder(broker)];
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, late, code, { price: 550_000, lots: 3 });
  const paid = await bid(broker, prompt, code, { price: 570_000, lots: 1 });
  await bid(broker, loser, code, { price: 505_000 });
  await passHours(broker, AT.opened - AT.opens);
  await pay(broker, prompt, paid.bidNo);
  const reminders = async (member: number) => {
    const { items } = await broker.call("listMessages", member, { cursor: null });
    return items.flatMap(({ auction }) => (auction?.event === "bid.reminded" ? [auction.bid] : []));
  };
  await passHours(broker, (AT.payable - AT.opened) / 2 - 0.001);
  expect(await reminders(late)).toEqual([]);
  await passHours(broker, 0.001);
  const { dueCents, payableUntil } = await bidNow(broker, late, bidNo);
  expect(await reminders(late)).toMatchObject([{ bidNo, status: "won", dueCents, payableUntil }]);
  await passHours(broker, (AT.payable - AT.opened) / 2 - 0.001);
  expect(await reminders(late)).toHaveLength(1);
  for (const other of [prompt, loser]) expect(await reminders(other)).toEqual([]);
  expect(factsOf(broker, late)).toEqual(["bid.placed", "bid.won", "bid.refunded", "bid.reminded"]);
});

it("reminds only halfway through the time to pay that a server that was off leaves", async () => {
  const code = await announce(broker);
  const member = await newBidder(broker);
  await passHours(broker, AT.opens);
  const { bidNo } = await bid(broker, member, code);
  await passHours(broker, AT.opened - AT.opens);
  const { db, venue, sequencer, clock, faults } = broker;
  const report = (fault: unknown) => faults.push(fault);
  const once = () => () => Promise.resolve();
  const start = () => startAuctionClock({ db, venue, sequencer, now: () => clock.now, report, repeat: once });
  await broker.stop();
  await start();
  // Off for two hours, past the half of the old time to pay: three hours become five.
  clock.now += 2 * HOUR_MS;
  await start();
  const reminded = () => factsOf(broker, member).filter((type) => type === "bid.reminded").length;
  expect([(await bidNow(broker, member, bidNo)).payableUntil, reminded()]).toEqual([clock.now + 3 * HOUR_MS, 0]);
  await passHours(broker, 0.499);
  expect(reminded()).toBe(0);
  await passHours(broker, 0.001);
  expect(reminded()).toBe(1);
});
