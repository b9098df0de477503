/** The state of one instrument that its history is completed with. */
import type { Columns } from "#server/venue/market-data/quote-columns.ts";
import type { Bar } from "./intraday-path.ts";

/** The current session of one instrument; closed bars end where this begins. */
export interface LiveBars {
  session: number;
  minute: number;
  /** The session so far; null before its first trade. */
  day: Bar | null;
  /** The current minute so far; null before its first trade. */
  bar: Bar | null;
  /** For an index, the extremes observed in each minute of the session (0: none observed). */
  observed: { high: Float64Array; low: Float64Array } | null;
}

/** The day and the minute of a row as its columns hold them; `isRunning` while the session has minutes. */
export function liveBarsOf(columns: Columns, row: number, isRunning: boolean): Pick<LiveBars, "day" | "bar"> {
  const of = (column: Float64Array): number => column[row] ?? 0;
  const { open, high, low, last, volume, minuteOpen, minuteHigh, minuteLow, lotsBefore } = columns;
  const close = of(last);
  const day: Bar = { open: of(open), high: of(high), low: of(low), close, volume: of(volume) };
  const traded = day.volume - of(lotsBefore);
  const bar: Bar = { open: of(minuteOpen), high: of(minuteHigh), low: of(minuteLow), close, volume: traded };
  return { day: close > 0 ? day : null, bar: isRunning && bar.open > 0 && traded > 0 ? bar : null };
}
