/** What a chart can show: the day's line, candles of a length, and how far back they reach at first. */
import type { CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";

/** The strip under the chart, in its order; keys 1 to 7 choose from it. */
export const RANGES = ["intraday", "1D", "1W", "1M", "3M", "6M", "1Y"] as const;
export type Range = (typeof RANGES)[number];

/** Candle lengths a member may choose by name; the minute belongs to the intraday line. */
export const CANDLE_LENGTHS = ["minute5", "minute15", "minute30", "day", "week", "month"] as const satisfies readonly CandlePeriod[];
export type CandleLength = (typeof CANDLE_LENGTHS)[number];

/** Chosen by a member: a range, or a candle length with no range in mind. */
export type Choice = { range: Range; length: null } | { range: null; length: CandleLength };

/** What is drawn for a choice. */
export interface View {
  shape: "line" | "candles";
  period: CandlePeriod;
  /** Oldest moment shown at first, in epoch milliseconds; null when `bars` says how many. */
  since: number | null;
  bars: number | null;
}

/** Bars on screen when only a length was chosen: legible candles at 360 px. */
const LEGIBLE_BARS = 60;

const SPANS: Record<Exclude<Range, "intraday">, { period: CandleLength; days: number }> = {
  "1D": { period: "minute5", days: 1 },
  "1W": { period: "minute30", days: 7 },
  "1M": { period: "day", days: 31 },
  "3M": { period: "day", days: 92 },
  "6M": { period: "day", days: 183 },
  "1Y": { period: "week", days: 366 },
};

/** Minutes of a session that one page of bars can hold with room to spare. */
const MINUTE_LINE_BARS = 480;

/**
 * What to draw for a choice, for a session that opened at `opensAt` and a clock that says `now`.
 * A session too long for one page of minutes (an always open market) is drawn by five minutes.
 */
export function viewOf(choice: Choice, opensAt: number, now: number): View {
  if (choice.length !== null) return { shape: "candles", period: choice.length, since: null, bars: LEGIBLE_BARS };
  if (choice.range === "intraday") {
    const period = now - opensAt > MINUTE_LINE_BARS * MINUTE_MS ? "minute5" : "minute";
    return { shape: "line", period, since: opensAt, bars: null };
  }
  const { period, days } = SPANS[choice.range];
  return { shape: "candles", period, since: now - days * DAY_MS, bars: null };
}

/** Whether a view reaches across ex-events, so that past prices want to be made comparable: bars of days and longer. */
export function adjustable({ period }: Pick<View, "period">): boolean {
  return period === "day" || period === "week" || period === "month";
}

/** The day's line shows at least this part of the previous close above and below it. */
const LEAST_BAND = 0.005;
/** A limit comes into view once the day has gone this part of the way to it. */
const LIMIT_IN_SIGHT = 0.7;

/**
 * The range of prices that shows a day: with the previous close even when the whole day lies on one side of it, so wide that a day
 * that has hardly moved is not blown up until its axis counts in parts of a tick, and with a limit the day comes near.
 */
export function dayRange(
  day: { low: number; high: number },
  reference: number,
  limits: { down: number; up: number } | null,
): { low: number; high: number } {
  const least = reference * LEAST_BAND;
  const low = Math.min(day.low, reference - least);
  const high = Math.max(day.high, reference + least);
  if (!limits) return { low, high };
  return {
    low: reference - day.low > (reference - limits.down) * LIMIT_IN_SIGHT ? Math.min(low, limits.down) : low,
    high: day.high - reference > (limits.up - reference) * LIMIT_IN_SIGHT ? Math.max(high, limits.up) : high,
  };
}
