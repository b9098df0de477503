/** A small market for candle tests: its trades, the quote after each trade, and reference bars. */
import fc from "fast-check";
import { CANDLE_FIELDS } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Quote } from "#contract/quote.ts";
import { barStart } from "#workers/chart/period.ts";
import type { Hours } from "#workers/chart/period.ts";
import { quote } from "./sample.ts";

/** One trade at the venue. */
export interface Trade {
  at: number;
  last: number;
  lots: number;
}

/** The exchange's hours: 09:00 to 13:30. */
export const TAIWAN: Hours = { openMs: 9 * HOUR_MS, closeMs: 13.5 * HOUR_MS };
/** Tuesday 2025-07-08 in Taipei. */
export const TUESDAY = taipeiMidnight(Date.UTC(2025, 6, 8) / DAY_MS);

/** Reference bars: first, highest, lowest, last and total volume of all trades of a period. */
export function referenceBars(period: CandlePeriod, trades: readonly Trade[], hours?: Hours): Candle[] {
  const byStart = Map.groupBy(trades, (trade) => barStart(period, trade.at, hours));
  return [...byStart].map(([at, within]) => ({
    at,
    open: within[0]?.last ?? 0,
    high: Math.max(...within.map(({ last }) => last)),
    low: Math.min(...within.map(({ last }) => last)),
    close: within.at(-1)?.last ?? 0,
    volume: within.reduce((sum, { lots }) => sum + lots, 0),
  }));
}

/** The venue's quotes, one after each trade. */
export function quotesOf(trades: readonly Trade[], row = 0): Quote[] {
  let before: Quote | null = null;
  return trades.map(({ at, last, lots }, nth) => {
    const day: Quote | null = before && taipeiDay(before.at) === taipeiDay(at) ? before : null;
    before = quote(row, {
      seq: nth + 1,
      at,
      last,
      open: day?.open ?? last,
      high: Math.max(day?.high ?? last, last),
      low: Math.min(day?.low ?? last, last),
      volume: (day?.volume ?? 0) + lots,
      turnover: (day?.turnover ?? 0) + (lots * 1000 * last) / 10_000,
    });
    return before;
  });
}

/** Bars as a flat wire array. */
export const flatBars = (bars: readonly Candle[]): number[] => bars.flatMap((bar) => CANDLE_FIELDS.map((field) => bar[field]));

const steps = (longestMs: number) =>
  fc.array(
    fc.record({
      gapMs: fc.integer({ min: 1, max: longestMs }),
      last: fc.integer({ min: 1, max: 500 }),
      lots: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 1, maxLength: 80 },
  );

/** Trades seconds apart, around the clock, starting at 09:00. */
export const trades = steps(40_000).map((each) => {
  let at = TUESDAY + TAIWAN.openMs;
  return each.map(({ gapMs, last, lots }): Trade => ({ at: (at += gapMs), last: last * 10_000, lots }));
});

/** Trades over several exchange days: none between 13:25 and the closing match at 13:30, some after it. */
export const taiwanTrades = steps(40 * MINUTE_MS).map((each) => {
  let at = TUESDAY + TAIWAN.openMs;
  return each.map(({ gapMs, last, lots }): Trade => {
    at += gapMs;
    const midnight = taipeiMidnight(taipeiDay(at));
    const since = at - midnight;
    if (since > 13 * HOUR_MS + 25 * MINUTE_MS && since < TAIWAN.closeMs) at = midnight + TAIWAN.closeMs;
    // After-hours trading ends at 14:30; the next day starts at 09:00.
    if (since > 14.5 * HOUR_MS) at = midnight + DAY_MS + TAIWAN.openMs + (gapMs % 1000);
    return { at, last: last * 10_000, lots };
  });
});
