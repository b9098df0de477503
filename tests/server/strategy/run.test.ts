/** Tests runs of strategies: what a day's rule buys and sells, once; what is left out; the loss, pausing and stopping. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { STRATEGY_CODES } from "#contract/strategy.ts";
import { DAY_MS, taipeiDay } from "#contract/kernel/time.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import {
  CODE,
  expectCleanBooks,
  FALLING,
  investor,
  newId,
  nextDay,
  openStrategyBroker,
  past,
  passTicks,
  priced,
  read,
  RISING,
  start,
  strategyOrders,
  trades,
} from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openStrategyBroker();
});
beforeEach(() => {
  // What a strategy wants on a day is computed once for everybody: each test has a day of its own.
  broker.clock.now += DAY_MS;
  broker.venue.setPhase("open");
  broker.venue.setFresh(true);
  broker.venue.setMatching(0, null);
  priced(broker, 30);
  past(broker, RISING);
});
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

describe("a run", () => {
  it("buys once what its rule wants, as an ordinary order of the member's", async () => {
    const member = await investor(broker);
    const { runNo, status } = await start(broker, member);
    expect(status).toBe("running");
    await passTicks(broker);
    await passTicks(broker);
    const [order, ...others] = await strategyOrders(broker, member);
    expect(others).toEqual([]);
    expect(order).toMatchObject({ code: CODE, status: "holding", filled_lots: 3, direction: "rise", funding: "cash" });
    expect(await trades(broker, member, runNo)).toMatchObject([
      { side: "buy", wantedLots: 3, lots: 3, orderNo: order?.order_no, leftOut: null },
    ]);
    const { run, valuation } = await read(broker, member, runNo);
    expect(run).toMatchObject({ status: "running", wanted: [{ code: CODE, perMille: 1_000 }], bought: 1, sold: 0, leftOut: 0 });
    expect(valuation).toMatchObject({ costCents: 9_000_000 + (order?.open_fee_cents ?? 0), realisedCents: 0 });
  });

  it("holds while its rule wants the same, sells when it does not, and buys again", async () => {
    const member = await investor(broker);
    const { runNo } = await start(broker, member);
    await passTicks(broker);
    await nextDay(broker, [...RISING, 26.1]);
    expect(await trades(broker, member, runNo)).toHaveLength(1);
    await nextDay(broker, FALLING);
    await nextDay(broker, RISING);
    expect((await trades(broker, member, runNo)).map(({ side, lots }) => [side, lots])).toEqual([
      ["buy", 3],
      ["sell", 3],
      ["buy", 3],
    ]);
    expect((await read(broker, member, runNo)).run).toMatchObject({ bought: 2, sold: 1 });
    const [first] = await strategyOrders(broker, member);
    expect(first).toMatchObject({ status: "closed", close_cause: "strategy" });
  });

  it("sells a part of what it holds, of the order it bought first", async () => {
    const member = await investor(broker);
    const flat = Array.from({ length: 60 }, () => 30);
    past(broker, flat);
    const { runNo } = await start(broker, member, { strategy: "grid", amount: 600_000 });
    await passTicks(broker);
    await nextDay(broker, [...flat.slice(1), 28]);
    await nextDay(broker, [...flat.slice(1), 31.4]);
    // 50 %, then 80 %, then 30 % of what is twenty lots, or one less at the limit.
    const done = await trades(broker, member, runNo);
    expect(done.map(({ side, lots }) => [side, lots])).toEqual([
      ["buy", 9],
      ["buy", 6],
      ["sell", 9],
      ["sell", 1],
    ]);
    const orders = await strategyOrders(broker, member);
    expect(orders.map(({ filled_lots: filled, closed_lots: closed }) => [filled, closed])).toEqual([
      [9, 9],
      [6, 1],
    ]);
  });

  it("decides a day once, also when the server stops in between and the clock starts again", async () => {
    const db = await openTestDatabase();
    const clock = { now: broker.clock.now };
    const first = await openStrategyBroker({ db, clock });
    priced(first, 30);
    past(first, RISING);
    const member = await investor(first);
    const { runNo } = await start(first, member);
    await passTicks(first);
    await first.stop();
    const second = await openStrategyBroker({ db, clock });
    priced(second, 30);
    past(second, RISING);
    await passTicks(second);
    expect(await strategyOrders(second, member)).toHaveLength(1);
    await nextDay(second, FALLING);
    expect((await trades(second, member, runNo)).map(({ side }) => side)).toEqual(["buy", "sell"]);
    await expectCleanBooks(second);
    await second.shut();
  });

  it("waits for a call auction at the opening, and does without after half an hour", async () => {
    const member = await investor(broker);
    broker.venue.setDay(broker.clock.now, broker.clock.now + 40_000_000);
    broker.venue.setMatching(0, "call");
    const { runNo } = await start(broker, member);
    await passTicks(broker);
    expect((await read(broker, member, runNo)).run.decidedAt).toBeNull();
    broker.clock.now += 1_800_000;
    await passTicks(broker);
    expect(await trades(broker, member, runNo)).toMatchObject([{ side: "buy", leftOut: "untradable", lots: 0 }]);
    // The next day it is wanted again.
    broker.venue.setMatching(0, null);
    await nextDay(broker, RISING);
    expect((await trades(broker, member, runNo)).at(-1)).toMatchObject({ lots: 3, leftOut: null });
  });

  it("neither waits for a fund that is traded by calls alone nor buys it, says so, and sells it by the next call", async () => {
    const member = await investor(broker);
    const flat = Array.from({ length: 60 }, () => 30);
    // Both at once: what a rule wants on a day is computed once, for the runs of earlier tests too.
    past(broker, flat, [CODE], taipeiDay(broker.clock.now) + 1);
    broker.clock.now += DAY_MS;
    broker.venue.setDay(broker.clock.now, broker.clock.now + 40_000_000);
    const fund = broker.venue.instruments[0] ?? {};
    const byCalls = (yes: boolean): void => {
      Object.assign(fund, { watch: yes ? "disposition" : "none" });
      broker.venue.setMatching(0, yes ? "call" : null);
    };
    byCalls(true);
    const { runNo } = await start(broker, member, { strategy: "grid", amount: 600_000 });
    await passTicks(broker);
    expect(await trades(broker, member, runNo)).toMatchObject([{ side: "buy", leftOut: "calls", lots: 0 }]);
    byCalls(false);
    await nextDay(broker, [...flat.slice(1), 28]);
    expect((await trades(broker, member, runNo)).at(-1)).toMatchObject({ side: "buy", leftOut: null });
    broker.venue.setDay(broker.clock.now + DAY_MS, broker.clock.now + DAY_MS + 40_000_000);
    byCalls(true);
    await nextDay(broker, [...flat.slice(1), 31.4]);
    const [order] = await strategyOrders(broker, member);
    expect(order).toMatchObject({ status: "readyToClose", close_cause: "strategy", close_pricing: "limit", closed_lots: 0 });
    broker.venue.setCall(0, { bids: [[30, 1_000]], anchor: 30 });
    broker.venue.call("periodic", [0]);
    await broker.settled();
    expect((await strategyOrders(broker, member))[0]).toMatchObject({ status: "holding", closed_lots: order?.closing_lots });
    byCalls(false);
  });

  it("does nothing outside of trading, or on stale prices", async () => {
    const member = await investor(broker);
    broker.venue.setPhase("closed");
    const { runNo } = await start(broker, member);
    await passTicks(broker);
    broker.venue.setPhase("open");
    broker.venue.setFresh(false);
    await passTicks(broker);
    expect((await read(broker, member, runNo)).run.decidedAt).toBeNull();
    broker.venue.setFresh(true);
    await passTicks(broker);
    expect((await read(broker, member, runNo)).run.bought).toBe(1);
  });

  it("takes what is to be had up to its limit, and wants nothing of it again that day", async () => {
    const member = await investor(broker);
    broker.venue.set(0, {
      bids: [[29.9, 10]],
      asks: [
        [30, 1],
        [30.5, 100],
      ],
      last: 30,
      reference: 30,
    });
    const { runNo } = await start(broker, member);
    await passTicks(broker);
    expect(await trades(broker, member, runNo)).toMatchObject([{ wantedLots: 3, lots: 1, leftOut: null }]);
    const [order] = await strategyOrders(broker, member);
    expect(order).toMatchObject({ status: "holding", filled_lots: 1, lots: 1 });
  });

  it.each([
    ["thin", async () => broker.venue.set(0, { bids: [[29.9, 10]], asks: [[31, 100]], last: 30, reference: 30 })],
    ["tooSmall", async () => priced(broker, 120)],
    ["money", async (member: number) => void (await broker.place(member, { code: "2884", lots: 99, price: 100 }))],
  ] as const)("leaves out and says so: %s", async (omission, before) => {
    const member = await investor(broker);
    const { runNo } = await start(broker, member);
    priced(broker, 100, 4_000, 4);
    await before(member);
    await passTicks(broker);
    expect(await trades(broker, member, runNo)).toMatchObject([{ side: "buy", lots: 0, orderNo: null, leftOut: omission }]);
    expect((await read(broker, member, runNo)).run).toMatchObject({ bought: 0, leftOut: 1, wanted: [] });
  });

  it("stops at its loss, tells it, sells everything and ends", async () => {
    const member = await investor(broker);
    const { runNo } = await start(broker, member, { stopPercent: 10 });
    await passTicks(broker);
    priced(broker, 27);
    await passTicks(broker);
    expect((await read(broker, member, runNo)).run.status).toBe("running");
    priced(broker, 26.5);
    await passTicks(broker);
    await passTicks(broker);
    const { run, valuation } = await read(broker, member, runNo);
    expect(run).toMatchObject({ status: "stopped", reason: "loss", kept: false, sold: 1 });
    expect(valuation?.costCents).toBe(0);
    expect(valuation?.realisedCents).toBeLessThan(-1_000_000);
    const facts = broker.published.filter(({ memberId }) => memberId === member).map(({ fact }) => fact);
    expect(facts.find(({ type }) => type === "strategy.stopping")).toMatchObject({ message: { notice: { about: "strategyStopped" } } });
  });

  it("is paused: neither buys nor sells, and resumed with what is wanted then", async () => {
    const member = await investor(broker);
    const { runNo } = await start(broker, member);
    await passTicks(broker);
    await broker.call("pauseStrategy", member, { requestId: newId(), runNo });
    await nextDay(broker, FALLING);
    expect(await trades(broker, member, runNo)).toHaveLength(1);
    await broker.call("resumeStrategy", member, { requestId: newId(), runNo });
    await passTicks(broker);
    expect((await trades(broker, member, runNo)).at(-1)).toMatchObject({ side: "sell", lots: 3 });
  });

  it("is stopped with a sale when the market opens, and is stopped for good", async () => {
    const member = await investor(broker);
    const { runNo } = await start(broker, member);
    await passTicks(broker);
    broker.venue.setPhase("closed");
    expect(await broker.call("stopStrategy", member, { requestId: newId(), runNo, keep: false })).toMatchObject({ status: "stopping" });
    await passTicks(broker);
    expect((await read(broker, member, runNo)).run.status).toBe("stopping");
    broker.venue.setPhase("open");
    priced(broker, 31);
    await passTicks(broker);
    await passTicks(broker);
    expect((await read(broker, member, runNo)).run).toMatchObject({ status: "stopped", reason: "member" });
    await nextDay(broker, RISING);
    expect(await strategyOrders(broker, member)).toHaveLength(1);
  });

  it("is stopped at once where what it bought is kept, which nothing sells any more", async () => {
    const member = await investor(broker);
    const { runNo } = await start(broker, member);
    await passTicks(broker);
    const stopped = await broker.call("stopStrategy", member, { requestId: newId(), runNo, keep: true });
    expect(stopped).toMatchObject({ status: "stopped", kept: true });
    await nextDay(broker, FALLING);
    expect(await strategyOrders(broker, member)).toMatchObject([{ status: "holding", closed_lots: 0 }]);
    expect((await read(broker, member, runNo)).valuation).toBeUndefined();
  });

  it("does not sell what the member sold", async () => {
    const member = await investor(broker);
    const { runNo } = await start(broker, member);
    await passTicks(broker);
    const [order] = await strategyOrders(broker, member);
    await broker.close(member, order?.order_no as never, { lots: 2 });
    await nextDay(broker, FALLING);
    expect((await trades(broker, member, runNo)).at(-1)).toMatchObject({ side: "sell", wantedLots: 1, lots: 1 });
  });

  it("of all instruments is in equal parts of the strongest", async () => {
    const member = await investor(broker);
    const line = (step: number) => Array.from({ length: 170 }, (_, nth) => 20 + nth * step);
    past(broker, line(0.05), STRATEGY_CODES);
    for (const [row] of STRATEGY_CODES.entries()) priced(broker, 30, 4_000, row);
    const { runNo } = await start(broker, member, { strategy: "rotation", code: null, amount: 300_000 });
    await passTicks(broker);
    const bought = await trades(broker, member, runNo);
    expect(bought.map(({ code, lots }) => [code, lots])).toEqual([
      ["0056", 3],
      ["00878", 3],
      ["00919", 3],
    ]);
  });
});
