/** Ticks merged into the forming bar of a period, and the bars of the charts that are open. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { MINUTE_MS, TAIPEI_OFFSET_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Quote } from "#contract/quote.ts";

const MINUTES: Partial<Record<CandlePeriod, number>> = { minute: 1, minute5: 5, minute15: 15, minute30: 30 };

/** When the bar a moment belongs to began, in epoch milliseconds; Taipei midnight for day, week (Monday) and month. */
export function barStart(period: CandlePeriod, at: number): number {
  const minutes = MINUTES[period];
  if (minutes !== undefined) return Math.floor(at / (minutes * MINUTE_MS)) * minutes * MINUTE_MS;
  const day = taipeiDay(at);
  if (period === "day") return taipeiMidnight(day);
  // Day 0, 1970-01-01, was a Thursday.
  if (period === "week") return taipeiMidnight(day - ((((day + 3) % 7) + 7) % 7));
  const date = new Date(at + TAIPEI_OFFSET_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) - TAIPEI_OFFSET_MS;
}

/** What of a quote a bar is made from; `volume`, `open`, `high` and `low` are the day's so far. */
export type Tick = Pick<Quote, "at" | "last" | "open" | "high" | "low" | "volume">;

/**
 * The forming bar of one instrument and period: constant memory, whatever the tick rate. Quotes arrive conflated, so an extreme
 * that fell between two of them is read from the day's high and low; volume is the difference of the day's running total.
 */
export class FormingBar {
  readonly #period: CandlePeriod;
  #bar: Candle | null;
  /** The last quote merged; null before the first, and then the bar's own volume counts from it. */
  #before: Tick | null = null;

  /** `bar` is the newest one read from the server, or null when there is none yet. */
  constructor(period: CandlePeriod, bar: Candle | null) {
    this.#period = period;
    this.#bar = bar && { ...bar };
  }

  get bar(): Candle | null {
    return this.#bar;
  }

  /** Merge a quote. Returns whether the bar is another than before; ticks older than the bar, or than the last tick, change nothing. */
  merge(tick: Tick): boolean {
    if (tick.last <= 0) return false;
    const start = barStart(this.#period, tick.at);
    const before = this.#before;
    if (this.#bar && start < this.#bar.at) return false;
    if (before && tick.at < before.at) return false;
    this.#before = { at: tick.at, last: tick.last, open: tick.open, high: tick.high, low: tick.low, volume: tick.volume };
    const next = this.#period === "day" ? dayBar(start, tick) : merged(this.#bar, start, before, tick);
    const same = this.#bar !== null && isSame(this.#bar, next);
    this.#bar = next;
    return !same;
  }
}

/** The day's bar is the quote itself. */
function dayBar(start: number, tick: Tick): Candle {
  const open = tick.open > 0 ? tick.open : tick.last;
  const high = Math.max(tick.high, tick.last, open);
  const low = tick.low > 0 ? Math.min(tick.low, tick.last, open) : Math.min(tick.last, open);
  return { at: start, open, high, low, close: tick.last, volume: tick.volume };
}

function merged(bar: Candle | null, start: number, before: Tick | null, tick: Tick): Candle {
  const high = Math.max(newExtreme(before, tick, "high"), tick.last);
  const low = Math.min(newExtreme(before, tick, "low"), tick.last);
  const traded = volumeSince(before, tick);
  if (!bar || start > bar.at) return { at: start, open: tick.last, high, low, close: tick.last, volume: traded };
  return {
    at: bar.at,
    open: bar.open,
    high: Math.max(bar.high, high),
    low: Math.min(bar.low, low),
    close: tick.last,
    volume: bar.volume + traded,
  };
}

function isSame(a: Candle, b: Candle): boolean {
  return a.at === b.at && a.high === b.high && a.low === b.low && a.close === b.close && a.volume === b.volume && a.open === b.open;
}

/** Lots traded between two quotes. The running total begins again with a day, so a smaller one counts whole. */
function volumeSince(before: Tick | null, tick: Tick): number {
  if (!before) return 0;
  return tick.volume >= before.volume ? tick.volume - before.volume : tick.volume;
}

/** The day's high (low) if it was made since the last quote of the same day; otherwise just the price of the tick. */
function newExtreme(before: Tick | null, tick: Tick, side: "high" | "low"): number {
  if (!before || taipeiDay(before.at) !== taipeiDay(tick.at) || tick[side] <= 0) return tick.last;
  const made = side === "high" ? tick.high > before.high : tick.low < before.low;
  return made ? tick[side] : tick.last;
}

/** Read the bar that starts at `from` in a flat list. */
export function candleAt(flat: ArrayLike<number>, from: number): Candle {
  const at = (field: number): number => flat[from + field] ?? 0;
  return { at: at(0), open: at(1), high: at(2), low: at(3), close: at(4), volume: at(5) };
}

/** The newest of flat bars, or null when there is none. */
export function lastCandle(flat: ArrayLike<number>): Candle | null {
  return flat.length < CANDLE_STRIDE ? null : candleAt(flat, flat.length - CANDLE_STRIDE);
}
