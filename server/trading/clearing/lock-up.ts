/** The lock-up of a purchase: how long it cannot be sold. */
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";

/** An upper bound of the phases of a day. */
const MAX_PHASES = 16;

/** When the next trading day begins; null if the venue's calendar has none. */
function nextDay(venue: Pick<Venue, "state">, at: number): number | null {
  const { opensAt } = venue.state(at);
  let moment = at;
  for (let hop = 0; hop < MAX_PHASES; hop += 1) {
    const { phaseEndsAt, closesAt } = venue.state(moment);
    const next = phaseEndsAt ?? closesAt;
    if (next <= moment) return null;
    if (venue.state(next).opensAt !== opensAt) return next;
    moment = next;
  }
  return null;
}

/** When a purchase made now is unlocked. Locks of a day or more count in trading days after this one, shorter ones in seconds. */
export function lockedUntil(venue: Pick<Venue, "state">, at: number, lockSeconds: number): number | null {
  if (lockSeconds <= 0) return null;
  const lockMs = lockSeconds * SECOND_MS;
  if (lockMs < DAY_MS) return at + lockMs;
  let moment: number | null = at;
  for (let days = Math.ceil(lockMs / DAY_MS); moment !== null && days > 0; days -= 1) moment = nextDay(venue, moment);
  return moment ?? at + lockMs;
}
