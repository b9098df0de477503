/** Bars read from the server for a chart: adjusted, weeks and months split where an ex-event falls inside, and the seam to live ticks. */
import { CANDLE_STRIDE, MAX_CANDLES } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { Adjuster } from "./adjustment.ts";
import { callServer } from "#workers/connection/http-client.ts";
import type { Credentials } from "#workers/connection/http-client.ts";
import { bundled, candleAt, joined, lastCandle, pushCandle } from "./candle.ts";
import type { Seam, Today } from "./candle.ts";
import { barStart, isIntraday } from "./period.ts";
import type { ChartRequest } from "#workers/protocol.ts";

/** A page of flat bars, oldest first. */
export interface Page {
  bars: number[];
  more: boolean;
}

/** Where charts read from. */
export interface BarSource {
  bars(code: string, period: CandlePeriod, before: number | null, limit: number): Promise<Page>;
  actions(code: string): Promise<readonly CorporateAction[]>;
}

/** The server as a source. */
export const barsFrom = (credentials: () => Credentials): BarSource => ({
  bars: (code, period, before, limit) => callServer(credentials(), "readCandles", { code, period, before, limit }),
  actions: async (code) => (await callServer(credentials(), "listActions", { code })).actions,
});

/** The newest bars of a chart, and everything needed to go on from them. */
export interface Start extends Page {
  adjuster: Adjuster;
  /** Where live ticks go on: the newest bar of minutes or of a day, as it was traded; null where nothing ever was. */
  seam: Seam | null;
  /** What of the newest week or month was over before the seam's day, adjusted; null for other periods and when it is its first. */
  done: Candle | null;
}

/** A month has no more days than this. */
const MONTH_DAYS = 31;
/** Half hours of a day, and one more. */
const HALF_HOURS = 49;
/** Weeks or months put together from days: at least so many bars a page, as long as there are days. */
const LEAST_BUNDLED = 60;

const isLong = (period: CandlePeriod): boolean => period === "week" || period === "month";

/** Read the newest bars of a chart. Rejects with CallFailure. */
export async function readStart(source: BarSource, { code, period, adjustment }: ChartRequest): Promise<Start> {
  const adjusting = adjustment === "none" ? Promise.resolve([]) : source.actions(code);
  if (isLong(period)) return readLong(source, code, period, new Adjuster(adjustment, await adjusting));
  const [actions, page] = await Promise.all([adjusting, source.bars(code, period, null, MAX_CANDLES)]);
  const adjuster = new Adjuster(adjustment, actions);
  const bar = lastCandle(page.bars);
  const seam = bar && { bar, today: isIntraday(period) ? await todayOf(source, code, page, bar) : bar };
  return { bars: adjuster.bars(page.bars), more: page.more, adjuster, seam, done: null };
}

/** Read one more page of bars before those known. Rejects with CallFailure. */
export async function readOlder(source: BarSource, { code, period }: ChartRequest, adjuster: Adjuster, before: number): Promise<Page> {
  if (isLong(period) && !adjuster.idle) return readBundled(source, code, period, adjuster, before);
  const { bars, more } = await source.bars(code, period, before, MAX_CANDLES);
  return { bars: adjuster.bars(bars), more };
}

/**
 * What the day of the newest bar had seen when the page was made. A page that does not reach back to the day's beginning is
 * helped out by half hours: those before the newest bar's are over, so that they say the same whenever they are read.
 */
async function todayOf(source: BarSource, code: string, page: Page, newest: Candle): Promise<Today> {
  const day = taipeiDay(newest.at);
  const whole = !page.more || taipeiDay(page.bars[0] ?? 0) < day;
  if (whole) return seen([page.bars], day, -Infinity, Infinity);
  const halfHour = barStart("minute30", newest.at);
  const { bars } = await source.bars(code, "minute30", null, HALF_HOURS);
  const before = seen([bars], day, -Infinity, halfHour);
  const since = seen([page.bars], day, halfHour, Infinity);
  return { high: Math.max(before.high, since.high), low: Math.min(before.low, since.low), volume: before.volume + since.volume };
}

/** The extremes and the lots of the bars of a day that began at `from` or later, and before `until`. */
function seen(lists: readonly number[][], day: number, from: number, until: number): Today {
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

async function readLong(source: BarSource, code: string, period: CandlePeriod, adjuster: Adjuster): Promise<Start> {
  const [page, { bars: days }] = await Promise.all([
    adjuster.idle ? source.bars(code, period, null, MAX_CANDLES) : readBundled(source, code, period, adjuster, null),
    source.bars(code, "day", null, MONTH_DAYS),
  ]);
  const bar = lastCandle(days);
  if (!bar) return { ...page, adjuster, seam: null, done: null };
  const start = barStart(period, bar.at);
  const over: number[] = [];
  for (let from = 0; from + 2 * CANDLE_STRIDE <= days.length; from += CANDLE_STRIDE) {
    if ((days[from] ?? 0) >= start) pushCandle(over, adjuster.bar(candleAt(days, from)));
  }
  const done = lastCandle(bundled(over, period));
  // The newest bar is put together anew, so that it says exactly what ticks go on from.
  const newest = joined(done, { ...adjuster.bar(bar), at: start });
  const bars = page.bars.slice();
  if ((lastCandle(bars)?.at ?? -Infinity) >= start) bars.splice(-CANDLE_STRIDE);
  pushCandle(bars, newest);
  return { bars, more: page.more, adjuster, seam: { bar, today: bar }, done };
}

/** Weeks or months of adjusted days: an ex-date may fall inside one, so the server's own cannot be scaled as a whole. */
async function readBundled(
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
    const bars = bundled(days, period);
    if (!more) return { bars, more };
    // The oldest one may lack days that are still to be read.
    if (bars.length > LEAST_BUNDLED * CANDLE_STRIDE) return { bars: bars.slice(CANDLE_STRIDE), more };
  }
  return { bars: [], more: false };
}
