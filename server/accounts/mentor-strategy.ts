/**
 * The strategies of the broker's own mentors, as pure rules over minute closes: what they sell and buy at one decision. They are simple,
 * the same for everybody who computes them, and promise nothing.
 */
import type { MentorStrategy } from "#contract/copy.ts";
import { HOUR_MS, MINUTE_MS } from "#contract/kernel/time.ts";

/** What both trade: stocks and funds whose lot costs little, so that small amounts can follow. */
export const MENTOR_CODES = ["0056", "00878", "00919", "00929", "2884", "2883", "2002", "2409"] as const;
/** How often a mentor decides. */
export const DECIDE_EVERY_MS = 5 * MINUTE_MS;
/** Closes looked back on, and those of them that are the short average. */
export const LONG_MINUTES = 60;
const SHORT_MINUTES = 10;
/** Positions at once; each takes an equal part of the capital. */
export const POSITIONS = 4;
const LEAST_HOLDING_MS = 30 * MINUTE_MS;
const MOST_HOLDING_MS = 24 * HOUR_MS;
/** Reversion buys this far below the long average, and gives up as far below its price. */
const BELOW_PER_MILLE = 3;
const GIVE_UP_PER_MILLE = 20;
const MILLE = 1_000;

export interface HeldByMentor {
  orderNo: string;
  code: string;
  openedAt: number;
  /** The average price of opening. */
  price: number;
}

export interface MentorView {
  at: number;
  /** Minute closes of each code, the oldest first. */
  closes: ReadonlyMap<string, readonly number[]>;
  held: readonly HeldByMentor[];
}

export interface MentorDecision {
  sell: readonly string[];
  buy: string | null;
}

const meanOf = (some: readonly number[]): number => some.reduce((sum, one) => sum + one, 0) / some.length;

/** Last close and averages; null with too few bars. */
function signalOf(closes: readonly number[] | undefined): { last: number; short: number; long: number } | null {
  const last = closes?.at(-1);
  if (!closes || last === undefined || closes.length < LONG_MINUTES) return null;
  return { last, short: meanOf(closes.slice(-SHORT_MINUTES)), long: meanOf(closes.slice(-LONG_MINUTES)) };
}

/** How strongly a rule wants to buy; 0 for not at all. */
const WANTS: Record<MentorStrategy, (signal: { last: number; short: number; long: number }) => number> = {
  trend: ({ last, short, long }) => (short > long && last > short ? last / long - 1 : 0),
  reversion: ({ last, long }) => (last * MILLE < long * (MILLE - BELOW_PER_MILLE) ? long / last - 1 : 0),
};

/** Whether a rule sells what it holds. */
const LEAVES: Record<MentorStrategy, (signal: { last: number; short: number; long: number }, price: number) => boolean> = {
  trend: ({ short, long }) => short < long,
  reversion: ({ last, long }, price) => last >= long || last * MILLE < price * (MILLE - GIVE_UP_PER_MILLE),
};

/** Decides once: sells what has run its course, then buys at most one. */
export function decideFor(strategy: MentorStrategy, { at, closes, held }: MentorView): MentorDecision {
  const sell = held
    .filter(({ code, openedAt, price }) => {
      const heldMs = at - openedAt;
      const signal = signalOf(closes.get(code));
      return heldMs >= MOST_HOLDING_MS || (heldMs >= LEAST_HOLDING_MS && signal !== null && LEAVES[strategy](signal, price));
    })
    .map(({ orderNo }) => orderNo);
  if (held.length >= POSITIONS) return { sell, buy: null };
  const wanted = [...closes].flatMap(([code, bars]) => {
    const signal = signalOf(bars);
    const strength = signal && !held.some((one) => one.code === code) ? WANTS[strategy](signal) : 0;
    return strength > 0 ? [{ code, strength }] : [];
  });
  const best = wanted.toSorted((a, b) => b.strength - a.strength || (a.code < b.code ? -1 : 1))[0];
  return { sell, buy: best?.code ?? null };
}
