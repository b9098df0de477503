/** When the open day trades of today are squared off. */
import { SECOND_MS, epochMs } from "#contract/kernel/time.ts";
import type { EpochMs } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";

/** Beyond this no calendar reaches: the end of a market that has none. */
const FAR_MS = 8_640_000_000_000_000;

/** A day that is compressed has less time for everything: no more than this part of it is squaring off. */
const SHORTEST_PART = 10;

/** So long before the end of today's continuous trading; null after it, and where no end is in sight. */
export function squareOffAt(venue: Pick<Venue, "state">, at: number, seconds: number): EpochMs | null {
  const now = venue.state(at);
  const open = now.phase === "preOpen" && now.phaseEndsAt !== null ? venue.state(now.phaseEndsAt) : now;
  if (open.phase !== "open") return null;
  const endsAt = open.phaseEndsAt ?? open.closesAt;
  if (endsAt >= FAR_MS) return null;
  return epochMs(endsAt - Math.min(seconds * SECOND_MS, (endsAt - open.opensAt) / SHORTEST_PART));
}

/** Whether a day trade may still be begun: there is time left to square it in. */
export function mayBegin(venue: Pick<Venue, "state">, at: number, seconds: number): boolean {
  const { phase } = venue.state(at);
  const until = squareOffAt(venue, at, seconds);
  return (phase === "preOpen" || phase === "open") && (until === null || at < until);
}
