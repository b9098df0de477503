/**
 * Closes that are put off (暫緩收盤): where a large order in the last minute of the closing call makes the trial price leap by more than the rule's
 * percentage, the call is held some minutes later, so that others can answer. Their answers bring the price back to where it closes. Decided on the
 * market's own trial prices: nobody can put off a close.
 */
import type { Kind } from "#contract/instrument.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { UNLIMITED } from "./daily-process.ts";
import type { Day, InstrumentModel } from "./daily-process.ts";
import { trialPrice } from "./delayed-open.ts";
import type { Leap, TrialCourse } from "./delayed-open.ts";

/** The first day with the rule: what had been live before it stays as it was. */
const SINCE = Date.UTC(2026, 11, 2) / DAY_MS;

/** In how many of the calls a large order comes so late, and by which part it moves the trial price. */
const LATE_PART = 1 / 300;
const LEAST_LEAP = 0.038;
const MOST_LEAP = 0.07;

/** The close of a day that is put off. */
export interface LateClosing {
  leap: Leap;
  /** The trial price when the call was due. */
  trial: number;
  /** The minute that the call was due with, and the one it is held with. */
  due: number;
  minute: number;
}

/** The closing call of a session. `from` is asked for only where something comes late. */
interface Closing extends Pick<TrialCourse, "to" | "deviation" | "limits"> {
  kind: Kind;
  key: Key;
  calendar: Calendar;
  session: number;
  from: () => number;
}

/** The close of a session that is put off, drawn from its key alone; null where it is on time. */
function lateClosing({ kind, key, calendar, session, from, to, deviation, limits }: Closing): LateClosing | null {
  const { minutes, continuous, minuteMs, hours } = calendar;
  const { stability, trialMs } = VENUE_RULES[hours];
  if (!limits || kind !== "stock" || continuous >= minutes || calendar.dayOf(session) < SINCE) return null;
  const draw = key.draw(PURPOSE.lateLeap, session);
  if (unit(mix(draw, 1)) >= LATE_PART) return null;
  const due = minutes - 1;
  const steps = ((due - continuous) * minuteMs) / trialMs;
  const watched = steps - Math.floor(stability.watchMs / trialMs);
  const by = LEAST_LEAP + (MOST_LEAP - LEAST_LEAP) * unit(mix(draw, 2));
  const step = watched + 1 + Math.floor((steps - watched - 1) * unit(mix(draw, 3)));
  const leap = { step, factor: (mix(draw, 4) & 1) === 0 ? 1 + by : 1 - by };
  const course = { kind, from: from(), to, deviation, limits, late: null, leap };
  const at = (nth: number): number => trialPrice(course, nth, nth / steps, key.draw(PURPOSE.call, session, minutes, 1 + nth));
  const before = at(step - 1);
  // At a limit it cannot go further.
  if (Math.abs(at(step) - before) * 1000 <= before * stability.perMille) return null;
  return { leap, trial: at(steps - 1), due, minute: due + stability.closeMinutes };
}

/** A path through a session. */
interface ClosingPath {
  day: Day;
  calls: object | null;
  mark(minute: number): number;
}

/** The same of a path; null also on a day of calls, and under other rules of prices. */
export function closingOf(path: ClosingPath, model: InstrumentModel): LateClosing | null {
  const { calendar, earlier, kind, parameters } = model;
  const { session, close, reference, deviation, up, down } = path.day;
  if (path.calls || (earlier && session < earlier.until)) return null;
  const limits = up === UNLIMITED.up ? null : { up, down };
  const from = (): number => path.mark(calendar.continuous);
  return lateClosing({ kind, key: parameters.key, calendar, session, from, to: close, deviation: deviation * reference, limits });
}

/** The minute of the clock that a minute of a path trades in: a close that is put off trades later than its minute. */
export const minuteOnClock = ({ closing }: { closing: LateClosing | null }, minute: number): number =>
  closing?.due === minute ? closing.minute : minute;

/** When the calls of a session are held that were put off. */
export const lateCloseAt = (calendar: Calendar, session: number): number =>
  calendar.closesAt(session) + VENUE_RULES[calendar.hours].stability.closeMinutes * calendar.minuteMs;
