/** Regimes: a product of factors that change at ever longer intervals (Calvet and Fisher), so that calm and wild times last, without a state. */
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { unit } from "#server/venue/seeded-random.ts";

/** How many factors there are, and how much longer each lasts than the one before. */
const FACTORS = 8;
const LONGER = 2.4;
const LENGTHS = Array.from({ length: FACTORS }, (_, nth) => LONGER ** nth);

/** By how far factors go: the product, by how many of them are wild. Whole kinds of instruments have the same. */
const levels = new Map<number, readonly number[]>();

function levelsOf(roughness: number): readonly number[] {
  let found = levels.get(roughness);
  if (!found) {
    found = Array.from({ length: FACTORS + 1 }, (_, wild) => roughness ** wild * (2 - roughness) ** (FACTORS - wild));
    levels.set(roughness, found);
  }
  return found;
}

export class Regime {
  readonly #key: Key;
  readonly #nth: number;
  readonly #phases: readonly number[];
  /** By factor: the sessions its state holds for, and whether it is the wild one. */
  readonly #from = new Float64Array(FACTORS);
  readonly #until = new Float64Array(FACTORS);
  readonly #isWild = new Uint8Array(FACTORS);
  /** By factor: the number of the draw whose bits are its states, and the draw. */
  readonly #drawn = new Int32Array(FACTORS).fill(-1);
  readonly #bits = new Int32Array(FACTORS);
  /** How many factors are wild now. */
  #wild = 0;
  /** The product, by how many factors are wild. */
  readonly #levels: readonly number[];
  readonly #roughness: number;

  /** `roughness`: what each factor is in a wild time, above 1; in a calm one as far below. `nth` tells the regimes of one key apart. */
  constructor(key: Key, nth: number, roughness: number) {
    this.#key = key;
    this.#nth = nth;
    this.#roughness = roughness;
    this.#phases = LENGTHS.map((length, which) => length * unit(key.draw(PURPOSE.regime, -1, nth, which)));
    this.#levels = levelsOf(roughness);
  }

  /** The product in a session: 1 on average. */
  at(session: number): number {
    for (let which = 0; which < FACTORS; which += 1)
      if (session < (this.#from[which] ?? 0) || session >= (this.#until[which] ?? 0)) this.#change(which, session);
    return this.#levels[this.#wild] ?? 1;
  }

  /**
   * What a function of the product is on average so many sessions after one up to which it is known. A block that lasts keeps its state, and
   * after it either one is as likely: when blocks end follows from the past, what comes then from nothing.
   */
  expected(session: number, ahead: number, of: (level: number) => number): number {
    this.at(session);
    let [wild, open] = [0, 0];
    for (let which = 0; which < FACTORS; which += 1)
      if (session + ahead < (this.#until[which] ?? 0)) wild += this.#isWild[which] ?? 0;
      else open += 1;
    let [sum, ways] = [0, 1];
    for (let more = 0; more <= open; more += 1) {
      sum += ways * of(this.#levels[wild + more] ?? 1);
      ways = (ways * (open - more)) / (more + 1);
    }
    return sum / 2 ** open;
  }

  /** What the products of two sessions have together on average, so many sessions after one up to which they are known. */
  together(session: number, near: number, far: number): number {
    this.at(session);
    const over = this.#roughness - 1;
    let product = 1;
    for (let which = 0; which < FACTORS; which += 1) {
      const [first, second] = [this.#blockOf(which, session + near), this.#blockOf(which, session + far)];
      const state = this.#isWild[which] === 1 ? 1 + over : 1 - over;
      if (first < 0) product *= second < 0 ? state * state : state;
      else if (first === second) product *= 1 + over * over;
    }
    return product;
  }

  /**
   * The first session whose part in `together` with one so many sessions ahead is not what it was with the one before: the first that has a
   * block with that one which ends there. That it has two for nearly all, as blocks seldom end, makes sums over all pairs cheap.
   */
  endedSince(session: number, far: number): number {
    this.at(session);
    let first = far;
    for (let which = 0; which < FACTORS; which += 1) {
      const ended = this.#blockOf(which, session + far - 1);
      if (this.#blockOf(which, session + far) === ended) continue;
      let from = far;
      while (from > 1 && this.#blockOf(which, session + from - 1) === ended) from -= 1;
      if (from < first) first = from;
    }
    return first;
  }

  /** The blocks of a factor after the one that lasts, counted from 0; below 0 in that one. */
  #blockOf(which: number, session: number): number {
    const until = this.#until[which] ?? 0;
    return session < until ? -1 : Math.floor((session - until) / (LENGTHS[which] ?? 1));
  }

  #change(which: number, session: number): void {
    const length = LENGTHS[which] ?? 1;
    const phase = this.#phases[which] ?? 0;
    const block = Math.floor((session + phase) / length);
    this.#from[which] = block * length - phase;
    this.#until[which] = (block + 1) * length - phase;
    const isWild = this.#bit(which, block);
    this.#wild += isWild - (this.#isWild[which] ?? 0);
    this.#isWild[which] = isWild;
  }

  /** One bit of a draw that serves 32 blocks. */
  #bit(which: number, block: number): number {
    const draw = block >> 5;
    if (this.#drawn[which] !== draw) {
      this.#drawn[which] = draw;
      this.#bits[which] = this.#key.draw(PURPOSE.regime, draw, this.#nth, which);
    }
    return ((this.#bits[which] ?? 0) >>> (block & 31)) & 1;
  }
}
