/** Months of the venue's calendar: due days at the ends of months, on holidays and weekends, at the moment itself, and in compressed hours. */
import { describe, expect, it } from "vitest";
import { monthsOf } from "#server/venue/calendar/months.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";

const taipei = (text: string): number => Date.parse(`${text.replace(" ", "T")}:00+08:00`);

describe("the exchange's months", () => {
  const months = monthsOf(calendarOf("taiwan"));

  it.each<[day: number, after: string, month: string, at: string]>([
    [6, "2026-07-01 08:00", "2026-07", "2026-07-06 09:00"],
    // One moment before the open, and at it.
    [6, "2026-07-06 08:59", "2026-07", "2026-07-06 09:00"],
    [6, "2026-07-06 09:00", "2026-08", "2026-08-06 09:00"],
    // A Saturday.
    [4, "2026-07-01 08:00", "2026-07", "2026-07-06 09:00"],
    // February 2028 has 29 days, April 30.
    [31, "2028-02-01 08:00", "2028-02", "2028-02-29 09:00"],
    [31, "2026-04-01 08:00", "2026-04", "2026-04-30 09:00"],
    // The last day of May 2026 is a Sunday: the month's day is in June, and June keeps its own.
    [31, "2026-05-30 08:00", "2026-05", "2026-06-01 09:00"],
    [31, "2026-06-01 09:00", "2026-06", "2026-06-30 09:00"],
    [1, "2026-12-31 12:00", "2027-01", "2027-01-04 09:00"],
  ])("day %i after %s is that of %s, at %s", (day, after, month, at) => {
    expect(months.next(day, taipei(after))).toEqual({ month, at: taipei(at) });
  });
});

it.each(["taiwan", "always", "compressed"] as const)("every month comes once, in order, in %s hours", (hours) => {
  const months = monthsOf(calendarOf(hours));
  for (const day of [1, 15, 28, 29, 30, 31]) {
    const seen = new Set<string>();
    let at = taipei("2026-07-01 00:30");
    for (let nth = 0; nth < 60; nth += 1) {
      const due = months.next(day, at);
      expect(due.at).toBeGreaterThan(at);
      expect(months.next(day, due.at - 1)).toEqual(due);
      expect(seen.has(due.month), `${day} ${due.month}`).toBe(false);
      seen.add(due.month);
      at = due.at;
    }
  }
});

it("has a month of thirty sessions in compressed hours", () => {
  const calendar = calendarOf("compressed");
  const months = monthsOf(calendar);
  const first = months.next(7, taipei("2026-07-01 00:30"));
  const second = months.next(7, first.at);
  expect(calendar.at(second.at).session - calendar.at(first.at).session).toBe(30);
  expect(calendar.opensAt(calendar.at(first.at).session)).toBe(first.at);
});
