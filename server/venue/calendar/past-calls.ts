/** The board's call auctions of a session that have taken place by a moment. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { PastCall } from "#server/venue/venue.ts";
import type { Calendar } from "./trading-calendar.ts";

/** A busy minute of the simulated market has six trades, and the opening call is the first of them. */
const OPENING_PART = 1 / 6;

/** The calls up to a moment, the earliest first; around the clock there are none. */
export function pastCallsOf(calendar: Calendar, now: number): PastCall[] {
  const { minutes, continuous, minuteMs } = calendar;
  if (continuous >= minutes) return [];
  const { session } = calendar.at(now);
  const opening: PastCall = { kind: "opening", at: calendar.opensAt(session), share: (OPENING_PART * minuteMs) / MINUTE_MS };
  const closing: PastCall = { kind: "closing", at: calendar.closesAt(session), share: 1 };
  return [opening, closing].filter(({ at }) => at <= now);
}
