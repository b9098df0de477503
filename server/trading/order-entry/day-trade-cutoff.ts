/** When today's open day trades are squared off. */
import { SECOND_MS, epochMs } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";

/** Upper bound for the end of a market whose calendar has none. */
const FAR_MS = 8_640_000_000_000_000;

/** On a compressed day the square-off takes at most this fraction of it. */
const SHORTEST_PART = 10;

/** The square-off time before the end of today's continuous trading; null after it, and when the end is unknown. */
export function squareOffAt(venue: Pick<Venue, "state">, at: number, seconds: number): EpochMs | null {
  const now = venue.state(at);
  const open = now.phase === "preOpen" && now.phaseEndsAt !== null ? venue.state(now.phaseEndsAt) : now;
  if (open.phase !== "open") return null;
  const endsAt = open.phaseEndsAt ?? open.closesAt;
  if (endsAt >= FAR_MS) return null;
  return epochMs(endsAt - Math.min(seconds * SECOND_MS, (endsAt - open.opensAt) / SHORTEST_PART));
}

/** Tells whether a day trade may still be opened: there is time left to square it off. */
export function mayBegin(venue: Pick<Venue, "state">, at: number, seconds: number): boolean {
  const { phase } = venue.state(at);
  const until = squareOffAt(venue, at, seconds);
  return (phase === "preOpen" || phase === "open") && (until === null || at < until);
}
