/** Derives an instrument's price parameters: how much it follows the market and its group, its own volatility, and how much it trades. */
import type { Factor } from "./factor-model.ts";
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
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
  /** Long-run own variance of a day's log returns. */
  variance: number;
  /** Drift per session, in logarithms. */
  trend: number;
  /** Mean reversion of its own level per session. */
  pull: number;
  /** Lots of an average exchange day. */
  baseLots: number;
}

/** Per style: market beta, group (null: its own industry), group beta, own daily standard deviation, growth per year. */
const STYLES: Record<Style, { beta: number; group: string | null; gamma: number; own: number; growth: number }> = {
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

/** Derives an instrument's price parameters from its listing; equal for every seed except for the key. */
export function priceParametersOf(
  listing: Listing,
  seed: Seed,
  sessionsPerYear: number,
  factor: (name: string) => Factor,
): PriceParameters {
  const { code, category, fictitious, issuedThousands } = listing.instrument;
  const codeKey = textKey(code);
  const style = STYLES[listing.style];
  const spread = (nth: number): number => unit(mix(codeKey, nth)) - 0.5;
  const stock = listing.style === "s" && listing.instrument.kind === "stock";
  const sizeFactor = stock ? Math.max(0.65, Math.min(1.5, 2.1 - Math.log10(Math.max(1e4, issuedThousands)) * 0.22)) : 1;
  const own = (listing.volatility > 0 ? listing.volatility / 10_000 : style.own) * sizeFactor * (stock ? 1 + 0.5 * spread(1) : 1);
  return {
    key: Key.of(seed, `instrument ${code}`),
    beta: style.beta * (stock ? 1 + 0.6 * spread(2) : 1),
    group: factor(style.group ?? category),
    gamma: listing.volatility === 1 ? 0 : style.gamma * (stock ? 1 + 0.5 * spread(3) : 1),
    variance: own * own,
    trend: (style.growth + (stock ? (fictitious ? 0.1 : 0.12) * spread(4) : 0)) / sessionsPerYear,
    pull: 0.008,
    baseLots: baseLots(listing, codeKey),
  };
}
