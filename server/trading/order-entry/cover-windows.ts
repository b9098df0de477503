/** The days around a closed register on which shorts must be covered and none may be opened (融券最後回補日, 停止融券賣出). */
import type { ClosureReason, ShortCoverRule } from "#contract/short-cover.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { tradingDayFrom } from "#server/venue/calendar/trading-calendar.ts";
import type { BookClosure, Venue } from "#server/venue/venue.ts";

/** One window; days as `taipeiDay` counts. */
export interface CoverWindow {
  row: number;
  reason: ClosureReason;
  /** The last day to cover, and the first without new shorts. */
  lastDay: number;
  /** The first day on which it may be sold short again. */
  againDay: number;
}

/** The window before a closed register. */
export function windowOf({ row, reason, day }: BookClosure, { coverDays, stopDays }: ShortCoverRule): CoverWindow {
  const lastDay = tradingDayFrom(day, -coverDays);
  return { row, reason, lastDay, againDay: tradingDayFrom(lastDay, stopDays) };
}

/** How many days ahead registers are looked up: more than the most days of a rule before them, with the weekends and the longest holidays. */
const AHEAD_DAYS = 45;

interface Known {
  day: number;
  /** By rule, then by row: classes of members may have rules of their own. */
  byRule: Map<string, Map<number, CoverWindow[]>>;
}
const known = new WeakMap<Venue, Known>();

/** The windows that have not ended on the trading day of a moment, by row, the earliest first; worked out once a day. */
export function coverWindows(venue: Venue, rule: ShortCoverRule, at: number): ReadonlyMap<number, readonly CoverWindow[]> {
  const day = taipeiDay(venue.state(at).opensAt);
  const key = JSON.stringify(rule);
  const before = known.get(venue);
  const { byRule } = before?.day === day ? before : { byRule: new Map<string, Map<number, CoverWindow[]>>() };
  const there = byRule.get(key);
  if (there) return there;
  const byRow = new Map<number, CoverWindow[]>();
  for (const closure of venue.bookClosures(day, day + AHEAD_DAYS)) {
    const window = windowOf(closure, rule);
    if (window.againDay <= day) continue;
    byRow.set(window.row, [...(byRow.get(window.row) ?? []), window]);
  }
  for (const windows of byRow.values()) windows.sort((a, b) => a.lastDay - b.lastDay);
  byRule.set(key, byRow);
  known.set(venue, { day, byRule });
  return byRow;
}

/** The window that an instrument is in on the trading day of a moment: its shorts are due, and no new one may be opened. */
export function coverWindowAt(venue: Venue, rule: ShortCoverRule, row: number, at: number): CoverWindow | null {
  const day = taipeiDay(venue.state(at).opensAt);
  return (
    coverWindows(venue, rule, at)
      .get(row)
      ?.find(({ lastDay, againDay }) => lastDay <= day && day < againDay) ?? null
  );
}
