/** Reads a chart's bars from the server: adjusted, weeks and months aggregated from days across ex-events, with the seam to live ticks. */
import { CANDLE_STRIDE, MAX_CANDLES } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { Adjuster } from "./adjustment.ts";
import { callServer } from "#workers/connection/http-client.ts";
import { aggregateBars, candleAt, mergeBars, lastCandle, pushCandle } from "./candle.ts";
import type { Seam, Today } from "./candle.ts";
import { barStart, isIntraday } from "./period.ts";
import type { ChartRequest, Credentials } from "#workers/protocol.ts";

/** A page of flat bars, oldest first. */
export interface Page {
  bars: number[];
  more: boolean;
}

/** The source charts read bars and corporate actions from. */
export interface BarSource {
  bars(code: string, period: CandlePeriod, before: number | null, limit: number): Promise<Page>;
  actions(code: string): Promise<readonly CorporateAction[]>;
}

/** The server as a bar source. */
export const barsFrom = (credentials: () => Credentials): BarSource => ({
  bars: (code, period, before, limit) => callServer(credentials(), "readCandles", { code, period, before, limit }),
  actions: async (code) => (await callServer(credentials(), "listActions", { code })).actions,
});

/** The newest bars of a chart and the state needed to continue them with live ticks. */
export interface Start extends Page {
  adjuster: Adjuster;
  /** Where live ticks continue: the newest intraday or daily bar, unadjusted; null if the instrument never traded. */
  seam: Seam | null;
  /** The adjusted part of the newest week or month before the seam's day; null for other periods and on its first day. */
  done: Candle | null;
}

/** Maximum number of days in a month. */
const MONTH_DAYS = 31;
/** Half hours of a day, plus one. */
const HALF_HOURS = 49;
/** Minimum number of aggregated weeks or months per page, as long as there are days. */
const MIN_AGGREGATED_BARS = 60;

const isWeekOrMonth = (period: CandlePeriod): boolean => period === "week" || period === "month";

/**
 * Reads the newest bars of a chart.
 * @throws CallFailure
 */
export async function readStart(source: BarSource, { code, period, adjustment }: ChartRequest): Promise<Start> {
  const adjusting = adjustment === "none" ? Promise.resolve([]) : source.actions(code);
  if (isWeekOrMonth(period)) return readWeeksOrMonths(source, code, period, new Adjuster(adjustment, await adjusting));
  const [actions, page] = await Promise.all([adjusting, source.bars(code, period, null, MAX_CANDLES)]);
  const adjuster = new Adjuster(adjustment, actions);
  const bar = lastCandle(page.bars);
  const seam = bar && { bar, today: isIntraday(period) ? await dayTotalsOf(source, code, page, bar) : bar };
  return { bars: adjuster.bars(page.bars), more: page.more, adjuster, seam, done: null };
}

/**
 * Reads one page of bars older than `before`.
 * @throws CallFailure
 */
export async function readOlder(source: BarSource, { code, period }: ChartRequest, adjuster: Adjuster, before: number): Promise<Page> {
  if (isWeekOrMonth(period) && !adjuster.idle) return readAggregated(source, code, period, adjuster, before);
  const { bars, more } = await source.bars(code, period, before, MAX_CANDLES);
  return { bars: adjuster.bars(bars), more };
}

/**
 * The totals of the newest bar's day at the time of the page. If the page does not reach back to the start of the day, half-hour bars
 * fill in: those before the newest bar's half hour are final, so they are consistent with the page whenever they are read.
 */
async function dayTotalsOf(source: BarSource, code: string, page: Page, newest: Candle): Promise<Today> {
  const day = taipeiDay(newest.at);
  const whole = !page.more || taipeiDay(page.bars[0] ?? 0) < day;
  if (whole) return sumDay([page.bars], day, -Infinity, Infinity);
  const halfHour = barStart("minute30", newest.at);
  const { bars } = await source.bars(code, "minute30", null, HALF_HOURS);
  const before = sumDay([bars], day, -Infinity, halfHour);
  const since = sumDay([page.bars], day, halfHour, Infinity);
  return { high: Math.max(before.high, since.high), low: Math.min(before.low, since.low), volume: before.volume + since.volume };
}

/** The extremes and volume of a day's bars that start in `[from, until)`. */
function sumDay(lists: readonly number[][], day: number, from: number, until: number): Today {
  const today: Today = { high: 0, low: Infinity, volume: 0 };
  for (const bars of lists) {
    for (let place = 0; place + CANDLE_STRIDE <= bars.length; place += CANDLE_STRIDE) {
      const { at, high, low, volume } = candleAt(bars, place);
      if (taipeiDay(at) !== day || at < from || at >= until) continue;
      today.high = Math.max(today.high, high);
      today.low = Math.min(today.low, low);
      today.volume += volume;
    }
  }
  return today;
}

async function readWeeksOrMonths(source: BarSource, code: string, period: CandlePeriod, adjuster: Adjuster): Promise<Start> {
  const [page, { bars: days }] = await Promise.all([
    adjuster.idle ? source.bars(code, period, null, MAX_CANDLES) : readAggregated(source, code, period, adjuster, null),
    source.bars(code, "day", null, MONTH_DAYS),
  ]);
  const bar = lastCandle(days);
  if (!bar) return { ...page, adjuster, seam: null, done: null };
  const start = barStart(period, bar.at);
  const over: number[] = [];
  for (let from = 0; from + 2 * CANDLE_STRIDE <= days.length; from += CANDLE_STRIDE) {
    if ((days[from] ?? 0) >= start) pushCandle(over, adjuster.bar(candleAt(days, from)));
  }
  const done = lastCandle(aggregateBars(over, period));
  // The newest bar is rebuilt so that it matches exactly what ticks continue from.
  const newest = mergeBars(done, { ...adjuster.bar(bar), at: start });
  const bars = page.bars.slice();
  if ((lastCandle(bars)?.at ?? -Infinity) >= start) bars.splice(-CANDLE_STRIDE);
  pushCandle(bars, newest);
  return { bars, more: page.more, adjuster, seam: { bar, today: bar }, done };
}

/** Aggregates weeks or months from adjusted days: one may contain an ex-date, so the server's own bars cannot be scaled as a whole. */
async function readAggregated(
  source: BarSource,
  code: string,
  period: CandlePeriod,
  adjuster: Adjuster,
  before: number | null,
): Promise<Page> {
  let days: number[] = [];
  for (let more = true; more;) {
    const page = await source.bars(code, "day", days[0] ?? before, MAX_CANDLES);
    days = [...adjuster.bars(page.bars), ...days];
    more = page.more && page.bars.length > 0;
    const bars = aggregateBars(days, period);
    if (!more) return { bars, more };
    // The oldest bar may lack days that have not been read yet.
    if (bars.length > MIN_AGGREGATED_BARS * CANDLE_STRIDE) return { bars: bars.slice(CANDLE_STRIDE), more };
  }
  return { bars: [], more: false };
}
