/** A book that orders can be matched against: the levels of the market, minus what members have taken out of them. */
import { ConsumedLiquidity, sweepBook } from "./book-sweep.ts";
import type { Execution, Level, Want } from "./book-sweep.ts";

export abstract class TradableBook {
  protected readonly consumed: ConsumedLiquidity;

  /** `versions` holds, by row, a number that grows with every change of the book by the market. */
  constructor(versions: ArrayLike<number>) {
    this.consumed = new ConsumedLiquidity(versions);
  }

  /** The levels of one side, best first, minus what was taken. */
  abstract side(row: number, side: "bids" | "asks"): Level[];

  /** Best bid and ask minus what was taken; 0 for none. */
  best(row: number): { bid: number; ask: number } {
    return { bid: this.side(row, "bids")[0]?.[0] ?? 0, ask: this.side(row, "asks")[0]?.[0] ?? 0 };
  }

  /** The executions an order would get from the levels of the other side; changes nothing. */
  plan(want: Want): Execution[] {
    return sweepBook(this.side(want.row, want.side === "buy" ? "asks" : "bids"), want);
  }

  /** Records executions as taken until the market next changes this book. */
  consume(want: Want, executions: readonly Execution[]): void {
    this.consumed.consume(want, executions);
  }

  /** Drops what was taken from books that have changed since. */
  prune(): void {
    this.consumed.prune();
  }
}
