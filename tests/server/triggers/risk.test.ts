/**
 * Tests risk controls: enforced for everything that opens a position, stricter at once, looser from the next day, and never blocking a
 * close.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, formatDateTime, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { uuid } from "#tests/support/uuid.ts";

let broker: TestBroker;
let member: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.clock.now = Date.UTC(2026, 6, 1, 2, 0, 0);
  calm(100);
  member = await broker.newMember();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

/** A quiet market at one price with deep levels on both sides. */
function calm(price: number, row = 0): void {
  broker.venue.set(row, { bids: [[price, 400]], asks: [[price, 400]], last: price, reference: 100 });
}

const set = (maxOrderCents: number | null, dailyLossCents: number | null, slideAboveCents: number | null = null) =>
  broker.call("setRisk", member, { maxOrderCents, dailyLossCents, slideAboveCents });
const read = () => broker.call("readRisk", member, {});
const code = async (asked: Promise<unknown>): Promise<string> => (await refusalOf(asked)).code;
const tomorrow = (): number => taipeiMidnight(taipeiDay(broker.clock.now) + 1);

describe("the maximum order value", () => {
  it("limits placed orders, valued at the limit or at the newest price", async () => {
    await set(20_000_000, null);
    expect(await refusalOf(broker.place(member, { lots: 3 }))).toMatchObject({ code: "RSK_ORDER_MAX", params: { n: "200,000" } });
    expect(await code(broker.place(member, { lots: 2, price: 100.5 }))).toBe("RSK_ORDER_MAX");
    expect(await broker.place(member, { lots: 2 })).toMatchObject({ status: "holding" });
    // Each order counts by itself, without existing positions.
    expect(await broker.place(member, { lots: 2, price: 99 })).toMatchObject({ status: "pending" });
  });

  it("limits amendments, but allows a reduction", async () => {
    broker.venue.set(0, { asks: [] });
    const { orderNo } = await broker.place(member, { lots: 2, price: 99 });
    await set(19_800_000, null);
    const amend = (lots: number | null, price: number | null) =>
      broker.call("amendOrder", member, { requestId: uuid(), orderNo, lots, price });
    expect(await code(amend(null, 995_000))).toBe("RSK_ORDER_MAX");
    expect(await amend(1, null)).toMatchObject({ lots: 1 });
    expect(await amend(null, 995_000)).toMatchObject({ price: 995_000 });
  });

  it("limits reversals, and a refused one leaves the position unchanged", async () => {
    const { orderNo } = await broker.place(member, { lots: 3 });
    await set(20_000_000, null);
    expect(await code(broker.call("reverseOrder", member, { requestId: uuid(), orderNo }))).toBe("RSK_ORDER_MAX");
    expect((await broker.call("readOrder", member, { orderNo })).order).toMatchObject({ status: "holding", closedLots: 0 });
  });
});

describe("the daily loss", () => {
  it("counts open positions at the newest prices and today's realised loss, and resets with the day", async () => {
    const lose = async (lots: number): Promise<OrderNo> => (await broker.place(member, { lots })).orderNo;
    await set(null, 2_000_000);
    const orderNo = await lose(10);
    expect((await read()).lossCents).toBeLessThan(1_000_000);
    calm(99);
    const open = await read();
    expect(open.lossCents).toBe(0 - (await broker.call("readMember", member, {})).todayProfitCents);
    expect(await broker.place(member, { code: "2603", price: 90 })).toMatchObject({ status: "pending" });
    calm(98);
    expect((await read()).lossCents).toBeGreaterThan(2_000_000);
    expect(await refusalOf(broker.place(member))).toMatchObject({ code: "RSK_DAILY_LOSS", params: { n: "20,000" } });
    expect(await broker.close(member, orderNo, { lots: 10 })).toMatchObject({ status: "closed" });
    expect((await read()).lossCents).toBeGreaterThan(2_000_000);
    expect(await code(broker.place(member))).toBe("RSK_DAILY_LOSS");
    broker.clock.now = tomorrow() + HOUR_MS;
    expect((await read()).lossCents).toBe(0);
    expect(await broker.place(member)).toMatchObject({ status: "holding" });
  });

  it("matches the account overview, for a loss and for a gain", async () => {
    const { orderNo } = await broker.place(member, { lots: 2 });
    await broker.place(member, { lots: 1, direction: "fall" });
    calm(103);
    await broker.close(member, orderNo, { lots: 1 });
    calm(96);
    const { todayProfitCents } = await broker.call("readMember", member, {});
    expect((await read()).lossCents).toBe(Math.max(0, 0 - todayProfitCents));
    calm(105);
    const gained = await broker.call("readMember", member, {});
    expect((await read()).lossCents).toBe(Math.max(0, 0 - gained.todayProfitCents));
  });
});

describe("the trading lock", () => {
  it("blocks opening until it ends; a shorter one does not replace it, and closing is always allowed", async () => {
    const { orderNo } = await broker.place(member, { lots: 1 });
    const until = broker.clock.now + 24 * HOUR_MS;
    expect(await broker.call("lockTrading", member, { hours: 24 })).toMatchObject({ lockedUntil: until });
    expect(await broker.call("lockTrading", member, { hours: 1 })).toMatchObject({ lockedUntil: until });
    expect(await refusalOf(broker.place(member))).toMatchObject({ code: "RSK_TRADING_LOCKED", params: { n: formatDateTime(until) } });
    expect(await broker.close(member, orderNo)).toMatchObject({ status: "closed" });
    broker.clock.now = until;
    expect(await read()).toMatchObject({ lockedUntil: null });
    expect(await broker.place(member)).toMatchObject({ status: "holding" });
  });
});

describe("setting limits", () => {
  it("applies stricter limits at once and looser ones from the next day", async () => {
    expect(await read()).toEqual({
      maxOrderCents: null,
      dailyLossCents: null,
      lockedUntil: null,
      slideAboveCents: null,
      easing: null,
      lossCents: 0,
    });
    expect(await set(50_000_000, 1_000_000, 7)).toMatchObject({
      maxOrderCents: 50_000_000,
      dailyLossCents: 1_000_000,
      slideAboveCents: 7,
      easing: null,
    });
    const eased = await set(10_000_000, null, 9);
    expect(eased).toMatchObject({ maxOrderCents: 10_000_000, dailyLossCents: 1_000_000, slideAboveCents: 9 });
    expect(eased.easing).toEqual({ maxOrderCents: 10_000_000, dailyLossCents: null, at: tomorrow() });
    broker.clock.now = tomorrow() - 1;
    expect(await read()).toEqual(eased);
    broker.clock.now += 1;
    expect(await read()).toMatchObject({ maxOrderCents: 10_000_000, dailyLossCents: null, easing: null });
    expect(await set(10_000_000, 5_000_000)).toMatchObject({ dailyLossCents: 5_000_000, easing: null });
  });

  it("cancels a pending loosening", async () => {
    await set(10_000_000, null);
    await set(20_000_000, null);
    expect(await set(10_000_000, null)).toMatchObject({ maxOrderCents: 10_000_000, easing: null });
    broker.clock.now += 2 * DAY_MS;
    expect(await read()).toMatchObject({ maxOrderCents: 10_000_000 });
  });
});
