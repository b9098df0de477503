/** The book of a live market: the levels a feed shows, minus what members have taken out of them. */
import { ConsumedLiquidity, sweepBook } from "#server/venue/matching/book-sweep.ts";
import type { Execution, Level, Want } from "#server/venue/matching/book-sweep.ts";
import type { LiveMarketState } from "./live-market-state.ts";

export class LiveBook {
  readonly #state: LiveMarketState;
  readonly #consumed: ConsumedLiquidity;

  constructor(state: LiveMarketState) {
    this.#state = state;
    this.#consumed = new ConsumedLiquidity(state.book);
  }

  /** The levels of one side, best first. */
  side(row: number, side: "bids" | "asks"): Level[] {
    const taken = this.#consumed.of(row, side);
    return this.#state.shown(row)[side].flatMap(([price, lots]): Level[] => {
      const left = lots - (taken?.get(price) ?? 0);
      return left > 0 ? [[price, left]] : [];
    });
  }

  /** Best bid and ask; 0 for none. */
  best(row: number): { bid: number; ask: number } {
    return { bid: this.side(row, "bids")[0]?.[0] ?? 0, ask: this.side(row, "asks")[0]?.[0] ?? 0 };
  }

  /** Whether the book is of a trial match in an auction. */
  isTrial(row: number): boolean {
    return this.#state.shown(row).trial;
  }

  /** The executions an order would get from the levels of the other side; changes nothing. */
  plan(want: Want): Execution[] {
    return sweepBook(this.side(want.row, want.side === "buy" ? "asks" : "bids"), want);
  }

  /** Records executions as taken until the market next changes this book. */
  consume(want: Want, executions: readonly Execution[]): void {
    this.#consumed.consume(want, executions);
  }

  /** Drops what was taken from books that have changed since. */
  prune(): void {
    this.#consumed.prune();
  }
}
