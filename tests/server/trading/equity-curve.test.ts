/** Tests the equity curve and the cash ledger: snapshots on change, spans that end with the current overview, and entries of a period. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EquityCurveSpan } from "#contract/equity-curve.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { cents } from "#contract/kernel/money.ts";
import { takeEquitySnapshots } from "#server/jobs/equity-snapshots.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const START = Date.UTC(2026, 6, 1, 2, 0, 0);
const DEPOSIT = 1_000_000_000;
let broker: TestBroker;
let member: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.clock.now = START;
  calm(100);
  member = await broker.newMember();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  await broker.shut();
});

function calm(price: number): void {
  broker.venue.set(0, { bids: [[price, 400]], asks: [[price, 400]], last: price, reference: 100 });
}
const curve = async (span: EquityCurveSpan) => (await broker.call("readCurve", member, { span })).points;
const total = async (): Promise<number> => (await broker.call("readMember", member, {})).totalCents;
const note = (): Promise<void> => takeEquitySnapshots({ db: broker.db, venue: broker.venue, now: () => broker.clock.now });
const payIn = (amount: number): Promise<void> =>
  broker.sequencer.submit({ memberIds: [member], decide: (batch) => batch.ledger.deposit(member, cents(amount)) });

describe("the equity curve", () => {
  it("of a new account has its current value, and nothing before", async () => {
    for (const span of ["day", "week", "month", "year"] as const) {
      expect(await curve(span)).toEqual([{ at: START, totalCents: DEPOSIT, paidInCents: 0 }]);
    }
  });

  it("of an account that traded before the first snapshot starts with its deposits", async () => {
    broker.clock.now += 2 * MINUTE_MS;
    await broker.place(member, { lots: 3 });
    calm(101);
    for (const span of ["day", "year"] as const) {
      expect(await curve(span)).toEqual([
        { at: START, totalCents: DEPOSIT, paidInCents: 0 },
        { at: broker.clock.now, totalCents: await total(), paidInCents: 0 },
      ]);
    }
  });

  it("ends with the overview's total, for longs and shorts, and lists deposits separately", async () => {
    await note();
    await broker.place(member, { lots: 3 });
    await broker.place(member, { lots: 2, direction: "fall" });
    await broker.place(member, { lots: 1, price: 90 });
    broker.clock.now += 10 * MINUTE_MS;
    calm(103);
    await note();
    const risen = await total();
    broker.clock.now += 5 * MINUTE_MS;
    await payIn(500_000);
    calm(101);
    expect(await curve("day")).toEqual([
      { at: START, totalCents: DEPOSIT, paidInCents: 0 },
      { at: START + 10 * MINUTE_MS, totalCents: risen, paidInCents: 0 },
      { at: broker.clock.now, totalCents: await total(), paidInCents: 500_000 },
    ]);
  });

  it("has a snapshot for each change, at full intervals", async () => {
    broker.clock.now += 3 * MINUTE_MS + 7 * SECOND_MS;
    await note();
    await note();
    broker.clock.now += HOUR_MS;
    await note();
    expect((await curve("day")).map(({ at }) => at)).toEqual([START, broker.clock.now]);
  });

  it("has one value per day beyond a week: the day's last, including midnight", async () => {
    const midnight = taipeiMidnight(taipeiDay(START));
    for (let day = 0; day < 12; day += 1) {
      for (const hour of [10, 20, 24]) {
        broker.clock.now = midnight + day * DAY_MS + hour * HOUR_MS;
        await payIn(100);
        await note();
      }
    }
    broker.clock.now = midnight + 12 * DAY_MS + 9 * HOUR_MS;
    const today = midnight + 12 * DAY_MS;
    const month = await curve("month");
    expect(month.slice(0, -1).map(({ at }) => at)).toEqual(Array.from({ length: 12 }, (_, day) => midnight + (day + 1) * DAY_MS));
    expect(month[3]).toMatchObject({ paidInCents: 300 });
    const week = await curve("week");
    expect(week[0]).toMatchObject({ at: today - 6 * DAY_MS, paidInCents: 0 });
    expect(week).toHaveLength(1 + 6 * 3 + 1);
    expect((await curve("day")).map(({ at }) => at)).toEqual([today, broker.clock.now]);
    const kept = await broker.db.kysely.selectFrom("worth").select("at").where("member_id", "=", member).execute();
    expect(kept.filter(({ at }) => at <= today - 9 * DAY_MS)).toHaveLength(3);
  });
});

describe("the cash ledger", () => {
  it("lists entries from a moment (inclusive) until another (exclusive), filtered by kind and paged", async () => {
    for (let n = 1; n <= 4; n += 1) {
      broker.clock.now = START + n * HOUR_MS;
      await payIn(n * 100);
    }
    const between = async (from: number | null, until: number | null): Promise<number[]> => {
      const range = { from: from === null ? null : epochMs(from), until: until === null ? null : epochMs(until) };
      const { items } = await broker.call("listFlows", member, { kinds: ["deposit"], ...range, cursor: null });
      return items.map(({ amountCents }) => amountCents);
    };
    expect(await between(START + HOUR_MS, START + 3 * HOUR_MS)).toEqual([200, 100]);
    expect(await between(START + 4 * HOUR_MS, null)).toEqual([400]);
    expect(await between(null, START + HOUR_MS)).toEqual([DEPOSIT]);
    expect(await between(START + 5 * HOUR_MS, null)).toEqual([]);
  });
});
