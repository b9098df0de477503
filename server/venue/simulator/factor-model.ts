/**
 * The factors that move many instruments together: the market, every industry, bonds, foreign markets, commodities, crypto and
 * currencies.
 */
import { normal } from "#server/venue/seeded-random.ts";
import { Key, PURPOSE } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";

/** Daily volatility clusters: today's variance depends on yesterday's shock (GARCH 1,1). */
const SHOCK = 0.08;
const MEMORY = 0.89;
/** Draws beyond `TAIL` are scaled up, which fattens the tails of the normal distribution. */
const TAIL = 2.2;
const TAIL_SCALE = 1.4;

/** The next variance after a shock, around a long-run variance. */
export function nextVariance(variance: number, shock: number, longRun: number): number {
  return longRun * (1 - SHOCK - MEMORY) + SHOCK * shock * shock + MEMORY * variance;
}

/** A draw for one day: normal with fat tails. */
export function draw(hash: number): number {
  const value = normal(hash);
  return value > TAIL || value < -TAIL ? value * TAIL_SCALE : value;
}

/** The daily moves of one factor, as log returns, by session. */
export interface Factor {
  move(session: number): number;
  /** The standard deviation the day was drawn with. */
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
/** How fast a factor's level reverts to its mean, which keeps years of prices within plausible bounds. */
const MEAN_REVERSION = 0.004;

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

  #extendTo(session: number): void {
    for (let next = this.#moves.length; next <= session; next += 1) {
      const deviation = Math.sqrt(this.#variance);
      const shock = deviation * draw(this.#key.draw(PURPOSE.shock, next));
      const move = shock - MEAN_REVERSION * this.#level;
      this.#level += move;
      this.#variance = nextVariance(this.#variance, shock, this.#longRun);
      this.#moves.push(move);
      this.#deviations.push(deviation);
    }
  }

  move(session: number): number {
    if (session >= this.#moves.length) this.#extendTo(session);
    return this.#moves[session] ?? 0;
  }

  deviation(session: number): number {
    if (session >= this.#moves.length) this.#extendTo(session);
    return this.#deviations[session] ?? 0;
  }
}

/** Returns factors by name; each is created once. */
export function factorsOf(seed: Seed): (name: string) => Factor {
  const factors = new Map<string, Factor>();
  return (name) => {
    const existing = factors.get(name);
    if (existing) return existing;
    const factor = new FactorPath(seed, name);
    factors.set(name, factor);
    return factor;
  };
}
