/** Where bars begin and end in Taipei time: minutes of a session, days, weeks and months. */
import type { CandlePeriod } from "#contract/candle.ts";
import type { VenueState } from "#contract/instrument.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, TAIPEI_OFFSET_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";

const MINUTES: Partial<Record<CandlePeriod, number>> = { minute: 1, minute5: 5, minute15: 15, minute30: 30 };

/** The session's open and close, in milliseconds since Taipei midnight. */
export interface Hours {
  openMs: number;
  closeMs: number;
}
/** Open round the clock. */
export const ALL_DAY: Hours = { openMs: 0, closeMs: DAY_MS };

/** The hours of a venue. With sessions shorter than an hour there are several a day, so bars cover the whole day. */
export function hoursOf({ opensAt, closesAt }: Pick<VenueState, "opensAt" | "closesAt">): Hours {
  if (closesAt - opensAt < HOUR_MS) return ALL_DAY;
  const openMs = opensAt - taipeiMidnight(taipeiDay(opensAt));
  return { openMs, closeMs: openMs + Math.max(0, closesAt - opensAt) };
}

/** Tells whether bars of this period are shorter than a day. */
export function isIntraday(period: CandlePeriod): boolean {
  return period in MINUTES;
}

/**
 * The start of the bar a moment belongs to, in epoch milliseconds; Taipei midnight for day, week (Monday) and month.
 * The closing auction's match has its own bar at the close, which also takes later matches (a delayed close, after-hours trading);
 * anything before the open belongs to the first bar.
 */
export function barStart(period: CandlePeriod, at: number, { openMs, closeMs }: Hours = ALL_DAY): number {
  const day = taipeiDay(at);
  const minutes = MINUTES[period];
  if (minutes !== undefined) {
    const midnight = taipeiMidnight(day);
    const size = minutes * MINUTE_MS;
    return midnight + Math.floor(Math.min(closeMs, Math.max(openMs, at - midnight)) / size) * size;
  }
  if (period === "day") return taipeiMidnight(day);
  // Day 0, 1970-01-01, was a Thursday.
  if (period === "week") return taipeiMidnight(day - ((((day + 3) % 7) + 7) % 7));
  const date = new Date(at + TAIPEI_OFFSET_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) - TAIPEI_OFFSET_MS;
}

/** The end of the intraday or daily bar that began at `start`; the closing bar stays open until the day ends. */
export function barEnd(period: CandlePeriod, start: number, { closeMs }: Hours = ALL_DAY): number {
  const midnight = taipeiMidnight(taipeiDay(start));
  const end = start + (MINUTES[period] ?? DAY_MS / MINUTE_MS) * MINUTE_MS;
  return end > midnight + closeMs ? midnight + DAY_MS : end;
}
