/** The shape of a day: where the price is between open and close at a few moments, and how far it goes between them. */
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { GAP_PART, bareAt, barePath, jumpedBy } from "./component.ts";
import type { ComponentDay } from "./component.ts";
import { SEGMENTS } from "./day-clock.ts";
import type { DayClock } from "./day-clock.ts";
import type { Factor } from "./factor-model.ts";

/** What moves the price in a session, besides the base it starts from. */
export interface Moves {
  own: ComponentDay;
  market: Factor;
  beta: number;
  group: Factor;
  gamma: number;
  /** The whole day's variance, of which the gap has a fixed part. */
  variance: number;
  /** Added over the day, so that following a factor more or less than once moves the price by nothing on average (Itô). */
  drift: number;
}

export interface DayShape {
  /** The own component's path without its gap and jumps, and the price's, at the ends of the segments and, last, at the close. */
  bare: readonly number[];
  at: readonly number[];
  /** The extremes of continuous trading, and the segments they are in. */
  high: number;
  low: number;
  highSegment: number;
  lowSegment: number;
}

/** The logarithm of the price over its base at one mark, from what its components are there. */
export function logPrice({ own, beta, gamma, drift }: Moves, bare: number, market: number, group: number, passed: number): number {
  return bare + own.gap + jumpedBy(own, passed) + beta * market + gamma * group + drift * (GAP_PART + (1 - GAP_PART) * passed);
}

/** The same at a mark within a segment. */
export function logAt(moves: Moves, key: Key, clock: DayClock, { bare }: DayShape, segment: number, mark: number): number {
  const { own, market, group } = moves;
  const value = bareAt(clock, key, own, bare, segment, mark);
  return logPrice(moves, value, market.path(own.session)[mark] ?? 0, group.path(own.session)[mark] ?? 0, clock.passed[mark] ?? 0);
}

/** The same at any mark of continuous trading. */
export function logAtMark(moves: Moves, key: Key, clock: DayClock, shape: DayShape, mark: number): number {
  const { nodes } = clock;
  let segment = 0;
  while (segment < SEGMENTS - 1 && mark >= (nodes[segment + 1] ?? 0)) segment += 1;
  if (mark === nodes[segment]) return shape.at[segment] ?? 0;
  if (mark === nodes[segment + 1]) return shape.at[segment + 1] ?? 0;
  return logAt(moves, key, clock, shape, segment, mark);
}

/** What overshoots a day's extremes is mirrored back. */
export const mirrored = ({ high, low }: Pick<DayShape, "high" | "low">, value: number): number =>
  value > high ? Math.max(low, 2 * high - value) : value < low ? Math.min(high, 2 * low - value) : value;

/** How far beyond both of its ends a path goes that varies by `variance` between them. */
function beyond(span: number, variance: number, draw: number): number {
  return (Math.sqrt(span * span - 2 * variance * Math.log(draw)) - Math.abs(span)) / 2;
}

/** The shape of a session. */
export function shapeOf(moves: Moves, key: Key, clock: DayClock): DayShape {
  const { passed, nodes, minutes } = clock;
  const { session } = moves.own;
  const bare = barePath(clock, key, moves.own);
  const market = moves.market.nodes(session);
  const group = moves.group.nodes(session);
  const at = bare.slice();
  for (let nth = 0; nth < at.length; nth += 1)
    at[nth] = logPrice(moves, at[nth] ?? 0, market[nth] ?? 0, group[nth] ?? 0, passed[nth > SEGMENTS ? minutes : (nodes[nth] ?? 0)] ?? 0);
  const shape: DayShape = { bare, at, high: -Infinity, low: Infinity, highSegment: 0, lowSegment: 0 };
  for (let segment = 0; segment < SEGMENTS; segment += 1) {
    const from = at[segment] ?? 0;
    const to = at[segment + 1] ?? 0;
    const part = (passed[nodes[segment + 1] ?? 0] ?? 0) - (passed[nodes[segment] ?? 0] ?? 0);
    const variance = moves.variance * (1 - GAP_PART) * part;
    const bits = key.draw(PURPOSE.bar, session, -1, segment);
    const high = Math.max(from, to) + beyond(to - from, variance, ((bits & 0xffff) + 0.5) / 0x10000);
    const low = Math.min(from, to) - beyond(to - from, variance, ((bits >>> 16) + 0.5) / 0x10000);
    if (high > shape.high) {
      shape.high = high;
      shape.highSegment = segment;
    }
    if (low < shape.low) {
      shape.low = low;
      shape.lowSegment = segment;
    }
  }
  return shape;
}
