/** Fixture of tests of runs: the instruments of strategies on the fake venue, their past told by the test, days that pass, and checks of the ledger. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Candle } from "#contract/candle.ts";
import type { Body } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { Code } from "#contract/kernel/id.ts";
import { DAY_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { STRATEGY_CODES } from "#contract/strategy.ts";
import type { RunTrade, RunValuation, StrategyRun } from "#contract/strategy.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import type { FakeVenue } from "#tests/support/fake-venue.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());
export const CODE = "0056" as Code;

/** Ten o'clock in Taipei, on a day after all those told. */
const NOON = Date.UTC(2026, 6, 1, 2, 0, 0);

export function strategyVenue(now: () => number): FakeVenue {
  return fakeVenue(
    STRATEGY_CODES.map((code, row) => fakeInstrument(row, code, { kind: "etf" })),
    now,
  );
}

export async function openStrategyBroker(over: { db?: Database; clock?: { now: number } } = {}): Promise<TestBroker> {
  const clock = over.clock ?? { now: NOON };
  return openTestBroker({ ...over, clock, venue: strategyVenue(() => clock.now) });
}

/** Tells the closes of the days before a day, by default today, the latest last. */
export function past(
  broker: TestBroker,
  closes: readonly number[],
  codes: readonly string[] = [CODE],
  today = taipeiDay(broker.clock.now),
): void {
  const bars = closes.map((close, nth): Candle => {
    const price = Math.round(close * 10_000);
    return { at: taipeiMidnight(today - closes.length + nth), open: price, high: price + 100, low: price, close: price, volume: 100 };
  });
  broker.venue.setPastCalls([], Object.fromEntries(codes.map((code) => [code, bars])));
}

/** Closes after which `cross` wants all, and nothing. */
export const RISING = Array.from({ length: 60 }, (_, nth) => 20 + nth / 10);
export const FALLING = RISING.toReversed();

/** A calm market of one instrument, whose price can be moved. */
export function priced(broker: TestBroker, at: number, lots = 4_000, row = 0): void {
  broker.venue.set(row, { bids: [[at, lots]], asks: [[at, lots]], last: at, reference: at });
}

/** A member who has set a fund password. */
export async function investor(broker: TestBroker, depositCents = 1_000_000_000): Promise<number> {
  const member = await broker.newMember({ depositCents });
  await query(broker.db.kysely, "UPDATE member SET fund_password_hash = 'x' WHERE id = $1", [member]);
  return member;
}

/** Starts a run; by default of `cross` with NT$100,000, which is three lots at 30. */
export const start = (broker: TestBroker, member: number, over: Partial<Body<"startStrategy">> = {}): Promise<StrategyRun> =>
  broker.call("startStrategy", member, { requestId: newId(), strategy: "cross", code: CODE, amount: 100_000, stopPercent: 50, ...over });

/** Lets the clock do what is due. */
export async function passTicks(broker: TestBroker, seconds = 1): Promise<void> {
  for (let nth = 0; nth < 3; nth += 1) {
    broker.clock.now += seconds * 1_000;
    await broker.tick();
    await broker.settled();
  }
}

/** Goes on to the next day, with another past. */
export async function nextDay(broker: TestBroker, closes: readonly number[]): Promise<void> {
  past(broker, closes, [CODE], taipeiDay(broker.clock.now) + 1);
  broker.clock.now += DAY_MS;
  await passTicks(broker);
}

export async function read(
  broker: TestBroker,
  member: number,
  runNo: string,
): Promise<{ run: StrategyRun; valuation: RunValuation | undefined }> {
  const { runs, valuations } = await broker.call("listStrategyRuns", member, {});
  const run = runs.find((one) => one.runNo === runNo);
  if (!run) throw new Error(`no run ${runNo}`);
  return { run, valuation: valuations.find((one) => one.runNo === runNo) };
}

/** What was bought, sold and left out, the oldest first. */
export async function trades(broker: TestBroker, member: number, runNo: string): Promise<RunTrade[]> {
  return (await broker.call("listRunTrades", member, { runNo, cursor: null })).items.toReversed();
}

export const strategyOrders = (broker: TestBroker, member: number): Promise<OrderRecord[]> =>
  broker.db.kysely
    .selectFrom("order")
    .selectAll()
    .where("member_id", "=", member)
    .where("origin", "=", "strategy")
    .orderBy("order_no")
    .execute();

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
