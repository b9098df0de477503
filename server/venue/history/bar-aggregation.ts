/** Bars bundled into longer ones: five minutes and more by the clock, weeks and months by the calendar. */
import type { CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, MINUTE_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { Bar } from "#server/venue/simulator/intraday-path.ts";

export interface Timed extends Bar {
  at: number;
}

/** Minutes in a bar of the periods that are made of minutes. */
export const MINUTES: Partial<Record<CandlePeriod, number>> = { minute: 1, minute5: 5, minute15: 15, minute30: 30 };

/** Monday of the week a moment lies in; 1970 began on a Thursday. */
function weekOf(at: number): number {
  const day = taipeiDay(at);
  return taipeiMidnight(day - ((day + 3) % 7));
}

function monthOf(at: number): number {
  const date = new Date(taipeiDay(at) * DAY_MS);
  return taipeiMidnight(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / DAY_MS);
}

/** When the bar of a period begins that a moment falls in; a day begins at Taipei midnight. */
function startOf(period: CandlePeriod, at: number): number {
  const minutes = MINUTES[period];
  if (minutes) return Math.floor(at / (minutes * MINUTE_MS)) * minutes * MINUTE_MS;
  if (period === "week") return weekOf(at);
  return period === "month" ? monthOf(at) : taipeiMidnight(taipeiDay(at));
}

/** Join consecutive bars, oldest first, into those of a longer period. */
export function bundle(bars: readonly Timed[], period: CandlePeriod): Timed[] {
  const out: Timed[] = [];
  let open: Timed | undefined;
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
