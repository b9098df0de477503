/** Tests the duration of lock-ups in trading days, for every calendar. */
import { describe, expect, it } from "vitest";
import { epochMs, formatDateTime } from "#contract/kernel/time.ts";
import { lockedUntil } from "#server/trading/clearing/lock-up.ts";
import { calendarOf } from "#server/venue/calendar/trading-calendar.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";

/** In seconds. */
const DAY = 86_400;

describe("the end of a lock-up", () => {
  const hours = (which: Hours): Pick<Venue, "state"> => {
    const calendar = calendarOf(which);
    const state: Venue["state"] = (at) => {
      const { session, phase, endsAt } = calendar.at(at);
      const [opensAt, closesAt] = [epochMs(calendar.opensAt(session)), epochMs(calendar.closesAt(session))];
      return { universe: "", phase, phaseEndsAt: endsAt === null ? null : epochMs(endsAt), opensAt, closesAt, simulated: true };
    };
    return { state };
  };
  /** Friday, 27 November 2026, 10:00 in Taipei. */
  const friday = Date.UTC(2026, 10, 27, 2);

  it.each([
    ["taiwan", 600, "2026.11.27 10:10:00"],
    // Monday's pre-open, and the third trading day after Friday.
    ["taiwan", DAY, "2026.11.30 08:30:00"],
    ["taiwan", 3 * DAY, "2026.12.02 08:30:00"],
    ["always", DAY, "2026.11.28 00:00:00"],
    ["compressed", DAY, "2026.11.27 10:10:00"],
  ] as const)("%s, %i seconds: until %s", (which, seconds, until) => {
    expect(formatDateTime(lockedUntil(hours(which), friday, seconds) ?? 0)).toBe(until);
  });
});
