/** Pauses: an instrument whose price leaps is not matched for a while and then called, worked out from its day before anybody trades it. */
import type { StabilityRule } from "#server/venue/calendar/session-rules.ts";

/** Minutes `from` up to, not including, `until` are silent; what was gathered in them is executed in a call when `until` begins. */
export interface VolatilityHalt {
  from: number;
  until: number;
  /** What the call strikes. */
  price: number;
  /** How far the day must have gone by the end of the minute it resumes in. */
  high: number;
  low: number;
}

/** A day before any pause: prices at the minutes' borders, lots of the minutes, and their bars' reach. */
export interface Unpaused {
  marks: Float64Array;
  traded: Int32Array;
  /** The minutes that take part in continuous trading. */
  continuous: number;
  /** The reach and the average price of a minute. */
  reach(minute: number, from: number, lots: number): { high: number; low: number; mean: number };
  /** The borders at which the day's own turning points lie. */
  turns: readonly number[];
  /** The price at a border where nobody trades, and `marks` has none. */
  priceAt(mark: number): number;
}

/** So few lots show no more than a price or two: not enough to show what a pause has held back. */
const LEAST_LOTS = 4;

/** Work out the pauses of a day. A leap that the closing auction would interrupt anyway is none. */
export function volatilityHalts({ marks, traded, continuous, reach, turns, priceAt }: Unpaused, rule: StabilityRule): VolatilityHalt[] {
  const pauses: VolatilityHalt[] = [];
  const lots = new Float64Array(continuous);
  const money = new Float64Array(continuous);
  const count = (minute: number, from: number, some: number): { high: number; low: number } => {
    const bar = reach(minute, from, some);
    lots[minute] = some;
    money[minute] = some * bar.mean;
    return bar;
  };
  for (let minute = 0; minute < continuous; minute += 1) {
    const some = traded[minute] ?? 0;
    if (some === 0) continue;
    const { high, low } = count(minute, marks[minute] ?? 0, some);
    let before = 0;
    let paid = 0;
    for (let at = Math.max(0, minute - rule.windowMinutes); at < minute; at += 1) {
      before += lots[at] ?? 0;
      paid += money[at] ?? 0;
    }
    const far = (paid * rule.perMille) / 1000;
    if (before === 0 || (high * before <= paid + far && low * before >= paid - far)) continue;
    const until = minute + rule.pauseMinutes;
    if (until >= continuous - 1) break;
    let held = 0;
    for (let at = minute; at <= until; at += 1) held += traded[at] ?? 0;
    if (held < LEAST_LOTS) continue;
    const inside = turns.filter((mark) => mark > minute && mark <= until);
    const price = priceAt(inside.at(-1) ?? until);
    const prices = [price, ...inside.map((mark) => priceAt(mark))];
    pauses.push({ from: minute, until, price, high: Math.max(...prices), low: Math.min(...prices) });
    lots[minute] = 0;
    money[minute] = 0;
    count(until, price, held);
    minute = until;
  }
  return pauses;
}
