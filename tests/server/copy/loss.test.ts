/** Tests what sets off a copy's stop-loss: a loss that lasts, at prices that the book confirms; and that nothing is bought meanwhile. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LOSS_LASTS_MS, LossWatch } from "#server/accounts/loss-watch.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { copyOrders, expectCleanBooks, follower, mentor, parts, passTicks, priced, read } from "./fixture.ts";
import type { TestMentor } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => priced(broker, 100));
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** A follower with NT$200,000 of copies at 100, which stops at a loss of NT$20,000. */
async function bought(): Promise<{ one: TestMentor; member: number; copyNo: string }> {
  const one = await mentor(broker);
  const { member, copyNo } = await follower(broker, one, { amount: 250_000, stopPercent: 8 });
  await broker.place(one.member, { lots: 10 });
  await passTicks(broker);
  return { one, member, copyNo };
}

describe("the stop-loss of a copy", () => {
  it("is not set off by a trade far below the book, however long it is the last", async () => {
    const { member, copyNo } = await bought();
    broker.venue.set(0, { bids: [[99, 4000]], asks: [[100, 4000]], last: 90 });
    await passTicks(broker);
    await passTicks(broker);
    expect((await read(broker, member, copyNo)).copy.status).toBe("following");
    broker.venue.set(0, { bids: [[90, 4000]], asks: [[90.5, 4000]], last: 90 });
    await passTicks(broker);
    expect((await read(broker, member, copyNo)).copy).toMatchObject({ status: "stopped", reason: "loss" });
  });

  it("is not set off by a loss that is gone at the next look", async () => {
    const { member, copyNo } = await bought();
    for (const price of [85, 100, 85]) {
      priced(broker, price);
      broker.clock.now += LOSS_LASTS_MS;
      await broker.tick();
      await broker.settled();
    }
    expect((await read(broker, member, copyNo)).copy.status).toBe("following");
  });

  it("lets nothing be bought while it waits, also between purchases of one moment, and says so", async () => {
    const { one, member, copyNo } = await bought();
    // The mentor's own purchases are far above the book at which copies are valued by then.
    await broker.place(one.member, { lots: 5 });
    await broker.place(one.member, { lots: 5 });
    priced(broker, 85);
    broker.clock.now += 1_000;
    await broker.tick();
    await broker.settled();
    expect((await read(broker, member, copyNo)).copy.status).toBe("following");
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual([null, "stop", "stop"]);
    expect((await copyOrders(broker, member)).length).toBe(1);
  });

  it("is looked at again after each purchase, whose costs may reach it", async () => {
    const one = await mentor(broker);
    // Two lots of NT$20,000 each are bought at the ask and valued at 19.5: with the fee that is more than one percent of the amount.
    const { member, copyNo } = await follower(broker, one, { amount: 100_000, stopPercent: 1 });
    priced(broker, 20);
    for (const lots of [20, 20]) await broker.place(one.member, { lots });
    broker.venue.set(0, { bids: [[19.5, 4000]], asks: [[20, 4000]], last: 19.5 });
    broker.clock.now += 1_000;
    await broker.tick();
    await broker.settled();
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual([null, "stop"]);
  });
});

describe("a purchase whose instrument did not trade for too long", () => {
  it("is left out for that reason, and not for an outage of the broker's", async () => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one);
    await broker.place(one.member, { lots: 10 });
    broker.venue.setMatching(0, "none");
    await passTicks(broker, 20);
    broker.venue.setMatching(0, null);
    await passTicks(broker, 61);
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual(["halted"]);
  });
});

describe("a loss that is looked at", () => {
  it("counts from the first of the looks that found it, without a break", () => {
    const watch = new LossWatch();
    expect([...watch.look(["a", "b"], 0)]).toEqual([]);
    expect([...watch.look(["a", "b"], LOSS_LASTS_MS - 1)]).toEqual([]);
    expect([...watch.look(["a"], LOSS_LASTS_MS)]).toEqual(["a"]);
    expect([...watch.look(["a", "b"], LOSS_LASTS_MS + 1)]).toEqual(["a"]);
    // Time that is moved back begins again.
    expect([...watch.look(["a"], 0)]).toEqual([]);
  });
});
