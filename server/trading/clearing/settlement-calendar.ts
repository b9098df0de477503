/** Settlement days: the exchange's trading days, independent of the venue's hours. */
import { HOUR_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { tradesOn } from "#server/venue/calendar/trading-calendar.ts";

/** Time of day at which a trade is settled on its due day. */
const SETTLED_AT_MS = 10 * HOUR_MS;

/** The next trading days after a time, as `taipeiDay` counts. */
export function tradingDaysAfter(at: number, count: number): number[] {
  const days: number[] = [];
  for (let day = taipeiDay(at) + 1; days.length < count; day += 1) if (tradesOn(day)) days.push(day);
  return days;
}

/** When a trade of this time is settled, the given number of trading days later. */
export function settlesAt(at: number, days: number): EpochMs {
  return epochMs(taipeiMidnight(tradingDaysAfter(at, days).at(-1) ?? taipeiDay(at)) + SETTLED_AT_MS);
}
