/** What moves many instruments together: the market, every industry, and the worlds of bonds, abroad, commodities, crypto, currencies. */
import { normal } from "#server/venue/seeded-random.ts";
import { Key, PURPOSE } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";

/** Daily volatility clusters: today's variance remembers yesterday's shock (GARCH 1,1). */
const SHOCK = 0.08;
const MEMORY = 0.89;
/** What is rare is wilder than the bell allows. */
const RARE = 2.2;
const WILD = 1.4;

/** Next variance after a shock, around a long-run variance. */
export function nextVariance(variance: number, shock: number, longRun: number): number {
  return longRun * (1 - SHOCK - MEMORY) + SHOCK * shock * shock + MEMORY * variance;
}

/** A draw for one day: bell-shaped with a fat tail. */
export function draw(hash: number): number {
  const value = normal(hash);
  return value > RARE || value < -RARE ? value * WILD : value;
}

/** The daily moves of one factor, in logarithms, by session. */
export interface Factor {
  move(session: number): number;
  /** The deviation the day was drawn with. */
  deviation(session: number): number;
}

const DAILY: Readonly<Record<string, number>> = {
  market: 0.0076,
  bonds: 0.0035,
  abroad: 0.009,
  commodity: 0.012,
  crypto: 0.021,
  currency: 0.002,
};
const INDUSTRY_DAILY = 0.0062;
/** How fast a factor's level comes home: years of prices stay within believable bounds. */
const PULL = 0.004;

class FactorPath implements Factor {
  readonly #key: Key;
  readonly #longRun: number;
  readonly #moves: number[] = [];
  readonly #deviations: number[] = [];
  #level = 0;
  #variance: number;

  constructor(seed: Seed, name: string) {
    this.#key = Key.of(seed, `factor ${name}`);
    this.#longRun = (DAILY[name] ?? INDUSTRY_DAILY) ** 2;
    this.#variance = this.#longRun;
  }

  #reach(session: number): void {
    for (let next = this.#moves.length; next <= session; next += 1) {
      const deviation = Math.sqrt(this.#variance);
      const shock = deviation * draw(this.#key.draw(PURPOSE.shock, next));
      const move = shock - PULL * this.#level;
      this.#level += move;
      this.#variance = nextVariance(this.#variance, shock, this.#longRun);
      this.#moves.push(move);
      this.#deviations.push(deviation);
    }
  }

  move(session: number): number {
    if (session >= this.#moves.length) this.#reach(session);
    return this.#moves[session] ?? 0;
  }

  deviation(session: number): number {
    if (session >= this.#moves.length) this.#reach(session);
    return this.#deviations[session] ?? 0;
  }
}

/** Hands out factors by name, each made once. */
export function factorsOf(seed: Seed): (name: string) => Factor {
  const made = new Map<string, Factor>();
  return (name) => {
    const ready = made.get(name);
    if (ready) return ready;
    const factor = new FactorPath(seed, name);
    made.set(name, factor);
    return factor;
  };
}
