/**
 * How far an index is going to move until an option on it expires, for who knows of every session what its prices have shown and of those to
 * come only what is likely. What is known is the state that each session was drawn in, never one that is still to come. The market itself
 * knows no better, and nobody else knows as much: so no rule that looks at what has happened finds these variances too high or too low.
 */
import { GAP_PART, OPEN_JUMPS } from "./component.ts";
import { cumulative } from "#contract/option-price.ts";
import type { Component, Jumps, Tails } from "./component.ts";

/** A component of prices, and the part of it that the index moves by. */
export interface Exposure {
  component: Component;
  part: number;
}

/** What moves an index: its components, and the daily variance of all shares that are too small to be looked at alone. */
export interface Exposures {
  components: readonly Exposure[];
  rest: number;
}

/** The logarithm of a characteristic function on a grid of frequencies: its real and imaginary parts. */
interface Moves {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

/** Frequencies are looked at up to this many times what the deviation asks for, in so many steps. */
const FURTHEST = 12;
const FREQUENCIES = 80;
/** Where wings are looked at, in deviations, and how much they may curve. */
const WING = 1.5;
const [LEAST_CURVE, MOST_CURVE] = [0.05, 1.5];
const MOST_UNSURE = 0.95;
/** Of components below this part of the variance only the mean counts. */
const SMALL = 0.02;

const blank = (): Moves => ({ real: new Float64Array(FREQUENCIES), imaginary: new Float64Array(FREQUENCIES) });
const meanOf = ({ up, meanUp, meanDown }: Jumps): number => up * meanUp - (1 - up) * meanDown;
export const jumpVariance = ({ up, meanUp, meanDown }: Jumps): number => 2 * (up * meanUp ** 2 + (1 - up) * meanDown ** 2);

/** Adds jumps that come `chance` times, each less its mean. */
function addJumps({ real, imaginary }: Moves, unit: number, jumps: Jumps, part: number, chance: number): void {
  const { up, meanUp, meanDown } = jumps;
  for (let nth = 0; nth < FREQUENCIES; nth += 1) {
    const [high, low] = [(nth + 0.5) * unit * part * meanUp, (nth + 0.5) * unit * part * meanDown];
    const [rises, falls] = [up / (1 + high * high), (1 - up) / (1 + low * low)];
    real[nth] = (real[nth] ?? 0) + chance * (rises + falls - 1);
    imaginary[nth] = (imaginary[nth] ?? 0) + chance * (rises * high - falls * low - (nth + 0.5) * unit * part * meanOf(jumps));
  }
}

/** Adds what is normal with a variance. */
function addNormal({ real }: Moves, unit: number, variance: number): void {
  for (let nth = 0; nth < FREQUENCIES; nth += 1) real[nth] = (real[nth] ?? 0) - (((nth + 0.5) * unit) ** 2 * variance) / 2;
}

/** Adds days of a component whose tails are not drawn yet. */
function addDays({ real }: Moves, unit: number, { multiples, chances }: Tails, { variance, days }: Alike): void {
  for (let nth = 0; nth < FREQUENCIES; nth += 1) {
    const half = (((nth + 0.5) * unit) ** 2 * variance) / 2;
    let sum = 0;
    for (let which = 0; which < multiples.length; which += 1) sum += (chances[which] ?? 0) * Math.exp(-half * (multiples[which] ?? 1));
    const one = Math.log(sum);
    let total = real[nth] ?? 0;
    for (let day = 0; day < days; day += 1) total += one;
    real[nth] = total;
  }
}

/** Days in a row of one variance: blocks of regimes seldom end, so that many are alike. */
interface Alike {
  variance: number;
  days: number;
}

function alikeOf(variances: readonly number[]): Alike[] {
  const found: Alike[] = [];
  for (const variance of variances) {
    const last = found.at(-1);
    if (last?.variance === variance) last.days += 1;
    else found.push({ variance, days: 1 });
  }
  return found;
}

/** Adds days whose regimes are not sure: their variances together are as likely to be higher as lower, by a part of them. */
function addUnsure({ real }: Moves, unit: number, tails: Tails, variances: readonly number[], part: number): void {
  const [high, low] = [blank(), blank()];
  const by = Math.min(MOST_UNSURE, part);
  for (const { variance, days } of alikeOf(variances)) {
    addDays(high, unit, tails, { variance: variance * (1 + by), days });
    addDays(low, unit, tails, { variance: variance * (1 - by), days });
  }
  for (let nth = 0; nth < FREQUENCIES; nth += 1)
    real[nth] = (real[nth] ?? 0) + Math.log((Math.exp(high.real[nth] ?? 0) + Math.exp(low.real[nth] ?? 0)) / 2);
}

/** How far it ends from a distance on either side on average, by its characteristic function; a grid of half steps never meets zero. */
function meanDistance({ real, imaginary }: Moves, unit: number, from: number): number {
  let sum = 0;
  for (let nth = 0; nth < FREQUENCIES; nth += 1) {
    const place = nth + 0.5;
    sum += (1 - Math.exp(real[nth] ?? 0) * Math.cos(imaginary[nth] ?? 0) * Math.cos(place * unit * from)) / (place * place);
  }
  return (2 * (sum + 1 / FREQUENCIES)) / (Math.PI * unit);
}

/** The deviation of a normal move that goes beyond a distance by `value` on average. */
function deviationFor(value: number, distance: number, least: number): number {
  let [low, high] = [least, 4 * least];
  for (let step = 0; step < 30; step += 1) {
    const middle = (low + high) / 2;
    const place = distance / middle;
    const worth = (middle * Math.exp((-place * place) / 2)) / Math.sqrt(2 * Math.PI) - distance * cumulative(-place);
    if (worth < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** What is known of the sessions after one up to an expiry. */
interface Later {
  unit: number;
  moves: Moves;
  variance: number;
}

/** How an option is priced: the total variance at the money, and how much the smile curves (`contract/option-price.ts`). */
export interface Smile {
  variance: number;
  curve: number;
}

/** The outlook from one session. */
export class Outlook {
  readonly #session: number;
  readonly #exposures: Exposures;
  /** The variance of the day itself, which its prices show, and that of its jumps, which are as likely from open to close. */
  readonly #today: number;
  readonly #todayJumps: number;
  readonly #later = new Map<string, Later>();

  constructor(session: number, exposures: Exposures) {
    this.#session = session;
    this.#exposures = exposures;
    let [steady, jumped] = [exposures.rest, 0];
    for (const { component, part } of exposures.components) {
      const { jumps } = component;
      steady += part * part * component.day(session).deviation ** 2;
      if (jumps) jumped += part * part * component.expectedChance(session, 0) * jumpVariance(jumps);
    }
    this.#today = (1 - GAP_PART) * steady;
    this.#todayJumps = (1 - OPEN_JUMPS) * jumped;
  }

  /**
   * The variance by which an option at the money is worth what it pays on average, which is less than the mean of days that are wild or calm by
   * chance, and how far wings are above it. `left` is the part of the session, from open to close, that is still to come, `sessions` how many
   * come after it, and `last` the part of the last of them, from its open to its close, that counts.
   */
  smile(left: number, sessions: number, last: number): Smile {
    const later = sessions > 0 ? this.#until(sessions, last) : null;
    const total = left * (this.#today + this.#todayJumps) + (later?.variance ?? 0);
    if (total <= 0) return { variance: 0, curve: LEAST_CURVE };
    const unit = later?.unit ?? FURTHEST / FREQUENCIES / Math.sqrt(total);
    const moves = blank();
    if (later) {
      moves.real.set(later.moves.real);
      moves.imaginary.set(later.moves.imaginary);
    }
    addNormal(moves, unit, left * this.#today);
    for (const { component, part } of this.#exposures.components)
      if (component.jumps && left > 0)
        addJumps(moves, unit, component.jumps, part, left * (1 - OPEN_JUMPS) * component.expectedChance(this.#session, 0));
    const deviation = Math.sqrt(Math.PI / 2) * meanDistance(moves, unit, 0);
    const wing = WING * deviation;
    const wider = deviationFor((meanDistance(moves, unit, wing) - wing) / 2, wing, deviation) / deviation;
    const curve = Math.sqrt((2 * wider * wider - 1) ** 2 - 1) / WING;
    return { variance: deviation * deviation, curve: Math.min(MOST_CURVE, Math.max(LEAST_CURVE, curve)) };
  }

  /** What part of a session counts, of its variance and of its jumps. */
  #parts(ahead: number, sessions: number, last: number): [steady: number, jumps: number] {
    return ahead < sessions ? [1, 1] : [GAP_PART + (1 - GAP_PART) * last, OPEN_JUMPS + (1 - OPEN_JUMPS) * last];
  }

  #until(sessions: number, last: number): Later {
    const name = `${sessions} ${last}`;
    const known = this.#later.get(name);
    if (known) return known;
    const days = Array.from({ length: sessions }, (_, nth) => this.#parts(nth + 1, sessions, last));
    const columns = this.#exposures.components.map(({ component, part }) => ({
      component,
      part,
      variances: days.map(([steady], nth) => steady * part * part * component.expectedVariance(this.#session, nth + 1)),
      chances: component.jumps ? days.map(([, some], nth) => some * component.expectedChance(this.#session, nth + 1)) : [],
    }));
    const sumOf = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0);
    const rest = this.#exposures.rest * sumOf(days.map(([steady]) => steady));
    const variance = columns.reduce(
      (sum, { component: { jumps }, part, variances, chances }) =>
        sum + sumOf(variances) + (jumps ? part * part * jumpVariance(jumps) * sumOf(chances) : 0),
      rest,
    );
    const unit = FURTHEST / FREQUENCIES / Math.sqrt(variance);
    const moves = blank();
    addNormal(moves, unit, rest);
    for (const { component, part, variances, chances } of columns) {
      const sum = sumOf(variances);
      if (sum < SMALL * variance) addNormal(moves, unit, sum);
      else addUnsure(moves, unit, component.tails, variances, Math.sqrt(this.#unsureOf(component, part, days, variances)) / sum);
      if (component.jumps) addJumps(moves, unit, component.jumps, part, sumOf(chances));
    }
    const later = { unit, moves, variance };
    this.#later.set(name, later);
    return later;
  }

  #unsureOf(component: Component, part: number, days: readonly [number, number][], variances: readonly number[]): number {
    let sum = 0;
    const fourth = part ** 4;
    const steady = days.map(([one]) => one);
    /** What each day has together with the far one. */
    const row: number[] = [];
    for (let far = 0; far < days.length; far += 1) {
      for (let near = component.endedSince(this.#session, far + 1) - 1; near <= far; near += 1)
        row[near] = component.variancesTogether(this.#session, near + 1, far + 1);
      const [some, own] = [steady[far] ?? 0, variances[far] ?? 0];
      for (let near = 0; near <= far; near += 1) {
        const together = (steady[near] ?? 0) * some * fourth * (row[near] ?? 0);
        sum += (near === far ? 1 : 2) * (together - (variances[near] ?? 0) * own);
      }
    }
    return sum;
  }
}
