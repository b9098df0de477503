/** Maps a time frame to a chart view: the intraday line, or candles of a length and how far back they reach. */
import type { CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import type { Frame } from "#contract/preference.ts";

/** Candle lengths, used by frames that name one. */
const CANDLE_LENGTHS = ["minute5", "minute15", "minute30", "day", "week", "month"] as const satisfies readonly CandlePeriod[];
type CandleLength = (typeof CANDLE_LENGTHS)[number];
const isLength = (frame: Frame): frame is CandleLength => (CANDLE_LENGTHS as readonly string[]).includes(frame);

/** What is drawn for a time frame. */
export interface View {
  shape: "line" | "candles";
  period: CandlePeriod;
  /** The oldest time shown initially, in epoch milliseconds; null when `bars` says how many. */
  since: number | null;
  bars: number | null;
}

/** Bars on screen when only a length was chosen: legible candles at 360 px. */
const LEGIBLE_BARS = 60;

const SPANS: Record<Exclude<Frame, "intraday" | CandleLength>, { period: CandleLength; days: number }> = {
  "1D": { period: "minute5", days: 1 },
  "1W": { period: "minute30", days: 7 },
  "1M": { period: "day", days: 31 },
  "3M": { period: "day", days: 92 },
  "6M": { period: "day", days: 183 },
  "1Y": { period: "week", days: 366 },
};

/** A session of up to this many minutes fits in one page of bars. */
const MINUTE_LINE_BARS = 480;

/**
 * What to draw for a time frame, for a session that opened at `opensAt` (epoch milliseconds) at the time `now`.
 * A session too long for one page of minutes (an always-open market) is drawn with five-minute bars.
 */
export function viewOf(frame: Frame, opensAt: number, now: number): View {
  if (isLength(frame)) return { shape: "candles", period: frame, since: null, bars: LEGIBLE_BARS };
  if (frame === "intraday") {
    const period = now - opensAt > MINUTE_LINE_BARS * MINUTE_MS ? "minute5" : "minute";
    return { shape: "line", period, since: opensAt, bars: null };
  }
  const { period, days } = SPANS[frame];
  return { shape: "candles", period, since: now - days * DAY_MS, bars: null };
}

/** Whether a view spans ex-events, so that past prices need adjustment: daily bars and longer. */
export function adjustable({ period }: Pick<View, "period">): boolean {
  return period === "day" || period === "week" || period === "month";
}

/** The intraday line shows at least this fraction of the previous close above and below it. */
const MIN_BAND = 0.005;
/** A limit is shown once the price has moved this fraction of the way to it. */
const LIMIT_SHOWN_FROM = 0.7;

/**
 * The price range that shows a day. It includes the previous close even if the whole day is on one side of it, is wide enough that a flat
 * day is not magnified to fractions of a tick, and includes a daily limit that the price approaches.
 */
export function dayRange(
  day: { low: number; high: number },
  reference: number,
  limits: { down: number; up: number } | null,
): { low: number; high: number } {
  const band = reference * MIN_BAND;
  const low = Math.min(day.low, reference - band);
  const high = Math.max(day.high, reference + band);
  if (!limits) return { low, high };
  return {
    low: reference - day.low > (reference - limits.down) * LIMIT_SHOWN_FROM ? Math.min(low, limits.down) : low,
    high: day.high - reference > (limits.up - reference) * LIMIT_SHOWN_FROM ? Math.max(high, limits.up) : high,
  };
}
