/** Aggregates bars into longer periods: minutes by the clock, weeks and months by the calendar. */
import type { CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";

export interface TimedBar extends Bar {
  at: number;
}

/** Minutes per bar, for the periods made of minutes. */
export const MINUTES: Partial<Record<CandlePeriod, number>> = { minute: 1, minute5: 5, minute15: 15, minute30: 30 };

/** Monday of the week that contains a moment; 1970-01-01 was a Thursday. */
function weekOf(at: number): number {
  const day = taipeiDay(at);
  return taipeiMidnight(day - ((day + 3) % 7));
}

function monthOf(at: number): number {
  const date = new Date(taipeiDay(at) * DAY_MS);
  return taipeiMidnight(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS);
}

/** The start of the period's bar that contains a moment; a day starts at Taipei midnight. */
function startOf(period: CandlePeriod, at: number): number {
  const minutes = MINUTES[period];
  if (minutes) return Math.floor(at / (minutes * MINUTE_MS)) * minutes * MINUTE_MS;
  if (period === "week") return weekOf(at);
  return period === "month" ? monthOf(at) : taipeiMidnight(taipeiDay(at));
}

/** Joins consecutive bars, oldest first, into bars of a longer period. */
export function aggregateBars(bars: readonly TimedBar[], period: CandlePeriod): TimedBar[] {
  const out: TimedBar[] = [];
  let open: TimedBar | undefined;
  for (const bar of bars) {
    const at = startOf(period, bar.at);
    if (open?.at === at) {
      open.high = Math.max(open.high, bar.high);
      open.low = Math.min(open.low, bar.low);
      open.close = bar.close;
      open.volume += bar.volume;
    } else {
      open = { ...bar, at };
      out.push(open);
    }
  }
  return out;
}
