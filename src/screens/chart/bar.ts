/** Reads bars from the wire, merges them without duplicates, and summarises and formats them. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { formatChange, formatPercent, formatPrice } from "#contract/kernel/money.ts";
import { formatDate, formatDateTime } from "#contract/kernel/time.ts";

/** Parses flat bars (CANDLE_FIELDS, oldest first). */
export function barsOf(flat: readonly number[]): Candle[] {
  const bars: Candle[] = [];
  for (let from = 0; from + CANDLE_STRIDE <= flat.length; from += CANDLE_STRIDE) {
    const [at = 0, open = 0, high = 0, low = 0, close = 0, volume = 0] = flat.slice(from, from + CANDLE_STRIDE);
    bars.push({ at, open, high, low, close, volume });
  }
  return bars;
}

/** Prepends older bars; where both lists have a bar for the same time, the present one wins. */
export function prepended(older: readonly Candle[], bars: readonly Candle[]): Candle[] {
  const first = bars[0]?.at ?? Infinity;
  return [...older.filter((bar) => bar.at < first), ...bars];
}

/**
 * Appends the forming bar, or replaces its earlier version. Mutates the list, because this runs ten times a second.
 * @returns false for a bar older than the newest, which is ignored
 */
export function form(bars: Candle[], bar: Candle): boolean {
  const last = bars.at(-1);
  if (last && bar.at < last.at) return false;
  if (last && bar.at === last.at) bars[bars.length - 1] = bar;
  else bars.push(bar);
  return true;
}

/** The index of the first bar that starts at or after a time. */
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

/** A numeric summary of bars, prices in ten-thousandths. */
export interface Summary {
  from: number;
  to: number;
  high: number;
  low: number;
  last: number;
  /** Last close against the close before the first bar (or the first open if there is none), in hundredths of a percent. */
  changeBasisPoints: number;
}

/** Summarises bars; null for an empty list. `before` is the close before the first bar. */
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

/** A bar formatted for the readout, the table and screen readers. */
export interface BarText {
  at: string;
  open: string;
  high: string;
  low: string;
  close: string;
  /** Close minus the previous close, signed. */
  change: string;
  percent: string;
  /** 1 up, -1 down, 0 unchanged. */
  sign: number;
}

const isIntraday = (period: CandlePeriod): boolean => period.startsWith("minute");

/** A bar's time: with the time of day for intraday periods, the date only otherwise. */
export function momentText(at: number, period: CandlePeriod): string {
  return isIntraday(period) ? formatDateTime(at).slice(0, -3) : formatDate(at);
}

/** Formats a bar; `before` is the previous close (the bar's own open is used if it is null). */
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
