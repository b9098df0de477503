/**
 * The factors that move many instruments together: the market, every industry, bonds, foreign markets, commodities, crypto and
 * currencies.
 */
import { Key } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import { Component, barePath, fillSegment, jumpIn, jumpedBy, moveOf } from "./component.ts";
import type { ComponentModel } from "./component.ts";
import { SEGMENTS } from "./day-clock.ts";
import type { DayClock } from "./day-clock.ts";

/** The daily moves of one factor, as log returns, by session. */
export interface Factor {
  readonly component: Component;
  move(session: number): number;
  /** The variance the day was drawn with, without jumps. */
  variance(session: number): number;
  /** The jump that comes after one moment of the day's clock and up to another; 0 without one. */
  jump(session: number, after: number, until: number): number;
  /** Its path at the ends of the day's segments and, last, at the close. */
  nodes(session: number): readonly number[];
  /** Its path at every mark; the last few are kept. */
  path(session: number): Float64Array;
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

/** The long-run standard deviation of a factor's day, without jumps; any other name is an industry's. */
export const dailyOf = (name: string): number => DAILY[name] ?? INDUSTRY_DAILY;

const MARKET: Omit<ComponentModel, "deviation"> = {
  roughness: 1.35,
  tails: 4,
  jumps: { chance: () => 0.008, up: 0.2, meanUp: 0.048, meanDown: 0.048 },
};
const OTHERS: Omit<ComponentModel, "deviation"> = { roughness: 1.2, tails: null, jumps: null };
const KEPT_PATHS = 4;
/** More than the sessions of the visible history. */
const KEPT_DAYS = 2048;

class FactorPath implements Factor {
  readonly component: Component;
  readonly #clock: DayClock;
  /** Each session's move and, behind it, its variance, because every instrument needs them; `NaN` until they are first computed. */
  #daily = new Float64Array(0);
  /** By session; further ones replace those `KEPT_DAYS` before. */
  readonly #nodes = new Map<number, { session: number; at: readonly number[] }>();
  readonly #paths = new Map<number, Float64Array>();

  constructor(component: Component, clock: DayClock) {
    this.component = component;
    this.#clock = clock;
  }

  /** Computes a session's move and variance where they are missing. @returns the place of the move */
  #placeOf(session: number): number {
    const place = 2 * session;
    if (place >= this.#daily.length) {
      const longer = new Float64Array(2 * place + 2).fill(Number.NaN);
      longer.set(this.#daily);
      this.#daily = longer;
    }
    if (Number.isNaN(this.#daily[place])) {
      const day = this.component.day(session);
      this.#daily[place] = moveOf(day);
      this.#daily[place + 1] = day.deviation ** 2;
    }
    return place;
  }

  move(session: number): number {
    const place = this.#placeOf(session);
    return this.#daily[place] ?? 0;
  }

  variance(session: number): number {
    const place = this.#placeOf(session);
    return this.#daily[place + 1] ?? 0;
  }

  jump(session: number, after: number, until: number): number {
    return jumpIn(this.component.day(session), after, until);
  }

  nodes(session: number): readonly number[] {
    const slot = session % KEPT_DAYS;
    const kept = this.#nodes.get(slot);
    if (kept?.session === session) return kept.at;
    const { passed, nodes, minutes } = this.#clock;
    const day = this.component.day(session);
    const at = barePath(this.#clock, this.component.key, day);
    for (let nth = 0; nth < at.length; nth += 1)
      at[nth] = (at[nth] ?? 0) + day.gap + jumpedBy(day, passed[nth > SEGMENTS ? minutes : (nodes[nth] ?? 0)] ?? 0);
    this.#nodes.set(slot, { session, at });
    return at;
  }

  path(session: number): Float64Array {
    const kept = this.#paths.get(session);
    if (kept) return kept;
    const { passed, continuous, minutes } = this.#clock;
    const { key } = this.component;
    const day = this.component.day(session);
    const bare = barePath(this.#clock, key, day);
    const path = new Float64Array(minutes + 1);
    for (let segment = 0; segment < SEGMENTS; segment += 1) fillSegment(path, this.#clock, key, day, bare, segment);
    path.fill(bare[SEGMENTS] ?? 0, continuous, minutes);
    path[minutes] = bare[SEGMENTS + 1] ?? 0;
    for (let mark = 0; mark <= minutes; mark += 1) path[mark] = (path[mark] ?? 0) + day.gap + jumpedBy(day, passed[mark] ?? 0);
    this.#paths.set(session, path);
    const oldest = this.#paths.keys().next().value;
    if (this.#paths.size > KEPT_PATHS && oldest !== undefined) this.#paths.delete(oldest);
    return path;
  }
}

/** Returns factors by name; each is created once. */
export function factorsOf(seed: Seed, clock: DayClock, calm: readonly [after: number, until: number]): (name: string) => Factor {
  const factors = new Map<string, Factor>();
  return (name) => {
    const existing = factors.get(name);
    if (existing) return existing;
    const model = { deviation: dailyOf(name), ...(name === "market" ? MARKET : OTHERS) };
    const factor = new FactorPath(new Component(Key.of(seed, `factor ${name}`), model, calm), clock);
    factors.set(name, factor);
    return factor;
  };
}
