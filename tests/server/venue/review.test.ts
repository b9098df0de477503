/** A review tells what the market told: at the close to the last lot, in between to the minute, and what was special about the day. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import type { Review, Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";

const taipei = (text: string): number => Date.parse(`${text}+08:00`);
const quoteOf = (review: Review | null, row: number): Quote => quoteAt(review?.quotes ?? [], row * QUOTE_STRIDE);
const facts = ({ last, open, high, low, reference, volume, turnover }: Quote): unknown => ({
  last,
  open,
  high,
  low,
  reference,
  volume,
  turnover,
});

describe("after a Taiwan close", () => {
  let venue: Venue;
  let review: Review | null;
  beforeAll(async () => {
    const now = taipei("2026-11-18T14:00:00");
    venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => now });
    const { opensAt, closesAt } = venue.state(now);
    review = await venue.review(opensAt, closesAt);
  });
  afterAll(() => venue.stop());

  test("says of every instrument what its quote says", () => {
    for (const { row, kind, code } of venue.instruments) {
      const told = quoteOf(review, row);
      const quote = venue.quote(row);
      if (kind !== "index") expect(facts(told), code).toEqual(facts(quote));
      else expect([told.last, told.reference, told.volume], code).toEqual([quote.last, quote.reference, quote.volume]);
    }
  });

  test("says of categories and boards what the venue says", () => {
    expect(review?.heat).toEqual(venue.heat());
    expect(review?.contributions.map(({ row }) => venue.instruments[row]?.code)).toEqual(["IX0001", "IX0043"]);
    for (const told of review?.contributions ?? []) expect(told).toEqual(venue.contribution(told.row));
  });

  test("knows an ordinary day's lots, and of newcomers none", async () => {
    const row = venue.instrument("2330")?.row ?? 0;
    const { bars } = await venue.candles("2330", "day", null, 21);
    const volumes = Array.from({ length: 20 }, (_, nth) => bars[nth * CANDLE_STRIDE + 5] ?? 0);
    expect(review?.ordinary[row]).toBe(Math.round(volumes.reduce((sum, lots) => sum + lots, 0) / 20));
    expect(review?.ordinary[venue.instrument("K6411")?.row ?? 0]).toBe(0);
  });

  test("ends a session where the next one starts", async () => {
    const earlier = await venue.review(taipei("2026-11-17T09:00:00"), Number.MAX_SAFE_INTEGER);
    expect([earlier?.opensAt, earlier?.closesAt]).toEqual([taipei("2026-11-17T09:00:00"), taipei("2026-11-17T13:30:00")]);
    expect(quoteOf(earlier, 0).last).toBe(quoteOf(review, 0).reference);
  });
});

test("in the middle of a day it stops at the minute asked for", async () => {
  const now = taipei("2026-11-18T16:00:00");
  const venue = openVenue({ seed: 9, rate: 400, hours: "always", now: () => now });
  const at = taipei("2026-11-18T11:17:00");
  const review = await venue.review(venue.state(now).opensAt, at);
  for (const code of ["2330", "0050", "BTC", "IX0001"]) {
    const row = venue.instrument(code)?.row ?? 0;
    const pages = await venue.candles(code, "minute", at, 500);
    const older = await venue.candles(code, "minute", pages.bars[0] ?? 0, 500);
    const minutes = [...older.bars, ...pages.bars];
    const bars = Array.from({ length: minutes.length / CANDLE_STRIDE }, (_, nth) =>
      minutes.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE),
    );
    const today = bars.filter(([start = 0]) => taipeiDay(start) === taipeiDay(at));
    const told = quoteOf(review, row);
    expect(told.at).toBe(at);
    expect([told.open, told.last, told.volume], code).toEqual([
      today[0]?.[1],
      today.at(-1)?.[4],
      today.reduce((sum, bar) => sum + (bar[5] ?? 0), 0),
    ]);
    expect(today.length).toBeGreaterThan(600);
    expect(told.high).toBe(Math.max(...today.map((bar) => bar[2] ?? 0)));
  }
  await venue.stop();
});

test("a session's ex-events are in its review, with what the venue tells of them", async () => {
  const now = taipei("2026-08-12T20:00:00");
  const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => now });
  const { opensAt } = venue.state(now);
  const review = await venue.review(opensAt, opensAt + 5 * MINUTE_MS);
  expect(review?.actions.length).toBeGreaterThan(3);
  for (const { row, action } of review?.actions ?? []) {
    expect(quoteOf(review, row).reference).toBe(action.reference);
    expect((await venue.actions(venue.instruments[row]?.code ?? "")).at(-1)).toEqual(action);
  }
  await venue.stop();
});

test("on a dividend's ex-date an index starts from its close, and its stocks from their references", async () => {
  const now = taipei("2026-08-12T10:00:00");
  const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => now });
  const row = venue.instrument("IX0001")?.row ?? 0;
  const { bars } = await venue.candles("IX0001", "day", null, 2);
  expect(venue.quote(row).reference).toBe(bars[4]);
  await venue.stop();
});

test("a company has no history before its first day, and a reference to start from", async () => {
  const now = taipei("2026-11-20T12:00:00");
  const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => now });
  const newcomer = venue.instrument("K6411");
  const days = await venue.candles("K6411", "day", null, 500);
  expect(days.more).toBe(false);
  expect(days.bars.length / CANDLE_STRIDE).toBe(3);
  expect(taipeiDay(days.bars[0] ?? 0)).toBe(newcomer?.listedDay);
  expect((await venue.candles("K6411", "minute", null, 500)).bars.length / CANDLE_STRIDE).toBeLessThanOrEqual(271 * 3);
  await venue.stop();
  const early = openVenue({ seed: 9, rate: 400, hours: "taiwan", now: () => now - 3 * DAY_MS });
  expect(early.quote(newcomer?.row ?? 0)).toMatchObject({ last: 0, reference: 0, volume: 0, bid: 0, ask: 0 });
  expect((await early.candles("K6411", "day", null, 500)).bars).toEqual([]);
  const ranked = early.rank({ by: "gainers", board: "otc", category: newcomer?.category ?? "", size: 200 });
  expect(ranked).not.toContain(newcomer?.row);
  await early.stop();
});
