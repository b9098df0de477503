/**
 * Tests what the market does when its process has slept, as on a laptop whose lid was closed: of every row that trades it shows the quote, the book
 * and the tape that a server shows that starts then, at once and from then on, and of indices the price, the open and the sums. The range of an
 * index holds what was shown of it and the ends of the minutes that passed. What was missed is gone through at once instead of minute by minute, or
 * session by session since the first one.
 */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import type { Quote } from "#contract/quote.ts";
import type { MemberTrade } from "#server/venue/matching/member-trade.ts";
import { Tape } from "#server/venue/market-data/trade-tape.ts";
import { DailyProcess } from "#server/venue/simulator/daily-process.ts";
import { listReferenceData } from "#server/venue/reference-data/listings.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import type { Call, Venue } from "#server/venue/venue.ts";
import { taipei } from "#tests/support/taipei-time.ts";

const CODES = ["2330", "2317", "2454", "2603", "2881", "1101", "0050", "00646", "6488", "IX0001"];
const SLOT_MS = 50;
let now: number;
const venues: Venue[] = [];

beforeEach(() => void vi.useFakeTimers());
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const venue of venues.splice(0)) await venue.stop();
});

type Hours = "always" | "taiwan" | "compressed";

function open(hours: Hours, rate = 400, codes: readonly string[] = CODES, seed = 11): Venue {
  const venue = openVenue({ seed, rate, hours, codes, newIssues: false, now: () => now });
  venues.push(venue);
  venue.start();
  return venue;
}

/** One update of a market at a moment, which it had stood still until. */
function wake(venue: Venue): void {
  void venue.stop();
  venue.start();
}

/** All that is shown of the rows that trade, and of indices all but the range of the day, which each server has observed. */
const shown = (venue: Venue): unknown[] =>
  venue.instruments.map(({ row, tradable }) => {
    const { seq: _, ...quote } = venue.quote(row);
    if (!tradable) return [quote.last, quote.volume, quote.turnover, quote.open];
    const { bids, asks, atBid, atAsk } = venue.depth(row);
    return { ...quote, bids, asks, atBid, atAsk, newest: venue.tape(row, 0, 50), watch: venue.instruments[row]?.watch };
  });

const CASES = [
  ["always", "2026-12-03T00:04:10.030", "2026-12-03T22:40:20.080"],
  ["always", "2026-12-03T21:04:10.030", "2026-12-04T20:40:20.080"],
  ["taiwan", "2026-12-03T08:50:10.030", "2026-12-03T13:10:20.080"],
  ["taiwan", "2026-12-03T09:04:10.030", "2026-12-03T13:27:20.080"],
  ["taiwan", "2026-12-03T09:04:10.030", "2026-12-03T20:10:20.080"],
  ["taiwan", "2026-12-03T13:28:10.030", "2026-12-09T10:10:20.080"],
  ["compressed", "2026-12-03T10:22:10.030", "2026-12-04T10:27:20.080"],
  ["compressed", "2026-12-03T10:21:10.030", "2026-12-03T10:28:20.080"],
] as const;

describe.each(CASES)("in %s hours, asleep from %s until %s", (hours, from, until) => {
  test("every row is shown as by a server that starts then, and told once", () => {
    now = taipei(from);
    const venue = open(hours);
    now += SLOT_MS;
    wake(venue);
    const told: number[] = [];
    venue.onChange((rows) => void told.push(...rows));
    now = taipei(until);
    wake(venue);
    const twin = open(hours);
    expect(shown(venue)).toEqual(shown(twin));
    expect(told.toSorted((a, b) => a - b)).toEqual(venue.instruments.map(({ row }) => row));
    for (let slot = 0; slot < 30; slot += 1) {
      now += slot % 10 === 9 ? 13 * SLOT_MS + 20_000 : SLOT_MS;
      for (const each of [venue, twin]) wake(each);
      expect(shown(venue), `${slot}`).toEqual(shown(twin));
    }
  });
});

test("where rows change rarely, each is told nevertheless", () => {
  now = taipei("2026-12-03T09:04:10.030");
  const all = listReferenceData().listings.map(({ instrument }) => instrument.code);
  // Some of them trade seldom.
  const some = all.filter((_, nth) => nth % 40 === 0);
  const venue = open("taiwan", 0.2, some);
  const told: number[] = [];
  venue.onChange((rows) => void told.push(...rows));
  now += 4 * HOUR_MS;
  wake(venue);
  expect(told.toSorted((a, b) => a - b)).toEqual(venue.instruments.map(({ row }) => row));
});

test("the next call of a row that is traded by calls is shown at once, not the one that was due on the way", () => {
  now = taipei("2026-12-03T09:20:10.030");
  const codes = [...CODES, "K0409"];
  const venue = open("taiwan", 400, codes, 9);
  const row = venue.instrument("K0409")?.row ?? -1;
  expect(venue.depth(row).callsEveryMs).toBe(5 * MINUTE_MS);
  const called: (Call & { printed: number | undefined })[] = [];
  venue.onCall((call) => {
    if (call.kind === "periodic") called.push({ ...call, printed: venue.callBook(row, false)?.printed });
  });
  now = taipei("2026-12-03T11:06:30.080");
  wake(venue);
  const twin = open("taiwan", 400, codes, 9);
  const bookOf = (each: Venue): unknown[] =>
    [each.depth(row), each.callBook(row, false), each.quote(row)].map((one) => ({ ...one, seq: 0 }));
  expect(bookOf(venue)).toEqual(bookOf(twin));
  // Its latest call was held with its own book all the same.
  expect(called).toMatchObject([{ rows: [row], at: taipei("2026-12-03T11:05:00.000") }]);
  expect(called[0]?.printed).toBeGreaterThan(0);
});

test("an index that members move afterwards has the range of the minutes that passed", () => {
  now = taipei("2026-12-03T09:04:10.030");
  const both = [open("taiwan"), open("taiwan")];
  const [venue, awake] = both;
  for (let minute = 0; minute < 4 * 60; minute += 1) {
    now += MINUTE_MS;
    if (awake) wake(awake);
  }
  if (!venue) throw new Error("no market");
  wake(venue);
  const [row = -1, index = -1] = ["2330", "IX0001"].map((code) => venue.instrument(code)?.row);
  const { last, low } = venue.quote(row);
  for (const each of both) each.report([{ row, at: now, price: Math.round((last + low) / 2), lots: 40, side: -1 }]);
  now += MINUTE_MS;
  for (const each of both) wake(each);
  const [mine, theirs] = both.map((each) => {
    const quote = each.publicQuote(index);
    return [quote.last, quote.high, quote.low, quote.volume];
  });
  expect(mine).toEqual(theirs);
  expect(mine?.[1]).toBeGreaterThan(mine?.[0] ?? 0);
});

test.each(["01", "04", "07", "09"])(
  "an index that members moved before, on day %s, keeps its range and has that of the minutes that passed",
  (day) => {
    now = taipei(`2026-12-${day}T09:04:10.030`);
    const venue = open("taiwan");
    const [row = -1, index = -1] = ["2330", "IX0001"].map((code) => venue.instrument(code)?.row);
    const trades: MemberTrade[] = [];
    let [high, low] = [0, Infinity];
    /** An update of the market, whose range never narrows. */
    const look = (): Quote => {
      wake(venue);
      const shown = venue.publicQuote(index);
      expect([shown.high >= high, shown.low <= low, shown.high >= shown.last, shown.low <= shown.last]).toEqual([true, true, true, true]);
      [high, low] = [shown.high, shown.low];
      return shown;
    };
    for (let slot = 0; slot < 40; slot += 1) {
      now += 1_000;
      look();
      if (slot < 20) continue;
      // One is far above the market, which nothing tells afterwards but that it was shown.
      const price = venue.quote(row).last + (slot === 25 ? 400_000 : 0);
      const trade: MemberTrade = { row, at: now, price, lots: 40, side: -1 };
      trades.push(trade);
      venue.report([trade]);
    }
    now = taipei(`2026-12-${day}T13:00:20.080`);
    const { high: widest, low: lowest } = look();
    const later = open("taiwan");
    later.restore({ trades });
    const fromLog = later.publicQuote(index);
    expect([widest >= fromLog.high, lowest <= fromLog.low]).toEqual([true, true]);
  },
);

test("an index that members moved before a server started has the range of their prices, not of the market alone", () => {
  now = taipei("2026-12-03T09:30:20.080");
  const venue = open("taiwan");
  const [row = -1, index = -1] = ["2330", "IX0001"].map((code) => venue.instrument(code)?.row);
  const { opensAt } = venue.state(now);
  // The last price of every minute is a member's, far above the market's own.
  const trades = Array.from({ length: 30 }, (_, minute): MemberTrade => {
    return { row, at: opensAt + (minute + 1) * MINUTE_MS - 1, price: venue.quote(row).last + 400_000, lots: 40, side: -1 };
  });
  const own = venue.quote(index);
  venue.restore({ trades });
  expect(venue.publicQuote(index).low).toBeGreaterThan(own.low);
  expect(venue.publicQuote(index).high).toBeGreaterThan(own.high);
});

test("a day of trades is not printed one by one, and members' calls of the hours that passed are held", () => {
  now = taipei("2026-12-03T09:04:10.030");
  const venue = open("taiwan");
  const calls: Call[] = [];
  venue.onCall((call) => void calls.push(call));
  const record = vi.spyOn(Tape.prototype, "record");
  now += 4 * HOUR_MS;
  wake(venue);
  const printed = record.mock.calls.length;
  const traded = venue.instruments.map(({ row }) => venue.tape(row, 0, 1)[0] ?? 0).reduce((sum, n) => sum + n, 0);
  // Of some minutes at the end, in which books must be as they would have become.
  expect(printed).toBeLessThan(traded / 20);
  expect(calls.some(({ kind }) => kind === "odd")).toBe(true);
  now += MINUTE_MS;
  wake(venue);
  expect(record.mock.calls.length).toBeGreaterThan(printed);
});

test("days that passed are gone through from where the market stood, not from its beginning", () => {
  const steps = vi.spyOn(DailyProcess.prototype, "step");
  now = taipei("2026-12-03T10:22:10.030");
  const venue = open("compressed");
  const first = steps.mock.calls.length;
  steps.mockClear();
  now += 24 * HOUR_MS;
  wake(venue);
  // 144 sessions of each, and those of the issues that were listed meanwhile.
  expect(first).toBeGreaterThan(2_000 * (CODES.length - 1));
  expect(steps.mock.calls.length).toBeLessThan(first / 10);
});
