/** When the newsroom goes to print: the moments of a session that have an edition. */
import { MINUTE_MS } from "#contract/kernel/time.ts";

/** A session is parted into this many stretches; each border is an edition, the first a little later, the last at the close. */
const STRETCHES = 12;
/** Opening prices are told when the first trades are in. */
const OPENING_MS = 5 * MINUTE_MS;

export const OPENING = 0;
export const MIDDAY = STRETCHES / 2;
export const CLOSING = STRETCHES;

export interface Session {
  opensAt: number;
  closesAt: number;
}

/** When an edition goes to print; a full minute. */
export function momentOf(nth: number, { opensAt, closesAt }: Session): number {
  if (nth === OPENING) return opensAt + OPENING_MS;
  const moment = opensAt + ((closesAt - opensAt) * nth) / STRETCHES;
  return moment - (moment % MINUTE_MS);
}

/** Whether an edition looks back on more than the stretch before it. */
export const sumsUp = (nth: number): boolean => nth === MIDDAY || nth === CLOSING;

/** The editions of a session that were due at a moment, in order; of one that is over only those that sum it up. */
export function dueAt(now: number, session: Session, over: boolean): number[] {
  const all = over ? [OPENING, MIDDAY, CLOSING] : Array.from({ length: STRETCHES + 1 }, (_, nth) => nth);
  return all.filter((nth) => momentOf(nth, session) <= now);
}
