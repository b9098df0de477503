/** The clock of a session: how much of the day's variance between open and close has passed at each minute border. */
import type { Calendar } from "#server/venue/calendar/trading-calendar.ts";

/** The path is drawn at the ends of so many parts of continuous trading first; a day's range needs no more. A power of two. */
export const SEGMENTS = 8;
/** How much of the day's variance the closing auction has, in minutes of the middle of the day. */
const CLOSING_MOVE = 8;

/** How much the price moves in a minute: most near both ends; a market around the clock also in the Taiwan morning. */
function pace({ continuous, minutes }: Calendar, minute: number): number {
  const place = Math.min(1, minute / (continuous - 1));
  const ends = (2 * place - 1) ** 4;
  if (continuous < minutes) return minute === minutes - 1 ? CLOSING_MOVE : minute >= continuous ? 0 : 0.6 + 2.6 * ends;
  return 0.7 + 1.6 * ends + (minute >= 540 && minute <= 810 ? 0.9 : 0);
}

export class DayClock {
  readonly minutes: number;
  /** Minutes of continuous trading: from there the price stands still until the closing auction. */
  readonly continuous: number;
  /** The part of the variance that has passed at each mark: 0 at the open, 1 at the close. */
  readonly passed: Float64Array;
  /** By mark, of the Brownian bridge over the interval that it halves: how far along it is, and its standard deviation there. */
  readonly bridgeShare: Float64Array;
  readonly bridgeDeviation: Float64Array;
  /** The marks at the ends of the segments. */
  readonly nodes: Int32Array;

  constructor(calendar: Calendar) {
    const { minutes, continuous } = calendar;
    this.minutes = minutes;
    this.continuous = continuous;
    this.passed = new Float64Array(minutes + 1);
    for (let minute = 0; minute < minutes; minute += 1) this.passed[minute + 1] = (this.passed[minute] ?? 0) + pace(calendar, minute);
    const total = this.passed[minutes] ?? 1;
    this.passed.forEach((sum, mark) => (this.passed[mark] = sum / total));
    this.bridgeShare = new Float64Array(minutes + 1);
    this.bridgeDeviation = new Float64Array(minutes + 1);
    this.nodes = new Int32Array(SEGMENTS + 1);
    if (continuous < minutes) this.#bridge(0, continuous, minutes);
    this.#halve(0, continuous);
    this.nodes[SEGMENTS] = continuous;
    this.#markNodes(0, SEGMENTS);
  }

  #bridge(lo: number, mid: number, hi: number): void {
    const [from, at, to] = [this.passed[lo] ?? 0, this.passed[mid] ?? 0, this.passed[hi] ?? 0];
    this.bridgeShare[mid] = (at - from) / (to - from);
    this.bridgeDeviation[mid] = Math.sqrt(((at - from) * (to - at)) / (to - from));
  }

  #halve(lo: number, hi: number): void {
    if (hi - lo < 2) return;
    const mid = (lo + hi) >> 1;
    this.#bridge(lo, mid, hi);
    this.#halve(lo, mid);
    this.#halve(mid, hi);
  }

  #markNodes(from: number, to: number): void {
    if (to - from < 2) return;
    const middle = (from + to) >> 1;
    this.nodes[middle] = ((this.nodes[from] ?? 0) + (this.nodes[to] ?? 0)) >> 1;
    this.#markNodes(from, middle);
    this.#markNodes(middle, to);
  }
}

/** The mark inside a segment where a path is highest or lowest. */
export function furthestIn({ nodes }: DayClock, path: Float64Array, segment: number, sign: 1 | -1): number {
  const from = (nodes[segment] ?? 0) + 1;
  let best = from;
  for (let mark = from; mark < (nodes[segment + 1] ?? 0); mark += 1) if (sign * ((path[mark] ?? 0) - (path[best] ?? 0)) > 0) best = mark;
  return best;
}

const clocks = new Map<string, DayClock>();

/** The clock of a calendar's sessions; equal for all of them. */
export function clockOf(calendar: Calendar): DayClock {
  let clock = clocks.get(calendar.hours);
  if (!clock) clocks.set(calendar.hours, (clock = new DayClock(calendar)));
  return clock;
}
