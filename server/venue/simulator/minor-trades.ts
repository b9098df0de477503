/** The minor trades between two key trades of a minute: like these they follow from the seed and their place, so that a replayed minute has the same. */
import { PURPOSE } from "#server/venue/keyed-random.ts";
import type { AggressorSide } from "#server/venue/market-data/trade-tape.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import type { InstrumentModel } from "./daily-process.ts";
import { MAX_KEY_TRADES } from "./key-trades.ts";
import type { Trades } from "./key-trades.ts";
import type { QuoteBand } from "./quote-band.ts";

/** The maximum number of minor trades between two key trades. */
export const MAX_MINOR = 8;
/** There is one for so many lots. */
const LOTS_EACH = 4;

/** The maximum number of trades in a minute. */
export const MAX_MINUTE_TRADES = MAX_KEY_TRADES + (MAX_KEY_TRADES - 1) * MAX_MINOR;

/** A key trade: its session, its minute, and its number within the minute. */
interface Place {
  session: number;
  minute: number;
  nth: number;
}

/** What a row has traded at so far: the price of the key trade before, and the range of the minute. */
interface Traded {
  before: number;
  low: number;
  high: number;
}

/** What lies between a key trade and the one before it; to be set to one after another. */
export class MinorTrades {
  /** The number of minor trades. */
  count = 0;
  #draw = 0;
  #start = 0;
  #length = 0;
  #before = 0;
  #lots = 0;

  /** Goes to the gap before a key trade of `trades`, in which the row has the place `row`. */
  enter({ parameters: { key } }: InstrumentModel, { offset, lots }: Trades, row: number, { session, minute, nth }: Place): void {
    this.count = 0;
    if (nth === 0) return;
    const at = row * MAX_KEY_TRADES + nth;
    this.#before = lots[at - 1] ?? 0;
    this.#lots = (lots[at] ?? 0) - this.#before;
    // The key trade itself has a lot at least.
    this.count = Math.min(MAX_MINOR, Math.ceil((this.#lots - 1) / LOTS_EACH));
    if (this.count === 0) return;
    this.#start = offset[at - 1] ?? 0;
    this.#length = (offset[at] ?? 0) - this.#start;
    this.#draw = key.draw(PURPOSE.between, session, minute, nth);
  }

  /** The time of a minor trade within the minute, in milliseconds. */
  offset(minor: number): number {
    const passed = (minor + 0.55 + 0.9 * unit(mix(this.#draw, minor))) / (this.count + 1);
    return this.#start + Math.floor(this.#length * passed);
  }

  /** The lots of the minute up to a minor trade. */
  lots(minor: number): number {
    return this.#before + Math.floor((this.#lots * (minor + 1)) / (this.count + 1));
  }

  /**
   * The side of a minor trade. It is at one of the quotes, and at a price that the minute has traded at already: the price of the key
   * trade before always is one. So it stays within the minute's bar, and tells nothing of what is still to come.
   */
  side(minor: number, quotes: QuoteBand, row: number, { before, low, high }: Traded): AggressorSide {
    const [bid, ask] = [quotes.bid(row), quotes.ask(row)];
    const other = before === bid ? ask : bid;
    const drawn = other >= low && other <= high && ((this.#draw >>> minor) & 1) === 0;
    return (drawn ? other : before) === ask ? 1 : -1;
  }
}
