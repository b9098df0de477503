/** Time ranges of the cash ledger screen, in Taipei days. */
import { DAY_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";

export const PERIODS = ["all", "today", "week", "month", "own"] as const;
export type Period = (typeof PERIODS)[number];

/** How many days each range covers; today counts as one. */
const DAYS = { today: 1, week: 7, month: 30 } as const;

/** From a time (inclusive) until another (exclusive); null is open-ended. */
export interface TimeRange {
  from: EpochMs | null;
  until: EpochMs | null;
}

/** The Taipei day of a date field (`YYYY-MM-DD`), counted as `taipeiDay` does; null for an empty or invalid one. */
function dayOf(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : Math.floor(at / DAY_MS);
}

/** The range of a period at `now`; `own` uses the two date fields, both days included. */
export function timeRangeOf(period: Period, first: string, last: string, now: number): TimeRange {
  if (period === "all") return { from: null, until: null };
  if (period !== "own") return { from: taipeiMidnight(taipeiDay(now) - DAYS[period] + 1), until: null };
  const [from, until] = [dayOf(first), dayOf(last)];
  return { from: from === null ? null : taipeiMidnight(from), until: until === null ? null : taipeiMidnight(until + 1) };
}

/** Tells whether the last day lies before the first. */
export function backwards({ from, until }: TimeRange): boolean {
  return from !== null && until !== null && until <= from;
}
