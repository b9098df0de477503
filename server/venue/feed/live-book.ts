/** The book of a live market: the levels a feed shows, minus what members have taken out of them. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { LEVELS } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";
import { TradableBook } from "#server/venue/matching/tradable-book.ts";
import type { LiveMarketState } from "./live-market-state.ts";

export class LiveBook extends TradableBook {
  readonly #state: LiveMarketState;

  constructor(state: LiveMarketState) {
    super({ at: (row) => state.at[row] ?? 0, minuteMs: MINUTE_MS });
    this.#state = state;
  }

  override side(row: number, side: "bids" | "asks"): Level[] {
    return this.#state.shown(row)[side].flatMap(([price, lots]): Level[] => {
      const left = lots - this.consumed.of(row, side, price);
      return left > 0 ? [[price, left]] : [];
    });
  }

  /** A feed shows five levels: what stands beyond them is not known. */
  override lotsAt(row: number, side: "bids" | "asks", price: number): number | null {
    const levels = this.#state.shown(row)[side];
    const level = levels.find(([at]) => at === price);
    if (level) return Math.max(0, level[1] - this.consumed.of(row, side, price));
    const last = levels.at(-1)?.[0];
    const beyond = last !== undefined && (side === "bids" ? price < last : price > last);
    return beyond && levels.length >= LEVELS ? null : 0;
  }

  /** Whether the book is of a trial match in an auction. */
  isTrial(row: number): boolean {
    return this.#state.shown(row).trial;
  }
}
