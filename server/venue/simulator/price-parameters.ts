/** The temper of an instrument: how much it follows the market and its group, how much it moves by itself, how busily it trades. */
import type { Factor } from "./factor-model.ts";
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
import { Key } from "#server/venue/keyed-random.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import type { Listing, Style } from "#server/venue/reference-data/listings.ts";

export interface PriceParameters {
  /** What everything of the instrument is drawn from. */
  key: Key;
  beta: number;
  group: Factor;
  gamma: number;
  /** Long-run own variance of a day, of logarithms. */
  variance: number;
  /** Growth a session, of logarithms. */
  trend: number;
  /** How fast its own level comes home, a session. */
  pull: number;
  /** Lots of an ordinary day of the exchange. */
  baseLots: number;
}

/** Per style: follows the market by, its group (null: its own industry), follows that by, own daily deviation, growth a year. */
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

/** How many lots change hands on an ordinary day: large companies turn over more, but a smaller part of themselves. */
function baseLots(listing: Listing, key: number): number {
  const { kind, issuedThousands } = listing.instrument;
  const luck = Math.exp((unit(mix(key, 11)) + unit(mix(key, 12)) - 1) * 1.3);
  if (kind === "crypto") return Math.round(30_000 * luck);
  if (kind === "forex") return Math.round(24_000 * luck);
  const millions = Math.max(5, issuedThousands / 1000);
  const busy = kind === "etf" ? 4.5 : kind === "stock" ? 10 : kind === "tdr" ? 3 : 0.6;
  return Math.max(30, Math.round(busy * millions ** 0.8 * luck));
}

/** Work out an instrument's temper from its listing; the same for every seed but for its key. */
export function priceParametersOf(
  listing: Listing,
  seed: Seed,
  sessionsPerYear: number,
  factor: (name: string) => Factor,
): PriceParameters {
  const { code, category, fictitious, issuedThousands } = listing.instrument;
  const character = textKey(code);
  const style = STYLES[listing.style];
  const spread = (nth: number): number => unit(mix(character, nth)) - 0.5;
  const stock = listing.style === "s" && listing.instrument.kind === "stock";
  const small = stock ? Math.max(0.65, Math.min(1.5, 2.1 - Math.log10(Math.max(1e4, issuedThousands)) * 0.22)) : 1;
  const own = (listing.volatility > 0 ? listing.volatility / 10_000 : style.own) * small * (stock ? 1 + 0.5 * spread(1) : 1);
  return {
    key: Key.of(seed, `instrument ${code}`),
    beta: style.beta * (stock ? 1 + 0.6 * spread(2) : 1),
    group: factor(style.group ?? category),
    gamma: listing.volatility === 1 ? 0 : style.gamma * (stock ? 1 + 0.5 * spread(3) : 1),
    variance: own * own,
    trend: (style.growth + (stock ? (fictitious ? 0.1 : 0.12) * spread(4) : 0)) / sessionsPerYear,
    pull: 0.008,
    baseLots: baseLots(listing, character),
  };
}
