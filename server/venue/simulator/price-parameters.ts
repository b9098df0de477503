/** Derives an instrument's price parameters: how much it follows the market and its group, its own moves, and how much it trades. */
import { Component } from "./component.ts";
import type { ComponentModel } from "./component.ts";
import { dailyOf } from "./factor-model.ts";
import type { Factor } from "./factor-model.ts";
import { Regime } from "./regime.ts";
import { mix, normal, textKey, unit } from "#server/venue/seeded-random.ts";
import { Key } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import type { Listing } from "#server/venue/reference-data/listings.ts";
import type { Style } from "#server/venue/reference-data/style.ts";

export interface PriceParameters {
  /** The key all of the instrument's random draws use. */
  key: Key;
  beta: number;
  group: Factor;
  gamma: number;
  own: Component;
  /** How much more or less than usual is traded for a while. */
  volumes: Regime;
  /** The long-run standard deviation of a day from all of them. */
  deviation: number;
  /** How the past rose per session, in logarithms. */
  trend: number;
  /** Lots of an average exchange day. */
  baseLots: number;
}

/** Per style: market beta, group (null: its own industry), group beta, own daily standard deviation, growth per year. */
export const STYLES: Record<Style, { beta: number; group: string | null; gamma: number; own: number; growth: number }> = {
  s: { beta: 1, group: null, gamma: 1, own: 0.0125, growth: 0.05 },
  m: { beta: 1, group: "24", gamma: 0.35, own: 0.0008, growth: 0.07 },
  l: { beta: 2, group: "24", gamma: 0.7, own: 0.0016, growth: 0.08 },
  r: { beta: -1, group: "24", gamma: -0.35, own: 0.0008, growth: -0.07 },
  h: { beta: 0.6, group: "17", gamma: 0.3, own: 0.002, growth: 0.02 },
  t: { beta: 1.05, group: "24", gamma: 0.8, own: 0.002, growth: 0.09 },
  f: { beta: 0.7, group: "17", gamma: 0.9, own: 0.002, growth: 0.05 },
  b: { beta: 0, group: "bonds", gamma: 1, own: 0.0008, growth: -0.02 },
  w: { beta: 0.25, group: "abroad", gamma: 1, own: 0.004, growth: 0.06 },
  c: { beta: 0.1, group: "commodity", gamma: 1, own: 0.003, growth: 0.02 },
  p: { beta: 0.08, group: "bonds", gamma: 0.2, own: 0.0025, growth: 0 },
  x: { beta: 0.1, group: "crypto", gamma: 1, own: 0.02, growth: 0.12 },
  y: { beta: 0, group: "currency", gamma: 0.4, own: 0.003, growth: 0 },
};

/** Lots of an average day: large companies trade more, but a smaller fraction of their shares. */
function baseLots(listing: Listing, key: number): number {
  const { kind, issuedThousands } = listing.instrument;
  const activity = Math.exp((unit(mix(key, 11)) + unit(mix(key, 12)) - 1) * 1.3);
  if (kind === "crypto") return Math.round(30_000 * activity);
  if (kind === "forex") return Math.round(24_000 * activity);
  const millions = Math.max(5, issuedThousands / 1000);
  const turnoverFactor = kind === "etf" ? 4.5 : kind === "stock" ? 10 : kind === "tdr" ? 3 : 0.6;
  return Math.max(30, Math.round(turnoverFactor * millions ** 0.8 * activity));
}

/** A stock's volatility of a year, and the sessions of that year. */
const YEARLY = { typical: 0.27, spread: 0.38, skew: 0.3, sessions: 245 };
/** The parts of a stock's variance that follow the market and its industry. */
const FOLLOWS = { market: 0.12, industry: 0.1 };
const OWN: Omit<ComponentModel, "deviation" | "jumps"> = { roughness: 1.5, tails: 20 };
/** How far calm and busy times of a stock are apart, and of anything else. */
const BUSY = { stock: 1.45, other: 1.25 };
const PLAIN: Omit<ComponentModel, "deviation" | "jumps"> = { roughness: 1.3, tails: null };

interface Moves {
  beta: number;
  gamma: number;
  own: Omit<ComponentModel, "variance">;
}

/** A stock: how volatile, how much of it follows the market and its industry, and how news moves it. */
function stockMoves(code: number): Moves {
  const z = normal(mix(code, 1));
  const yearly = YEARLY.typical * Math.exp(YEARLY.spread * (z - YEARLY.skew * (z * z - 1)));
  const daily = yearly / Math.sqrt(YEARLY.sessions);
  const loading = (part: number, nth: number): number => Math.sqrt(part) * (0.6 + 0.8 * unit(mix(code, nth)));
  const [market, industry] = [loading(FOLLOWS.market, 2), loading(FOLLOWS.industry, 3)];
  const meanUp = 0.054 * Math.min(1.5, Math.max(0.4, (yearly / 0.3) ** 0.42));
  const chance = (regime: number): number => Math.min(0.2, 0.029 * Math.min(4, regime ** 1.2) * Math.exp(0.5 * z));
  return {
    beta: (daily * market) / dailyOf("market"),
    gamma: (daily * industry) / dailyOf("industry"),
    own: {
      ...OWN,
      deviation: daily * Math.sqrt(1 - market ** 2 - industry ** 2),
      jumps: { chance, up: 0.88, meanUp, meanDown: meanUp / 2 },
    },
  };
}

/** Derives an instrument's price parameters from its listing; equal for every seed except for the key. */
export function priceParametersOf(
  listing: Listing,
  seed: Seed,
  market: { sessionsPerYear: number; calm: readonly [number, number]; factor: (name: string) => Factor },
  variance?: ComponentModel["variance"],
): PriceParameters {
  const { code, category } = listing.instrument;
  const codeKey = textKey(code);
  const style = STYLES[listing.style];
  const stock = listing.style === "s" && listing.instrument.kind === "stock";
  const deviation = listing.volatility > 0 ? listing.volatility / 10_000 : style.own;
  const gamma = listing.volatility === 1 ? 0 : style.gamma;
  const moves: Moves = stock ? stockMoves(codeKey) : { beta: style.beta, gamma, own: { ...PLAIN, deviation, jumps: null } };
  const { beta, own } = moves;
  const key = Key.of(seed, `instrument ${code}`);
  const group = style.group ?? category;
  return {
    key,
    beta,
    group: market.factor(group),
    gamma: moves.gamma,
    volumes: new Regime(key, 1, stock ? BUSY.stock : BUSY.other),
    own: new Component(key, { ...own, ...(variance && { variance }) }, market.calm),
    deviation: Math.hypot(own.deviation, beta * dailyOf("market"), moves.gamma * dailyOf(group)),
    trend: style.growth / market.sessionsPerYear,
    baseLots: baseLots(listing, codeKey),
  };
}
