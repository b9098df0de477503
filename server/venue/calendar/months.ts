/** Months of the venue's calendar: when what is due on a day of each month is due. A day without trading moves it to the next trading day. */
import { DAY_MS, epochMs, taipeiDay } from "#contract/kernel/time.ts";
import type { Months } from "#server/venue/venue.ts";
import type { Calendar } from "./trading-calendar.ts";

/** Sessions that make a month where a whole trading day lasts minutes. */
export const COMPRESSED_MONTH = 30;

/** The calendar day of a day of a month, months counted from the year 0. */
function dateIn(month: number, day: number): number {
  const year = Math.floor(month / 12);
  const last = Date.UTC(year, (month % 12) + 1, 0) / DAY_MS;
  return Math.min(last, Date.UTC(year, month % 12, day) / DAY_MS);
}

/** Months of the civil calendar. */
const civil = (calendar: Calendar): Months => ({
  next(day, after) {
    const now = new Date(taipeiDay(after) * DAY_MS);
    // A holiday can move the due day of the month before into this one.
    for (let month = now.getUTCFullYear() * 12 + now.getUTCMonth() - 1; ; month += 1) {
      const at = calendar.opensAt(calendar.sessionOn(dateIn(month, day) - 1) + 1);
      const name = `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
      if (at > after) return { month: name, at: epochMs(at) };
    }
  },
});

/** Months of a fixed number of sessions, each of which counts as a day. */
const compressed = (calendar: Calendar): Months => ({
  next(day, after) {
    const { session } = calendar.at(after);
    const place = Math.min(day, COMPRESSED_MONTH) - 1;
    for (let month = Math.floor(session / COMPRESSED_MONTH); ; month += 1) {
      const at = calendar.opensAt(month * COMPRESSED_MONTH + place);
      if (at > after) return { month: `M${month}`, at: epochMs(at) };
    }
  },
});

export const monthsOf = (calendar: Calendar): Months => (calendar.hours === "compressed" ? compressed(calendar) : civil(calendar));
