/**
 * Computes a day's volatility halts in advance: after a sudden price move an instrument does not match for a while and resumes with
 * an auction.
 */
import type { StabilityRule } from "#server/venue/calendar/session-rules.ts";

/** Minutes `from` up to, not including, `until` have no trades; orders collected in them execute in an auction when `until` begins. */
export interface VolatilityHalt {
  from: number;
  until: number;
  /** The auction price. */
  price: number;
  /** The range the day must have covered by the end of the minute it resumes in. */
  high: number;
  low: number;
}

/** A day before any halt: prices at the minute borders, lots of the minutes, and their ranges. */
export interface UnhaltedDay {
  marks: Float64Array;
  traded: Int32Array;
  /** Minutes of continuous trading. */
  continuous: number;
  /** The range and the average price of a minute. */
  range(minute: number, from: number, lots: number): { high: number; low: number; mean: number };
  /** The marks at which the path's control points lie. */
  turningMarks: readonly number[];
  /** The price at a mark that `marks` has no price for, because nothing trades there. */
  priceAt(mark: number): number;
}

/** Fewer lots than this cannot show the whole range that was held back by a halt. */
const MIN_RESUME_LOTS = 4;

/**
 * Computes the halts of a day. A move that the closing auction would interrupt anyway causes none. `delayed`: the one the day begins with, because
 * its open is put off.
 */
export function volatilityHalts(
  { marks, traded, continuous, range, turningMarks, priceAt }: UnhaltedDay,
  rule: StabilityRule,
  delayed: VolatilityHalt | null = null,
): VolatilityHalt[] {
  const halts: VolatilityHalt[] = [];
  const lots = new Float64Array(continuous);
  const turnover = new Float64Array(continuous);
  const count = (minute: number, from: number, size: number): { high: number; low: number } => {
    const bar = range(minute, from, size);
    lots[minute] = size;
    turnover[minute] = size * bar.mean;
    return bar;
  };
  const heldIn = (from: number, until: number): number => {
    let held = 0;
    for (let at = from; at <= until; at += 1) held += traded[at] ?? 0;
    return held;
  };
  if (delayed) {
    halts.push(delayed);
    count(delayed.until, delayed.price, heldIn(delayed.from, delayed.until));
  }
  for (let minute = delayed ? delayed.until + 1 : 0; minute < continuous; minute += 1) {
    const size = traded[minute] ?? 0;
    if (size === 0) continue;
    const { high, low } = count(minute, marks[minute] ?? 0, size);
    let windowLots = 0;
    let windowTurnover = 0;
    for (let at = Math.max(0, minute - rule.windowMinutes); at < minute; at += 1) {
      windowLots += lots[at] ?? 0;
      windowTurnover += turnover[at] ?? 0;
    }
    const tolerance = (windowTurnover * rule.perMille) / 1000;
    if (windowLots === 0 || (high * windowLots <= windowTurnover + tolerance && low * windowLots >= windowTurnover - tolerance)) continue;
    const until = minute + rule.pauseMinutes;
    if (until >= continuous - 1) break;
    const held = heldIn(minute, until);
    if (held < MIN_RESUME_LOTS) continue;
    const inside = turningMarks.filter((mark) => mark > minute && mark <= until);
    const price = priceAt(inside.at(-1) ?? until);
    const prices = [price, ...inside.map((mark) => priceAt(mark))];
    halts.push({ from: minute, until, price, high: Math.max(...prices), low: Math.min(...prices) });
    lots[minute] = 0;
    turnover[minute] = 0;
    count(until, price, held);
    minute = until;
  }
  return halts;
}

/** The open that is put off to a minute, as a halt that the day begins with; null where it is not. */
export function delayedOpen(
  until: number,
  open: number,
  turningMarks: readonly number[],
  priceAt: (mark: number) => number,
): VolatilityHalt | null {
  if (until === 0) return null;
  const prices = [open, ...turningMarks.filter((mark) => mark <= until).map(priceAt)];
  return { from: 0, until, price: open, high: Math.max(...prices), low: Math.min(...prices) };
}

/** Moves the lots of halted minutes to the minute that resumes, if that comes before `end`. */
export function moveHaltedLots(halts: readonly VolatilityHalt[], traded: Int32Array, end: number): void {
  for (const { from, until } of halts) {
    for (let minute = from; minute < Math.min(until, end); minute += 1) {
      if (until < end) traded[until] = (traded[until] ?? 0) + (traded[minute] ?? 0);
      traded[minute] = 0;
    }
  }
}
