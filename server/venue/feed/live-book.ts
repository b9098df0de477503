/** The book of a live market: the levels a feed shows, minus what members have taken out of them. */
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { TradableBook } from "#server/venue/matching/tradable-book.ts";
import type { LiveMarketState } from "./live-market-state.ts";

export class LiveBook extends TradableBook {
  readonly #state: LiveMarketState;

  constructor(state: LiveMarketState) {
    super(state.book);
    this.#state = state;
  }

  override side(row: number, side: "bids" | "asks"): Level[] {
    const taken = this.consumed.of(row, side);
    return this.#state.shown(row)[side].flatMap(([price, lots]): Level[] => {
      const left = lots - (taken?.get(price) ?? 0);
      return left > 0 ? [[price, left]] : [];
    });
  }

  /** Whether the book is of a trial match in an auction. */
  isTrial(row: number): boolean {
    return this.#state.shown(row).trial;
  }
}
