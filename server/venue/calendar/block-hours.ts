/** When block trades are made: the exchange's two windows of a day, around the clock, or all of a compressed day after its open. */
import { HOUR_MS, MINUTE_MS, SECOND_MS, taipeiMidnight } from "#contract/kernel/time.ts";
import { COMPRESSED_DAY } from "./session-rules.ts";
import type { Calendar } from "./trading-calendar.ts";

/** A window of a session; new offers come at each slot's beginning. */
export interface BlockWindow {
  from: number;
  until: number;
  slotMs: number;
}

/** The windows of a session, in order. */
export function blockWindows(calendar: Calendar, session: number): BlockWindow[] {
  const slotMs = 30 * MINUTE_MS;
  if (calendar.hours === "always") return [{ from: calendar.opensAt(session), until: calendar.closesAt(session), slotMs }];
  if (calendar.hours === "compressed") {
    const from = calendar.opensAt(session);
    return [{ from, until: from + COMPRESSED_DAY.lengthMs - COMPRESSED_DAY.openMs, slotMs: 90 * SECOND_MS }];
  }
  const midnight = taipeiMidnight(calendar.dayOf(session));
  return [
    { from: midnight + 8 * HOUR_MS, until: midnight + 8.5 * HOUR_MS, slotMs },
    { from: midnight + 9 * HOUR_MS, until: midnight + 17 * HOUR_MS, slotMs },
  ];
}

/** The window a moment lies in, with its session; null between them, then `changesAt` is when the next one opens. */
export function blockWindowAt(calendar: Calendar, at: number): { session: number; window: BlockWindow | null; changesAt: number } {
  const { session } = calendar.at(at);
  // The first window opens before the exchange's day does.
  for (const one of [session, session + 1, session + 2]) {
    for (const window of blockWindows(calendar, one)) {
      if (at >= window.until) continue;
      return at >= window.from ? { session: one, window, changesAt: window.until } : { session: one, window: null, changesAt: window.from };
    }
  }
  throw new Error("the calendar has no further day");
}
