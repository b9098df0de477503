/** Working days of the broker: those on which the exchange trades, and every other day on which this venue has a session. */
import { taipeiDay } from "#contract/kernel/time.ts";
import { tradesOn } from "#server/venue/calendar/trading-calendar.ts";
import type { Venue } from "#server/venue/venue.ts";

/** Tells whether the broker works on the Taipei day of a moment. */
export function isWorkingDay(venue: Pick<Venue, "state">, at: number): boolean {
  return tradesOn(taipeiDay(at)) || taipeiDay(venue.state(at).opensAt) === taipeiDay(at);
}
