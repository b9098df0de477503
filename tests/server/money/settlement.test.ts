/** Tests settlement: purchase money and proceeds wait, each moves once on its settlement morning, and the total is always right. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { settleDue } from "#server/trading/clearing/settle-due.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { settlesAt, tradingDaysAfter } from "#server/trading/clearing/settlement-calendar.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { newTrader, pass, place, expectConsistentBooks } from "./fixture.ts";

const DEPOSIT = 1_000_000_000;

let broker: TestBroker;
let memberId: number;
beforeAll(async () => {
  broker = await openTestBroker();
  await query(broker.db.kysely, `INSERT INTO rule (part, kind, body) VALUES ('trade', 'stock', '{"settlementDays": 2}')`);
  await broker.sequencer.rules.reload(broker.db.kysely);
});
beforeEach(async () => {
  memberId = await newTrader(broker, DEPOSIT);
  broker.venue.set(0, { bids: [[100, 1000]], asks: [[100, 1000]], last: 100 });
  // Unsettled trades must not reach the next test.
  broker.clock.now = taipeiMidnight(taipeiDay(broker.clock.now) + 30) + 10 * HOUR_MS;
});
afterAll(() => broker.shut());

const settle = () =>
  settleDue({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now, report: (fault) => broker.faults.push(fault) });
const money = () => readBalances(broker.db.kysely, memberId);
const list = async () => (await broker.call("listSettlements", memberId, {})).settlements;
const member = () => broker.call("readMember", memberId, {});
const morningAfter = (days: number): number => settlesAt(broker.clock.now, days);

describe("settlement days", () => {
  it("are the exchange's trading days, at ten in the morning", () => {
    // Friday, 2 October 2026, in Taipei.
    const friday = Date.UTC(2026, 9, 2, 4);
    expect(new Date(settlesAt(friday, 1)).toISOString()).toBe("2026-10-05T02:00:00.000Z");
    expect(new Date(settlesAt(friday, 2)).toISOString()).toBe("2026-10-06T02:00:00.000Z");
    expect(tradingDaysAfter(friday, 3)).toEqual([20_731, 20_732, 20_733]);
  });
});

describe("a purchase", () => {
  it("is paid two trading days later, once, with a fact", async () => {
    const due = morningAfter(2);
    const order = await place(broker, memberId, { lots: 10 });
    expect(await money()).toMatchObject({ owing: 100_000_000, held: 0, available: DEPOSIT - 100_000_000 - 142_500 });
    expect(await list()).toEqual([
      { kind: "trade", orderNo: order.orderNo, tradedAt: broker.clock.now, dueAt: due, amountCents: -100_000_000 },
    ]);
    const before = await member();
    expect(before.totalCents).toBe(before.availableCents + before.frozenCents + before.unsettledCents + before.positionsCents);
    expect(before.frozenCents).toBe(0);
    expect(DEPOSIT - before.totalCents).toBe(142_500 * 2 + 300_000);
    await settle();
    expect((await money()).owing).toBe(100_000_000);
    broker.clock.now = due - 1;
    await settle();
    expect((await money()).owing).toBe(100_000_000);
    broker.clock.now = due;
    await Promise.all([settle(), settle()]);
    await settle();
    expect(await money()).toMatchObject({ owing: 0, available: DEPOSIT - 100_000_000 - 142_500 });
    expect(await list()).toEqual([]);
    expect((await member()).totalCents).toBe(before.totalCents);
    const facts = broker.published.filter((one) => one.memberId === memberId && one.fact.type === "money.settled");
    expect(facts).toHaveLength(1);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });
});

describe("a sale", () => {
  it("is paid out two trading days later, less its costs", async () => {
    const order = await place(broker, memberId, { lots: 10 });
    broker.clock.now = morningAfter(2);
    await settle();
    const before = await money();
    await broker.close(memberId, order.orderNo, { lots: 10 });
    const due = morningAfter(2);
    const proceeds = 100_000_000 - 142_500 - 300_000;
    expect(await money()).toMatchObject({ unsettled: proceeds, available: before.available });
    expect(await list()).toEqual([
      { kind: "trade", orderNo: order.orderNo, tradedAt: broker.clock.now, dueAt: due, amountCents: proceeds },
    ]);
    const overview = await member();
    expect(overview).toMatchObject({ unsettledCents: proceeds, positionsCents: 0, totalCents: before.available + proceeds });
    const flows = await broker.call("listFlows", memberId, { kinds: null, from: null, until: null, cursor: null });
    // The sale and its costs change what the member owns; settlement only makes it available.
    expect(flows.items.slice(0, 3).map(({ kind, amountCents, availableCents }) => ({ kind, amountCents, availableCents }))).toEqual([
      { kind: "tax", amountCents: -300_000, availableCents: 0 },
      { kind: "fee", amountCents: -142_500, availableCents: 0 },
      { kind: "sell", amountCents: 100_000_000, availableCents: 0 },
    ]);
    broker.clock.now = due;
    await settle();
    expect(await money()).toMatchObject({ unsettled: 0, available: before.available + proceeds });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("of a position bought on the same day settles together with it, and the total is right meanwhile", async () => {
    const order = await place(broker, memberId, { lots: 10 });
    await broker.close(memberId, order.orderNo, { lots: 10 });
    const costs = 142_500 * 2 + 300_000;
    expect((await member()).totalCents).toBe(DEPOSIT - costs);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
    broker.clock.now = morningAfter(2);
    await settle();
    expect(await money()).toMatchObject({ owing: 0, unsettled: 0, available: DEPOSIT - costs });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("repays a loan first, and only the rest waits", async () => {
    const order = await place(broker, memberId, { lots: 10, funding: "margin" });
    expect(await money()).toMatchObject({ owing: 40_000_000 });
    pass(broker, 10);
    await settle();
    await broker.close(memberId, order.orderNo, { lots: 10 });
    const { unsettled } = await money();
    expect(unsettled).toBe(100_000_000 - 60_000_000 - 106_840 - 142_500 - 300_000);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
    pass(broker, 10);
    await settle();
    expect(await money()).toMatchObject({ owing: 0, unsettled: 0 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("of a short leaves its surplus unsettled", async () => {
    const order = await place(broker, memberId, { lots: 10, direction: "fall" });
    broker.venue.set(0, { bids: [[95, 100]], asks: [[95, 100]], last: 95 });
    await broker.close(memberId, order.orderNo, { lots: 10 });
    expect((await money()).collateral).toBe(0);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
    pass(broker, 10);
    await settle();
    expect(await money()).toMatchObject({ owing: 0, unsettled: 0 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });
});

describe("a restart", () => {
  it("settles what fell due while the server was down", async () => {
    await place(broker, memberId, { lots: 10 });
    await broker.stop();
    pass(broker, 10);
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    expect((await money()).owing).toBe(0);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });
});
