/** The lowest price of a copy's sale: an accomplice of the mentor who waits below an emptied book gets nothing. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { isForceClosing } from "#server/trading/risk/forced-close.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { copyOrders, expectCleanBooks, follower, mentor, parts, passTicks, priced } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => {
  priced(broker, 100);
  broker.venue.setPhase("open");
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** A book with so many lots bid at a price, and an offer far away. */
const bid = (at: number, lots: number): void => broker.venue.set(0, { bids: [[at, lots]], asks: [[101, 10]], last: at, reference: 100 });

/** A mentor who holds five lots and a follower who has copied five; the book is thin, and an accomplice bids far below it. */
async function setTrap() {
  const one = await mentor(broker);
  const { member, copyNo } = await follower(broker, one, { amount: 1_100_000 });
  const { orderNo } = await broker.place(one.member, { lots: 5 });
  await passTicks(broker);
  bid(100, 6);
  const accomplice = await broker.newMember({ depositCents: 1_000_000_000 });
  const trap = await broker.place(accomplice, { lots: 5, price: 92 });
  return { one, member, copyNo, orderNo, accomplice, trap };
}

it("leaves an accomplice's low bid alone, waits at its limit, and is sold when the market bids there again", async () => {
  const { one, member, copyNo, orderNo, accomplice, trap } = await setTrap();
  await broker.close(one.member, orderNo, { lots: 5 });
  bid(100, 1);
  await passTicks(broker);
  const [sold] = await copyOrders(broker, member);
  expect(sold).toMatchObject({ status: "readyToClose", closed_lots: 1, closing_lots: 4, close_price: price(995_000) });
  // It may wait for long: whatever the broker has to close makes it give way.
  expect(sold && isForceClosing(sold)).toBe(false);
  const told = (await parts(broker, member, copyNo)).length;
  // Nothing changes as long as the market stays, and nothing is told again.
  await passTicks(broker);
  expect((await copyOrders(broker, member))[0]).toEqual(sold);
  expect(await parts(broker, member, copyNo)).toHaveLength(told);
  bid(100, 4);
  await broker.settled();
  expect((await copyOrders(broker, member))[0]).toMatchObject({ status: "closed", closed_lots: 5 });
  await broker.call("cancelOrder", accomplice, { requestId: crypto.randomUUID() as never, orderNo: trap.orderNo });
});

it("follows the market down, never up, and tells what it sold on the way", async () => {
  const { one, member, copyNo, orderNo } = await setTrap();
  await broker.close(one.member, orderNo, { lots: 5 });
  bid(100, 1);
  await passTicks(broker);
  bid(98, 2);
  await passTicks(broker);
  expect((await copyOrders(broker, member))[0]).toMatchObject({ closed_lots: 3, closing_lots: 2, close_price: price(976_000) });
  broker.venue.set(0, { bids: [], asks: [[101, 10]], last: 99, reference: 100 });
  await passTicks(broker);
  expect((await copyOrders(broker, member))[0]).toMatchObject({ closed_lots: 3, close_price: price(976_000) });
  expect((await parts(broker, member, copyNo)).filter(({ side }) => side === "sell").map(({ shares }) => shares)).toEqual([1_000, 2_000]);
  bid(97, 9);
  await passTicks(broker);
  expect((await copyOrders(broker, member))[0]).toMatchObject({
    status: "closed",
    close_cents: 10_000_000 + 2 * 9_800_000 + 2 * 9_700_000,
  });
});

it("goes down to the day's limit and no further where nobody bids", async () => {
  const { one, member, orderNo } = await setTrap();
  await broker.close(one.member, orderNo, { lots: 5 });
  broker.venue.set(0, { bids: [], asks: [[90, 500]], last: 90, reference: 100 });
  await passTicks(broker);
  expect((await copyOrders(broker, member))[0]).toMatchObject({ status: "readyToClose", closed_lots: 0, close_price: price(900_000) });
});

it("does not trade below its limit in a call auction either", async () => {
  const { one, member, orderNo } = await setTrap();
  await broker.close(one.member, orderNo, { lots: 5 });
  bid(100, 1);
  await passTicks(broker);
  broker.venue.setPhase("closingAuction");
  broker.venue.setCall(0, { bids: [[93, 5]], asks: [[101, 5]], anchor: 93 });
  broker.venue.call("closing");
  await broker.settled();
  expect((await copyOrders(broker, member))[0]).toMatchObject({ status: "readyToClose", closed_lots: 1, closing_lots: 4 });
});
