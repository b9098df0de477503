/** The schedule of news editions within a session. */
import { MINUTE_MS } from "#contract/kernel/time.ts";

/** A session is divided into this many intervals; each border is an edition, the first a little later, the last at the close. */
const INTERVALS = 12;
/** The opening edition waits until the first trades are in. */
const OPENING_DELAY_MS = 5 * MINUTE_MS;

export const OPENING = 0;
export const MIDDAY = INTERVALS / 2;
export const CLOSING = INTERVALS;

export interface Session {
  opensAt: number;
  closesAt: number;
}

/** When an edition is published; a full minute. */
export function momentOf(nth: number, { opensAt, closesAt }: Session): number {
  if (nth === OPENING) return opensAt + OPENING_DELAY_MS;
  const moment = opensAt + ((closesAt - opensAt) * nth) / INTERVALS;
  return moment - (moment % MINUTE_MS);
}

/** Whether an edition summarises more than the interval before it. */
export const isSummary = (nth: number): boolean => nth === MIDDAY || nth === CLOSING;

/** The editions of a session due at a moment, in order; of a session that is over only the summaries and the opening. */
export function dueAt(now: number, session: Session, ended: boolean): number[] {
  const all = ended ? [OPENING, MIDDAY, CLOSING] : Array.from({ length: INTERVALS + 1 }, (_, nth) => nth);
  return all.filter((nth) => momentOf(nth, session) <= now);
}
