/** What the days of a market were drawn from before it was given the present rules of prices: factors, and an instrument's part in them. */
import { Key, PURPOSE } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import { normal } from "#server/venue/seeded-random.ts";
import { dailyOf } from "./factor-model.ts";

/** Daily volatility clusters: today's variance depends on yesterday's shock (GARCH 1,1). */
const SHOCK = 0.08;
const MEMORY = 0.89;
const TAIL = 2.2;
const TAIL_SCALE = 1.4;
/** How fast levels of factors revert to their mean. */
const FACTOR_PULL = 0.004;

export const nextVariance = (variance: number, shock: number, longRun: number): number =>
  longRun * (1 - SHOCK - MEMORY) + SHOCK * shock * shock + MEMORY * variance;

export function draw(hash: number): number {
  const value = normal(hash);
  return value > TAIL || value < -TAIL ? value * TAIL_SCALE : value;
}

export class EarlierFactor {
  readonly #key: Key;
  readonly #longRun: number;
  readonly #moves: number[] = [];
  readonly #deviations: number[] = [];
  #level = 0;
  #variance: number;

  constructor(seed: Seed, name: string) {
    this.#key = Key.of(seed, `factor ${name}`);
    this.#longRun = dailyOf(name) ** 2;
    this.#variance = this.#longRun;
  }

  #extendTo(session: number): void {
    for (let next = this.#moves.length; next <= session; next += 1) {
      const deviation = Math.sqrt(this.#variance);
      const shock = deviation * draw(this.#key.draw(PURPOSE.shock, next));
      const move = shock - FACTOR_PULL * this.#level;
      this.#level += move;
      this.#variance = nextVariance(this.#variance, shock, this.#longRun);
      this.#moves.push(move);
      this.#deviations.push(deviation);
    }
  }

  move(session: number): number {
    this.#extendTo(session);
    return this.#moves[session] ?? 0;
  }

  deviation(session: number): number {
    this.#extendTo(session);
    return this.#deviations[session] ?? 0;
  }
}

/** What the days of an instrument were drawn from, up to the session before `until`. */
export interface Earlier {
  until: number;
  market: EarlierFactor;
  group: EarlierFactor;
  beta: number;
  gamma: number;
  variance: number;
  trend: number;
  pull: number;
}
