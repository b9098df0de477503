/**
 * A component of prices: what the whole market, an industry or one instrument adds to them. Its day is drawn from the key alone, and
 * whatever is known of it, its next move is zero on average: nothing that happened tells what will. The bare path of a day is a Brownian
 * bridge from its open to its close; the gap at the open and the jumps are added to it.
 */
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { mix, normal, unit } from "#server/venue/seeded-random.ts";
import { SEGMENTS } from "./day-clock.ts";
import type { DayClock } from "./day-clock.ts";
import { Regime } from "./regime.ts";

/** The part of a day's variance that comes with the open. */
export const GAP_PART = 0.4;
/** The part of the jumps that come with it. */
export const OPEN_JUMPS = 0.6;
/** The widest day of a component in the calm before known prices. */
const CALM_DEVIATION = 0.016;

/** Jumps on news: how likely one is on a day in a regime, how many go up, and how far they go on average either way. */
export interface Jumps {
  chance(regime: number): number;
  up: number;
  meanUp: number;
  meanDown: number;
}

export interface ComponentModel {
  /** The long-run standard deviation of a day, without jumps. */
  deviation: number;
  /** How far regimes are apart, from 1 on. */
  roughness: number;
  /** Degrees of freedom of the day's Student distribution; null for a normal one. */
  tails: number | null;
  jumps: Jumps | null;
  /** Further factors of a session's variance. */
  variance?: (session: number) => number;
}

/** The day of a component, in log returns. */
export interface ComponentDay {
  session: number;
  /** The standard deviation it was drawn with, without jumps. */
  deviation: number;
  /** The regime of the session. */
  regime: number;
  /** From the reference to the open, with the jump that came overnight. */
  gap: number;
  /** From the open to the close, without jumps. */
  rest: number;
  /** The jump during the day, and when by the day's clock: past its end on a day without one. */
  jump: number;
  jumpAt: number;
  /** Added evenly over the day until a jump comes, so that the jumps move the price by nothing on average. */
  drift: number;
}

/** The average change of the price in a jump. */
const meanJumpOf = ({ up, meanUp, meanDown }: Jumps): number => up / (1 - meanUp) + (1 - up) / (1 + meanDown) - 1;

/** Draws how many times the usual variance a day has whose moves are to follow a Student distribution (Wilson and Hilferty). */
function tailOf(freedom: number): (draw: number) => number {
  const width = 2 / (9 * freedom);
  const root = Math.sqrt(width);
  return (draw) => {
    const one = 1 - width + draw * root;
    return (freedom - 2) / (freedom * one * one * one);
  };
}

/** What the jumps have added to the bare path up to a moment of the day's clock. */
export const jumpedBy = ({ jump, jumpAt, drift }: ComponentDay, passed: number): number =>
  passed >= jumpAt ? jump + drift * jumpAt : drift * passed;

/** The jump that comes after one moment of the day's clock and up to another; 0 without one. */
export const jumpIn = ({ jump, jumpAt }: ComponentDay, after: number, until: number): number =>
  jumpAt > after && jumpAt <= until ? jump : 0;

/** The whole day's move. */
export const moveOf = (day: ComponentDay): number => day.gap + day.rest + jumpedBy(day, 1);

/** Multiples of the usual variance that days have, and how likely each is, where a day's draw is the sum of three even ones. */
export interface Tails {
  multiples: readonly number[];
  chances: readonly number[];
}

const TAIL_STEPS = 12;
const CERTAIN: Tails = { multiples: [1], chances: [1] };

/** The multiples that a tail draws: one of each part of the range of its draw. */
function tailsOf(tail: (draw: number) => number): Tails {
  const draws = Array.from({ length: TAIL_STEPS }, (_, nth) => (6 * (nth + 0.5)) / TAIL_STEPS - 3);
  const likely = draws.map((draw) => (Math.abs(draw) < 1 ? (3 - draw * draw) / 8 : (3 - Math.abs(draw)) ** 2 / 16));
  const all = likely.reduce((sum, one) => sum + one, 0);
  return { multiples: draws.map(tail), chances: likely.map((one) => one / all) };
}

/** A distribution of days: what its tail makes of a draw, and the multiples that this draws. */
interface Tail {
  of: ((draw: number) => number) | null;
  tails: Tails;
}

const NORMAL: Tail = { of: null, tails: CERTAIN };
/** Those of Student distributions, by degrees of freedom: all stocks have the same. */
const students = new Map<number, Tail>();

function distributionOf(freedom: number | null): Tail {
  if (freedom === null) return NORMAL;
  let found = students.get(freedom);
  if (!found) {
    const of = tailOf(freedom);
    found = { of, tails: tailsOf(of) };
    students.set(freedom, found);
  }
  return found;
}

const FLAT: readonly number[] = Array.from({ length: SEGMENTS + 2 }, () => 0);
const GAP_ROOT = Math.sqrt(GAP_PART);
const REST_ROOT = Math.sqrt(1 - GAP_PART);

/** Draws the path between the ends of a day at a mark between two others. */
function between(clock: DayClock, key: Key, { session, deviation }: ComponentDay, mid: number, below: number, above: number): number {
  const scale = deviation * REST_ROOT * (clock.bridgeDeviation[mid] ?? 0);
  return below + (above - below) * (clock.bridgeShare[mid] ?? 0) + scale * normal(key.draw(PURPOSE.path, session, mid));
}

/** The bare path at the ends of the segments and, last, at the close. */
export function barePath(clock: DayClock, key: Key, day: ComponentDay): number[] {
  const at = FLAT.slice();
  const { continuous, minutes, nodes } = clock;
  at[SEGMENTS + 1] = day.rest;
  at[SEGMENTS] = continuous < minutes ? between(clock, key, day, continuous, 0, day.rest) : day.rest;
  for (let step = SEGMENTS / 2; step >= 1; step /= 2)
    for (let nth = step; nth < SEGMENTS; nth += 2 * step)
      at[nth] = between(clock, key, day, nodes[nth] ?? 0, at[nth - step] ?? 0, at[nth + step] ?? 0);
  return at;
}

/** The bare path at one mark within a segment. */
export function bareAt(clock: DayClock, key: Key, day: ComponentDay, bare: readonly number[], segment: number, mark: number): number {
  let lo = clock.nodes[segment] ?? 0;
  let hi = clock.nodes[segment + 1] ?? 0;
  let below = bare[segment] ?? 0;
  let above = bare[segment + 1] ?? 0;
  if (mark <= lo) return below;
  if (mark >= hi) return above;
  while (true) {
    const mid = (lo + hi) >> 1;
    const middle = between(clock, key, day, mid, below, above);
    if (mid === mark) return middle;
    if (mark < mid) {
      hi = mid;
      above = middle;
    } else {
      lo = mid;
      below = middle;
    }
  }
}

/** Fills in the marks between two whose values are there. */
function fill(into: Float64Array, lo: number, hi: number, clock: DayClock, key: Key, day: ComponentDay): void {
  if (hi - lo < 2) return;
  const mid = (lo + hi) >> 1;
  into[mid] = between(clock, key, day, mid, into[lo] ?? 0, into[hi] ?? 0);
  fill(into, lo, mid, clock, key, day);
  fill(into, mid, hi, clock, key, day);
}

/** Fills in the bare path at the marks of a segment, its ends included. */
export function fillSegment(
  into: Float64Array,
  clock: DayClock,
  key: Key,
  day: ComponentDay,
  bare: readonly number[],
  segment: number,
): void {
  const [lo, hi] = [clock.nodes[segment] ?? 0, clock.nodes[segment + 1] ?? 0];
  into[lo] = bare[segment] ?? 0;
  into[hi] = bare[segment + 1] ?? 0;
  fill(into, lo, hi, clock, key, day);
}

export class Component {
  readonly key: Key;
  readonly #model: ComponentModel;
  readonly #regime: Regime;
  readonly #calm: readonly [after: number, until: number];
  readonly #meanJump: number;
  readonly #tail: ((draw: number) => number) | null;
  /** What days multiply the variance of their regime by. */
  readonly tails: Tails;
  readonly #drawn = new Int32Array(4);
  /** By regime: the chance of a jump, and what a jump overnight adds on average. */
  readonly #chances = new Map<number, { chance: number; overnightMean: number }>();
  #day: ComponentDay | null = null;

  /** Sessions `after` one up to `until` another are calm: at their end every price is a known one. */
  constructor(key: Key, model: ComponentModel, calm: readonly [after: number, until: number]) {
    this.key = key;
    this.#model = model;
    this.#regime = new Regime(key, 0, model.roughness);
    this.#calm = calm;
    const { of, tails } = distributionOf(model.tails);
    this.#tail = of;
    this.tails = tails;
    this.#meanJump = model.jumps ? meanJumpOf(model.jumps) : 0;
  }

  day(session: number): ComponentDay {
    if (this.#day?.session !== session) this.#day = this.#draw(session);
    return this.#day;
  }

  get jumps(): Jumps | null {
    return this.#model.jumps;
  }

  get deviation(): number {
    return this.#model.deviation;
  }

  /** The variance of a later day on average, but for its tail and jumps, for who knows all up to a session. */
  expectedVariance(session: number, ahead: number): number {
    return this.#model.deviation ** 2 * this.#regime.expected(session, ahead, (level) => level);
  }

  /** What the variances of two later days have together on average, but for their tails. */
  variancesTogether(session: number, near: number, far: number): number {
    return this.#model.deviation ** 4 * this.#regime.together(session, near, far);
  }

  /** The first day whose variance has with one so many days ahead what it has not with the day before that. */
  endedSince(session: number, far: number): number {
    return this.#regime.endedSince(session, far);
  }

  /** How likely a jump is on a later day, for who knows all up to a session; on the day itself where `ahead` is 0. */
  expectedChance(session: number, ahead: number): number {
    const { jumps } = this.#model;
    return jumps ? this.#regime.expected(session, ahead, (level) => jumps.chance(level)) : 0;
  }

  #draw(session: number): ComponentDay {
    const drawn = this.#drawn;
    const { deviation: usual, jumps, variance: further } = this.#model;
    this.key.drawAll(drawn, PURPOSE.shock, session);
    const calm = session > this.#calm[0] && session <= this.#calm[1];
    const regime = this.#regime.at(session);
    const tail = this.#tail?.(normal(drawn[2] ?? 0)) ?? 1;
    const variance = calm ? Math.min(usual, CALM_DEVIATION) ** 2 : usual * usual * regime * tail * (further?.(session) ?? 1);
    const deviation = Math.sqrt(variance);
    const day: ComponentDay = {
      session,
      deviation,
      regime,
      gap: deviation * GAP_ROOT * normal(drawn[0] ?? 0) - (GAP_PART * variance) / 2,
      rest: deviation * REST_ROOT * normal(drawn[1] ?? 0) - ((1 - GAP_PART) * variance) / 2,
      jump: 0,
      jumpAt: Infinity,
      drift: 0,
    };
    if (jumps && !calm) this.#addJumps(day, jumps, drawn[3] ?? 0);
    return day;
  }

  /** Jumps come beside the path: inside it the path would run towards them. */
  #addJumps(day: ComponentDay, jumps: Jumps, draw: number): void {
    const { session, regime } = day;
    const { chance, overnightMean } = this.#chanceIn(jumps, regime);
    const overnight = OPEN_JUMPS * chance;
    const during = chance - overnight;
    day.gap -= overnightMean;
    day.drift = -during * this.#meanJump;
    if (unit(draw) < overnight) day.gap += this.#jump(jumps, session, 1);
    // The time until a jump is exponential. On most days it is past the close, which shows without a logarithm.
    const wait = unit(this.key.draw(PURPOSE.jump, session, 0));
    if (wait < 1 - during) return;
    day.jumpAt = -Math.log(wait) / during;
    if (day.jumpAt <= 1) day.jump = this.#jump(jumps, session, 2);
  }

  #chanceIn(jumps: Jumps, regime: number): { chance: number; overnightMean: number } {
    let found = this.#chances.get(regime);
    if (!found) {
      const chance = jumps.chance(regime);
      found = { chance, overnightMean: Math.log1p(OPEN_JUMPS * chance * this.#meanJump) };
      this.#chances.set(regime, found);
    }
    return found;
  }

  #jump({ up, meanUp, meanDown }: Jumps, session: number, which: number): number {
    const bits = this.key.draw(PURPOSE.jump, session, which);
    const size = -Math.log(Math.max(unit(mix(bits, 1)), 1e-10));
    return unit(bits) < up ? size * meanUp : -size * meanDown;
  }
}
