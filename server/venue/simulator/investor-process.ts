/** Invents who traded an instrument, session after session: institutions' parts of the volume, and the balances of margin trading. */
import type { Balance, Institution } from "#contract/investor.ts";
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { Key } from "#server/venue/keyed-random.ts";
import { unit } from "#server/venue/seeded-random.ts";
import type { Day } from "./daily-process.ts";

type Session = Pick<Day, "session" | "volume" | "close" | "reference">;

/**
 * The part of the volume on each side that an institution trades at most, and how much it follows the day's move: foreigners lead it,
 * dealers hedge against it. Together with margin trading the parts stay below the whole.
 */
const STYLES: Record<Institution, { most: number; follows: number }> = {
  foreign: { most: 0.4, follows: 6 },
  trust: { most: 0.08, follows: 3 },
  dealer: { most: 0.14, follows: -2 },
};

/** Margin trading adds and repays at most these parts of the volume, and holds about so many days' volume. */
const LONG = { most: 0.08, days: 4 };
const SHORT = { most: 0.03, days: 0.4 };
/** How fast the usual volume follows the day's. */
const MEMORY = 0.05;

export interface Trades {
  bought: number;
  sold: number;
}

/** What the institutions bought and sold in a session. */
export function institutionsIn(key: Key, { session, volume, close, reference }: Session): Record<Institution, Trades> {
  const drawn = (nth: number): number => unit(key.draw(PURPOSE.investor, session, nth));
  const move = close / reference - 1;
  const trades = (institution: Institution, nth: number): Trades => {
    const { most, follows } = STYLES[institution];
    const part = volume * most * (0.3 + 0.7 * drawn(nth));
    const lean = Math.min(1, Math.max(0, 0.5 + follows * move + 0.6 * (drawn(nth + 1) - 0.5)));
    return { bought: Math.floor(part * lean), sold: Math.floor(part * (1 - lean)) };
  };
  return { foreign: trades("foreign", 0), trust: trades("trust", 2), dealer: trades("dealer", 4) };
}

export interface MarginDay {
  long: Balance;
  short: Balance;
}

/** The balances after each session: yesterday's, plus what was added, minus what was repaid. */
export class MarginBalances {
  readonly #key: Key;
  #usual: number | null = null;
  #long = 0;
  #short = 0;

  constructor(key: Key) {
    this.#key = key;
  }

  /** Advances by one session; they must come in order. */
  next({ session, volume }: Session): MarginDay {
    const drawn = (nth: number): number => unit(this.#key.draw(PURPOSE.investor, session, nth));
    if (this.#usual === null) {
      this.#usual = volume;
      this.#long = Math.round(volume * LONG.days * (0.5 + drawn(10)));
      this.#short = Math.round(volume * SHORT.days * (0.5 + drawn(11)));
    }
    this.#usual += MEMORY * (volume - this.#usual);
    const usual = this.#usual;
    const step = (before: number, { most, days }: typeof LONG, nth: number): Balance => {
      // A balance above its usual size is repaid faster than it grows, and the other way round.
      const room = Math.min(1, Math.max(0, 1 - before / (2 * usual * days)));
      const added = Math.floor(volume * most * drawn(nth) * room);
      const repaid = Math.min(before, Math.floor(volume * most * drawn(nth + 1) * (1 - room)));
      return { added, repaid, balance: before + added - repaid };
    };
    const day = { long: step(this.#long, LONG, 12), short: step(this.#short, SHORT, 14) };
    this.#long = day.long.balance;
    this.#short = day.short.balance;
    return day;
  }
}
