/** Bars as a chart holds them: read from the wire, put together without doubles, summed up in numbers. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { formatChange, formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { formatDate, formatDateTime } from "#contract/kernel/time.ts";

/** Read flat bars (CANDLE_FIELDS, oldest first). */
export function barsOf(flat: readonly number[]): Candle[] {
  const bars: Candle[] = [];
  for (let from = 0; from + CANDLE_STRIDE <= flat.length; from += CANDLE_STRIDE) {
    const [at = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = flat.slice(from, from + CANDLE_STRIDE);
    bars.push({ at, open, high, low, close, volume });
  }
  return bars;
}

/** Older bars before the ones there; where both know a moment, the ones there win. */
export function prepended(older: readonly Candle[], bars: readonly Candle[]): Candle[] {
  const first = bars[0]?.at ?? Infinity;
  return [...older.filter((bar) => bar.at < first), ...bars];
}

/**
 * Put the forming bar at the end, in place of its older self or after the last one; in place, because it happens ten times a second.
 * @returns whether it was taken: a bar older than the newest is not
 */
export function form(bars: Candle[], bar: Candle): boolean {
  const last = bars.at(-1);
  if (last && bar.at < last.at) return false;
  if (last && bar.at === last.at) bars[bars.length - 1] = bar;
  else bars.push(bar);
  return true;
}

/** The place of the first bar that starts at or after a moment. */
export function placeAt(bars: readonly Candle[], at: number): number {
  let low = 0;
  let high = bars.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Bars in a sentence's worth of numbers, prices in ten-thousandths. */
export interface Summary {
  from: number;
  to: number;
  high: number;
  low: number;
  last: number;
  /** Last against the close before the first bar, or its open where nothing is before; in hundredths of a percent. */
  changeBasisPoints: number;
}

/** Sum bars up; null where there is none. `before` is the close they set out from. */
export function summaryOf(bars: readonly Candle[], before: number | null): Summary | null {
  const first = bars[0];
  const last = bars.at(-1);
  if (!first || !last) return null;
  let { high, low } = first;
  for (const bar of bars) {
    if (bar.high > high) high = bar.high;
    if (bar.low < low) low = bar.low;
  }
  const start = before ?? first.open;
  const changeBasisPoints = start > 0 ? Math.round(((last.close - start) * 10_000) / start) : 0;
  return { from: first.at, to: last.at, high, low, last: last.close, changeBasisPoints };
}

/** A bar in ready texts, for the readout, the table and the voice. */
export interface BarText {
  at: string;
  open: string;
  high: string;
  low: string;
  close: string;
  /** Close against the close before, with its sign. */
  change: string;
  percent: string;
  /** 1 up, -1 down, 0 neither. */
  sign: number;
}

const isIntraday = (period: CandlePeriod): boolean => period.startsWith("minute");

/** A bar's moment as its length asks: with the time inside a day, without it otherwise. */
export function momentText(at: number, period: CandlePeriod): string {
  return isIntraday(period) ? formatDateTime(at).slice(0, -3) : formatDate(at);
}

/** The texts of a bar; `before` is the close it is compared with (its own open where there is none). */
export function barText(bar: Candle, before: number | null, period: CandlePeriod, decimals: number): BarText {
  const from = before ?? bar.open;
  const difference = bar.close - from;
  return {
    at: momentText(bar.at, period),
    open: formatPrice(bar.open, decimals),
    high: formatPrice(bar.high, decimals),
    low: formatPrice(bar.low, decimals),
    close: formatPrice(bar.close, decimals),
    change: formatChange(difference, decimals),
    percent: formatPercent(from > 0 ? Math.round((difference * 10_000) / from) : 0),
    sign: Math.sign(difference),
  };
}
