/** The board's call auctions of a session that have taken place by a moment. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { PastCall } from "#server/venue/venue.ts";
import { VENUE_RULES } from "./session-rules.ts";
import type { Calendar } from "./trading-calendar.ts";

/** A busy minute of the simulated market has six trades, and the opening call is the first of them. */
const OPENING_PART = 1 / 6;

/** The calls up to a moment, the earliest first; around the clock there are none. `delayed`: the rows whose open was put off. */
export function pastCallsOf(calendar: Calendar, now: number, delayed: readonly number[]): PastCall[] {
  const { minutes, continuous, minuteMs, hours } = calendar;
  if (continuous >= minutes) return [];
  const { session } = calendar.at(now);
  const opensAt = calendar.opensAt(session);
  const share = (OPENING_PART * minuteMs) / MINUTE_MS;
  const opening: PastCall = { kind: "opening", at: opensAt, share, ...(delayed.length > 0 && { except: delayed }) };
  const lateAt = opensAt + VENUE_RULES[hours].stability.pauseMinutes * minuteMs;
  const late: PastCall[] = delayed.length > 0 ? [{ kind: "opening", at: lateAt, share, rows: delayed }] : [];
  const closing: PastCall = { kind: "closing", at: calendar.closesAt(session), share: 1 };
  return [opening, ...late, closing].filter(({ at }) => at <= now);
}
