/**
 * Opens that are put off (暫緩開盤): where large orders come in the last minute before the open, the trial price leaps; beyond the rule's
 * percentage the call is held some minutes later, so that others can answer. Decided on the market's own trial prices: nobody can put off an open.
 */
import type { Kind } from "#contract/instrument.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { toTick } from "#contract/tick.ts";
import { VENUE_RULES } from "#server/venue/calendar/session-rules.ts";
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { mix, normal, unit } from "#server/venue/seeded-random.ts";

/** The first day with the rule: what had been live before it stays as it was. */
const SINCE = Date.UTC(2026, 10, 30) / DAY_MS;

/** How many of the large gaps come late, and how much of such a gap shows before, at most. */
const LATE_PART = 1 / 6;
const MOST_SEEN = 0.4;

/** The trial price before it settles wanders by so much of the day's deviation. */
const WANDER = 0.3;

/** A gap most of which comes with the orders of one moment: the part that shows before, and the trial match that shows the rest. */
export interface LateGap {
  seen: number;
  step: number;
}

/** A leap of the trial price, by a factor from one trial match on. */
export interface Leap {
  step: number;
  factor: number;
}

/** How the trial prices of a call go from a price to that of the call. */
export interface TrialCourse {
  kind: Kind;
  from: number;
  to: number;
  /** The day's deviation in price units. */
  deviation: number;
  limits: { up: number; down: number } | null;
  late: LateGap | null;
  leap?: Leap | null;
}

/** A trial price: `done`, the part of the call's time that is over; `bits`, its draw. */
export function trialPrice(
  { kind, from, to, deviation, limits, late, leap }: TrialCourse,
  step: number,
  done: number,
  bits: number,
): number {
  const seen = late && step < late.step ? late.seen : 1;
  const target = from + (to - from) * seen * done + WANDER * deviation * normal(bits) * (1 - done);
  const onTick = toTick(kind, Math.round(leap && step >= leap.step ? target * leap.factor : target));
  return limits ? Math.min(limits.up, Math.max(limits.down, onTick)) : onTick;
}

/** The opening of a day on which a gap comes late. */
export interface LateOpening {
  late: LateGap;
  /** The trial price at the end of the time for the call. */
  trial: number;
  /** The minute that begins with the call: 0 where it is on time. */
  minute: number;
}

/** The calls of a session's open, from the first trial match to the call. */
interface Opening extends Omit<TrialCourse, "late"> {
  key: Key;
  calendar: Calendar;
  session: number;
}

/** The opening of a session, drawn from its key alone; null where nothing comes late. */
export function lateOpening({ key, calendar, session, ...course }: Opening): LateOpening | null {
  const { stability, trialMs } = VENUE_RULES[calendar.hours];
  const { from, to, limits } = course;
  const beyond = (price: number, basis: number): boolean => Math.abs(price - basis) * 1000 > basis * stability.perMille;
  if (!limits || calendar.continuous >= calendar.minutes || !beyond(to, from) || calendar.dayOf(session) < SINCE) return null;
  const draw = key.draw(PURPOSE.lateGap, session);
  if (unit(mix(draw, 1)) >= LATE_PART) return null;
  const steps = (calendar.opensAt(session) - calendar.acceptsOrdersAt(session)) / trialMs;
  const watched = steps - Math.floor(stability.watchMs / trialMs);
  const late = { seen: MOST_SEEN * unit(mix(draw, 2)), step: watched + 1 + Math.floor((steps - watched - 1) * unit(mix(draw, 3))) };
  const at = (step: number): number => trialPrice({ ...course, late }, step, step / steps, key.draw(PURPOSE.call, session, 0, 1 + step));
  const basis = at(watched);
  let isPutOff = false;
  for (let step = watched + 1; step < steps && !isPutOff; step += 1) isPutOff = beyond(at(step), basis);
  return { late, trial: to, minute: isPutOff ? stability.pauseMinutes : 0 };
}
