/** Stretches of time that capital flow is looked at by, in days of Taipei. */
import { DAY_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";

export const PERIODS = ["all", "today", "week", "month", "own"] as const;
export type Period = (typeof PERIODS)[number];

/** How many days back each begins; today counts as one. */
const DAYS = { today: 1, week: 7, month: 30 } as const;

/** From a moment on, and until before another; null is open. */
export interface Stretch {
  from: EpochMs | null;
  until: EpochMs | null;
}

/** The Taipei day that a date field (`YYYY-MM-DD`) names, as `taipeiDay` counts; null for none. */
function dayOf(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) ? null : Math.floor(at / DAY_MS);
}

/** What a period means now; `own` is what the two date fields say, both days counted in. */
export function stretchOf(period: Period, first: string, last: string, now: number): Stretch {
  if (period === "all") return { from: null, until: null };
  if (period !== "own") return { from: taipeiMidnight(taipeiDay(now) - DAYS[period] + 1), until: null };
  const [from, until] = [dayOf(first), dayOf(last)];
  return { from: from === null ? null : taipeiMidnight(from), until: until === null ? null : taipeiMidnight(until + 1) };
}

/** Whether the last day lies before the first. */
export function backwards({ from, until }: Stretch): boolean {
  return from !== null && until !== null && until <= from;
}
