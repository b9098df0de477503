/** The live bars of one instrument of the market's own, with which its history ends. */
import type { Bar } from "./intraday-path.ts";
import type { LiveBars } from "./live-bars.ts";
import type { MarketState } from "./market-state.ts";

/** Reads them from the state of the market. */
export function liveBarsOf(state: MarketState, row: number): LiveBars {
  const { session, market, late } = state;
  const { minutes } = market.calendar;
  const observed = state.indices.observed(row);
  const close = state.last[row] ?? 0;
  const volume = state.volume[row] ?? 0;
  const traded = volume - (state.lotsBefore[row] ?? 0);
  const day: Bar = { open: state.open[row] ?? 0, high: state.high[row] ?? 0, low: state.low[row] ?? 0, close, volume };
  const [open, high, low] = [state.minuteOpen[row] ?? 0, state.minuteHigh[row] ?? 0, state.minuteLow[row] ?? 0];
  // The last minute of an index goes on until all it consists of has closed.
  const minute = observed && late.rows.size > 0 ? Math.min(state.minute, minutes - 1) : late.over(row, state.minute);
  const running = minute >= 0 && minute < minutes && open > 0 && traded > 0;
  return { session, minute, day: close > 0 ? day : null, bar: running ? { open, high, low, close, volume: traded } : null, observed };
}
