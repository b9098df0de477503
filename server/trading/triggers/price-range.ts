/** The price of an instrument now and the range of its trades since the last look, so that no trade slips through between two looks. */
import type { AlertKind, PriceRange } from "#contract/alert.ts";
import type { Quote } from "#contract/quote.ts";
import { MAX_TRADES, TAPE_STRIDE, tradeAt } from "#contract/tape.ts";
import type { Venue } from "#server/venue/venue.ts";

/** What alerts of a kind look at. */
export type ReadPriceRange = (kind: AlertKind) => PriceRange;

export class PriceRanges {
  readonly #venue: Pick<Venue, "tape">;
  /** By row the newest trade that was looked at, and when its session opened. */
  readonly #seen = new Map<number, { since: number; n: number }>();

  constructor(venue: Pick<Venue, "tape">) {
    this.#venue = venue;
  }

  /** Nobody watched a row until now: what traded before is no news. */
  begin(row: number): void {
    this.#seen.delete(row);
  }

  /** Look at a row in the session that opened at `since`: those that wait for more see its highest price, those that wait for less its lowest. */
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
