/** What foretells the price of a contract: everything that the public sees, against where the price is seconds later, and what trading by it earns. */
import { STEPS } from "./contract-record.ts";
import type { Recorded } from "./contract-record.ts";
import { quantile, tOf } from "./statistics.ts";

/** Spread, fee and tax of a future both ways, in hundredths of a per cent. */
const COSTS = 2;
/** The part of the moments that a strategy trades at: those where its signal is largest. */
const PART = 0.02;
const HORIZONS = [10, 30, 60, 120];
/** The longest look back. */
const WARM_UP = 2 * STEPS;

type Series = keyof Recorded;
type Signal = (seen: Recorded, at: number) => number;

const between =
  (one: Series, other: Series): Signal =>
  (seen, at) =>
    (seen[one][at] ?? 0) - (seen[other][at] ?? 0);
const moved =
  (one: Series, steps: number): Signal =>
  (seen, at) =>
    (seen[one][at] ?? 0) - (seen[one][at - steps] ?? 0);
/** Since the minute began, in which trades tell more and more of where it ends. */
const inMinute =
  (one: Series): Signal =>
  (seen, at) =>
    moved(one, at % STEPS)(seen, at);

export const SIGNALS: Readonly<Record<string, Signal>> = {
  "index against contract": between("index", "fair"),
  "last trades against contract": between("trades", "fair"),
  "books against last trades": between("middles", "trades"),
  "books against contract": between("middles", "fair"),
  "contract, last 10 s": moved("fair", 10),
  "contract, last 30 s": moved("fair", 30),
  "contract, last 60 s": moved("fair", 60),
  "contract, last 120 s": moved("fair", 120),
  "index, last 10 s": moved("index", 10),
  "index, last 60 s": moved("index", 60),
  "last trades, last 10 s": moved("trades", 10),
  "last trades in the minute": inMinute("trades"),
  "large shares, last 15 s": moved("large", 15),
  "large shares in the minute": inMinute("large"),
  "small shares, last 15 s": moved("small", 15),
  "small shares in the minute": inMinute("small"),
  "small shares, last 60 s": moved("small", 60),
};

export interface Finding {
  signal: string;
  seconds: number;
  /** How many standard errors the signal and what follows are from having nothing to do with each other. */
  t: number;
  /** What trading where the signal is largest earns, in hundredths of a per cent: before costs, after them, and its t after them. */
  gross: number;
  net: number;
  netT: number;
}

/** Moments so far apart that what follows them does not overlap, at other places in the minute each time. */
function momentsOf({ fair }: Recorded, steps: number): number[] {
  const moments: number[] = [];
  for (let at = WARM_UP; at + steps < fair.length; at += steps + (moments.length % 2 === 0 ? 1 : 7)) moments.push(at);
  return moments;
}

/** Products of signals and what followed, each in the measure of its session: a wild one would hide all others. */
function productsOf(pairs: readonly { seen: number; after: number }[]): number[] {
  const scale = (list: readonly number[]): number => Math.sqrt(list.reduce((sum, one) => sum + one * one, 0) / list.length) || 1;
  const [seen, after] = [scale(pairs.map((one) => one.seen)), scale(pairs.map((one) => one.after))];
  return pairs.map((one) => (one.seen * one.after) / (seen * after));
}

/** What a signal tells of one series over some seconds. */
function findingOf(records: readonly Recorded[], signal: string, of: "fair" | "index", seconds: number): Finding {
  const look = SIGNALS[signal];
  const sessions = records.map((seen) =>
    momentsOf(seen, seconds).map((at) => ({ seen: look?.(seen, at) ?? 0, after: 10_000 * moved(of, seconds)(seen, at + seconds) })),
  );
  const pairs = sessions.flat();
  const t = tOf(sessions.flatMap((own) => productsOf(own)));
  const least = quantile(
    pairs.map((one) => Math.abs(one.seen)),
    1 - PART,
  );
  // The better of the two directions, as who looked long enough would know it.
  const gains = pairs.filter((one) => Math.abs(one.seen) >= least).map((one) => Math.sign(one.seen) * Math.sign(t) * one.after);
  const gross = gains.reduce((sum, one) => sum + one, 0) / Math.max(1, gains.length);
  return { signal, seconds, t, gross, net: gross - COSTS, netT: tOf(gains.map((one) => one - COSTS)) };
}

/** What every signal tells of the level that contracts are quoted around, or of the index of last trades. */
export const findingsOf = (records: readonly Recorded[], of: "fair" | "index"): Finding[] =>
  Object.keys(SIGNALS).flatMap((signal) => HORIZONS.map((seconds) => findingOf(records, signal, of, seconds)));
