/** The current price of an instrument and the range of its trades since the last evaluation, so that no trade is missed in between. */
import type { AlertKind, PriceRange } from "#contract/alert.ts";
import type { Quote } from "#contract/quote.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";

/** The price that alerts of a kind compare with. */
export type ReadPriceRange = (kind: AlertKind) => PriceRange;

export class PriceRanges {
  readonly #venue: Pick<Venue, "tape">;
  /** By row the number of the latest evaluated trade, and when its session opened. */
  readonly #seen = new Map<number, { since: number; n: number }>();

  constructor(venue: Pick<Venue, "tape">) {
    this.#venue = venue;
  }

  /** Starts watching a row: earlier trades are ignored. */
  begin(row: number): void {
    this.#seen.delete(row);
  }

  /** Evaluates a row in the session that opened at `since`. Triggers above the price get its highest trade, those below its lowest. */
  look({ row, last, reference, volume }: Quote, since: number): ReadPriceRange {
    const before = this.#seen.get(row);
    const known = before?.since === since ? before.n : 0;
    const trades = this.#venue.tape(row, known, before ? MAX_TRADES : 1);
    let n = known;
    let high = last;
    let low = last;
    for (let from = 0; from < trades.length; from += TAPE_STRIDE) {
      const trade = tradeAt(trades, from);
      n = trade.n;
      if (!before) continue;
      high = Math.max(high, trade.price);
      low = Math.min(low, trade.price);
    }
    this.#seen.set(row, { since, n });
    const price = { above: high, rise: high, below: low, fall: low, volume: last };
    return (kind) => ({ last: price[kind], reference, volume });
  }
}
