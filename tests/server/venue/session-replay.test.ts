/** Tests session replays: equal to the market at the close to the last lot, in between to the minute, with the day's ex-events. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CANDLE_STRIDE } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import { QUOTE_STRIDE, quoteAt } from "#contract/quote.ts";
import type { Quote } from "#contract/quote.ts";
import type { SessionReplay, Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";
import { taipei } from "#tests/support/taipei-time.ts";

/** Everyday a sample of the market. */
const codes = sampleUniverse(12, "K6411");
const quoteOf = (replay: SessionReplay | null, row: number): Quote => quoteAt(replay?.quotes ?? [], row * QUOTE_STRIDE);
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
  let replay: SessionReplay | null;
  beforeAll(async () => {
    const now = taipei("2026-11-18T14:00:00");
    venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", codes, now: () => now });
    const { opensAt, closesAt } = venue.state(now);
    replay = await venue.replaySession(opensAt, closesAt);
  });
  afterAll(() => venue.stop());

  test("equals the quote of every instrument", () => {
    for (const { row, kind, code } of venue.instruments) {
      const replayed = quoteOf(replay, row);
      const quote = venue.quote(row);
      if (kind !== "index") expect(facts(replayed), code).toEqual(facts(quote));
      else expect([replayed.last, replayed.reference, replayed.volume], code).toEqual([quote.last, quote.reference, quote.volume]);
    }
  });

  test("equals the venue's sector heat and contributions", () => {
    expect(replay?.heat).toEqual(venue.heat());
    expect(replay?.contributions.map(({ row }) => venue.instruments[row]?.code)).toEqual(["IX0001", "IX0043"]);
    for (const replayed of replay?.contributions ?? []) expect(replayed).toEqual(venue.contribution(replayed.row));
  });

  test("has the average day's lots, and none for new listings", async () => {
    const row = venue.instrument("2330")?.row ?? 0;
    const { bars } = await venue.candles("2330", "day", null, 21);
    const volumes = Array.from({ length: 20 }, (_, nth) => bars[nth * CANDLE_STRIDE + 5] ?? 0);
    expect(replay?.averageLots[row]).toBe(Math.round(volumes.reduce((sum, lots) => sum + lots, 0) / 20));
    expect(replay?.averageLots[venue.instrument("K6411")?.row ?? 0]).toBe(0);
  });

  test("ends a session where the next one starts", async () => {
    const earlier = await venue.replaySession(taipei("2026-11-17T09:00:00"), Number.MAX_SAFE_INTEGER);
    expect([earlier?.opensAt, earlier?.closesAt]).toEqual([taipei("2026-11-17T09:00:00"), taipei("2026-11-17T13:30:00")]);
    expect(quoteOf(earlier, 0).last).toBe(quoteOf(replay, 0).reference);
  });
});

test("in the middle of a day it stops at the requested minute", async () => {
  const now = taipei("2026-11-18T16:00:00");
  const venue = openVenue({ seed: 9, rate: 400, hours: "always", codes, now: () => now });
  const at = taipei("2026-11-18T11:17:00");
  const replay = await venue.replaySession(venue.state(now).opensAt, at);
  for (const code of ["2330", "0050", "BTC", "IX0001"]) {
    const row = venue.instrument(code)?.row ?? 0;
    const pages = await venue.candles(code, "minute", at, 500);
    const older = await venue.candles(code, "minute", pages.bars[0] ?? 0, 500);
    const minutes = [...older.bars, ...pages.bars];
    const bars = Array.from({ length: minutes.length / CANDLE_STRIDE }, (_, nth) =>
      minutes.slice(nth * CANDLE_STRIDE, (nth + 1) * CANDLE_STRIDE),
    );
    const today = bars.filter(([start = 0]) => taipeiDay(start) === taipeiDay(at));
    const replayed = quoteOf(replay, row);
    expect(replayed.at).toBe(at);
    expect([replayed.open, replayed.last, replayed.volume], code).toEqual([
      today[0]?.[1],
      today.at(-1)?.[4],
      today.reduce((sum, bar) => sum + (bar[5] ?? 0), 0),
    ]);
    // How busy its day is, the market's seed decides.
    expect(today.length).toBeGreaterThan(300);
    expect(replayed.high).toBe(Math.max(...today.map((bar) => bar[2] ?? 0)));
  }
  await venue.stop();
});

test("a session's ex-events are in its replay, as the venue reports them", async () => {
  const now = taipei("2026-08-12T20:00:00");
  const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", codes, now: () => now });
  const { opensAt } = venue.state(now);
  const replay = await venue.replaySession(opensAt, opensAt + 5 * MINUTE_MS);
  expect(replay?.actions.length).toBeGreaterThan(3);
  for (const { row, action } of replay?.actions ?? []) {
    expect(quoteOf(replay, row).reference).toBe(action.reference);
    expect((await venue.actions(venue.instruments[row]?.code ?? "")).at(-1)).toEqual(action);
  }
  await venue.stop();
});

test("on an ex-dividend date an index starts from its close, and its stocks from their references", async () => {
  const now = taipei("2026-08-12T10:00:00");
  const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", codes, now: () => now });
  const row = venue.instrument("IX0001")?.row ?? 0;
  const { bars } = await venue.candles("IX0001", "day", null, 2);
  expect(venue.quote(row).reference).toBe(bars[4]);
  await venue.stop();
});

test("a company has no history before its first day, and a reference to start from", async () => {
  const now = taipei("2026-11-20T12:00:00");
  const venue = openVenue({ seed: 9, rate: 400, hours: "taiwan", codes, now: () => now });
  const newListing = venue.instrument("K6411");
  const days = await venue.candles("K6411", "day", null, 500);
  expect(days.more).toBe(false);
  expect(days.bars.length / CANDLE_STRIDE).toBe(3);
  expect(taipeiDay(days.bars[0] ?? 0)).toBe(newListing?.listedDay);
  expect((await venue.candles("K6411", "minute", null, 500)).bars.length / CANDLE_STRIDE).toBeLessThanOrEqual(271 * 3);
  await venue.stop();
  const earlier = openVenue({ seed: 9, rate: 400, hours: "taiwan", codes, now: () => now - 3 * DAY_MS });
  expect(earlier.quote(newListing?.row ?? 0)).toMatchObject({ last: 0, reference: 0, volume: 0, bid: 0, ask: 0 });
  expect((await earlier.candles("K6411", "day", null, 500)).bars).toEqual([]);
  const ranked = earlier.rank({ by: "gainers", board: "otc", category: newListing?.category ?? "", size: 200 });
  expect(ranked).not.toContain(newListing?.row);
  await earlier.stop();
});
