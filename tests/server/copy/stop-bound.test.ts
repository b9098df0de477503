/** Compares what followers lose beyond their stop with the path of the price: only the market and the costs may add to it, never the mentor. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { randomFrom } from "#tests/server/simulation/random.ts";
import { copyOrders, expectCleanBooks, follower, mentor, passTicks, priced, read } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => priced(broker, 100));
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const AMOUNT = 500_000;
const STOP_PERCENT = 10;
const STOP_CENTS = AMOUNT * STOP_PERCENT;
const LOT_CENTS = 100_000;

/** What a member's copies hold and have bought, in lots, and what they paid in fees and tax, in cents. */
async function standOf(member: number): Promise<{ lots: number; costs: number; bought: number }> {
  const orders = await copyOrders(broker, member);
  return {
    lots: orders.reduce((sum, one) => sum + one.filled_lots - one.closed_lots, 0),
    bought: orders.reduce((sum, one) => sum + one.filled_lots, 0),
    costs: orders.reduce((sum, one) => sum + one.open_fee_cents + one.close_fee_cents + one.close_tax_cents, 0),
  };
}

describe("a follower's loss beyond the stop", () => {
  it("has nothing in it that the mentor bought once the market was there", async () => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one, { amount: AMOUNT, stopPercent: STOP_PERCENT });
    await broker.place(one.member, { lots: 8 });
    await passTicks(broker);
    const before = await standOf(member);
    expect(before.bought).toBe(4);
    // The price falls through the stop, and the mentor buys before anyone has looked.
    priced(broker, 85);
    await broker.place(one.member, { lots: 2 });
    await passTicks(broker);
    expect((await read(broker, member, copyNo)).copy).toMatchObject({ status: "stopped", reason: "loss" });
    expect((await standOf(member)).bought).toBe(4);
  });

  it.each([1, 2, 3])("is at most the last move of the market and the costs, whatever the mentor trades (path %i)", async (seed) => {
    const random = randomFrom(seed);
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one, { amount: AMOUNT, stopPercent: STOP_PERCENT });
    const held: { orderNo: OrderNo; lots: number }[] = [];
    let at = 100;
    for (let step = 0; step < 60; step += 1) {
      const before = await standOf(member);
      const from = at;
      at = Math.max(75, at + random.int(-3, 2));
      priced(broker, at);
      // Sells one of what it holds or buys, at every step: followers pay for each turn.
      const sold = random.once(2) ? held.shift() : undefined;
      if (sold) await broker.close(one.member, sold.orderNo, { lots: sold.lots });
      const lots = random.int(1, 6);
      held.push({ orderNo: (await broker.place(one.member, { lots })).orderNo, lots });
      await passTicks(broker);
      const { copy, valuation } = await read(broker, member, copyNo);
      if (copy.status !== "stopped") continue;
      const after = await standOf(member);
      // The market took its move on what was held before it; all else that was lost since is fees and tax.
      const move = Math.max(0, from - at) * before.lots * LOT_CENTS;
      const loss = 0 - (valuation?.realisedCents ?? 0);
      expect(copy.reason).toBe("loss");
      expect(loss).toBeGreaterThanOrEqual(STOP_CENTS);
      expect(loss - STOP_CENTS).toBeLessThanOrEqual(move + after.costs - before.costs);
      return;
    }
    throw new Error("the path never reached the stop");
  });
});
