/** The days money moves between banks: the exchange's trading days, whatever hours the venue keeps. */
import { HOUR_MS, epochMs, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import { tradesOn } from "#server/venue/calendar/trading-calendar.ts";

/** A trade is settled in the morning of the day it is due. */
const SETTLED_AT_MS = 10 * HOUR_MS;

/** The next trading days after the day of a moment, as `taipeiDay` counts. */
export function tradingDaysAfter(at: number, count: number): number[] {
  const days: number[] = [];
  for (let day = taipeiDay(at) + 1; days.length < count; day += 1) if (tradesOn(day)) days.push(day);
  return days;
}

/** When a trade of this moment is settled, so many trading days later. */
export function settlesAt(at: number, days: number): EpochMs {
  return epochMs(taipeiMidnight(tradingDaysAfter(at, days).at(-1) ?? taipeiDay(at)) + SETTLED_AT_MS);
}
