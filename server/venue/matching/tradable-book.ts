/** A book that orders can be matched against: the levels of the market, minus what members have taken out of them. */
import { sweepBook } from "./book-sweep.ts";
import type { Execution, Level, Want } from "./book-sweep.ts";
import { ConsumedLiquidity } from "./consumed-liquidity.ts";
import type { BookClock, BookSide, TakenLevels } from "./consumed-liquidity.ts";

export abstract class TradableBook {
  protected readonly consumed: ConsumedLiquidity;

  constructor(clock: BookClock) {
    this.consumed = new ConsumedLiquidity(clock);
  }

  /** The levels of one side as they are displayed, best first, minus what was taken. */
  abstract side(row: number, side: BookSide): Level[];

  /** The same in the units of orders. */
  protected levels(row: number, side: BookSide): Level[] {
    return this.side(row, side);
  }

  /** The lots displayed at a price of one side, minus what was taken, in the units of orders; null where the book does not reach so far. */
  abstract lotsAt(row: number, side: BookSide, price: number): number | null;

  /** Best bid and ask minus what was taken; 0 for none. */
  best(row: number): { bid: number; ask: number } {
    return { bid: this.side(row, "bids")[0]?.[0] ?? 0, ask: this.side(row, "asks")[0]?.[0] ?? 0 };
  }

  /** The executions an order would get from the levels of the other side; changes nothing. */
  plan(want: Want): Execution[] {
    return sweepBook(this.levels(want.row, want.side === "buy" ? "asks" : "bids"), want);
  }

  /** Records executions as taken: the market refills them little by little. @returns what they took */
  consume(want: Want, executions: readonly Execution[]): TakenLevels {
    return this.consumed.consume(want, executions);
  }

  /** Records what was taken from another server's book of the same market. */
  take(taken: TakenLevels): void {
    this.consumed.take(taken);
  }

  /** Everything that is missing from the books now. */
  taken(): TakenLevels[] {
    return this.consumed.all();
  }

  /** Forgets what the market has refilled. */
  prune(): void {
    this.consumed.prune();
  }

  /** Forgets everything that was taken, for a new session. */
  clear(): void {
    this.consumed.clear();
  }
}
