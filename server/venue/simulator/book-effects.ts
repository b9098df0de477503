/** Members' effects on a simulated market: emitted to those who show the same market elsewhere, and taken from them. */
import type { Execution, Want } from "#server/venue/matching/book-sweep.ts";
import type { JoinedOrders } from "#server/venue/matching/call-auction.ts";
import type { TakenLevels } from "#server/venue/matching/consumed-liquidity.ts";
import type { MarketEffects, MemberEffect } from "#server/venue/matching/member-effect.ts";
import type { DisplayedBook } from "./displayed-book.ts";

/** What the effects change. */
export interface Affected {
  book: DisplayedBook;
  /** Members' orders in the next call of a row. */
  joined: (row: number) => JoinedOrders | null;
  /** Counts a change of a row and publishes it with the next update. */
  touch: (row: number) => void;
}

export class BookEffects implements MarketEffects {
  readonly #affected: Affected;
  readonly #listeners = new Set<(effect: MemberEffect) => void>();

  constructor(affected: Affected) {
    this.#affected = affected;
  }

  /** Takes the executions of an order out of the displayed book, and emits that. */
  consume(want: Want, executions: readonly Execution[]): void {
    if (executions.length === 0) return;
    const taken = this.#affected.book.consume(want, executions);
    this.#affected.touch(want.row);
    this.emit({ taken });
  }

  emit(effect: MemberEffect): void {
    for (const listener of this.#listeners) listener(effect);
  }

  onEffect(listener: (effect: MemberEffect) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  take(taken: TakenLevels): void {
    this.#affected.book.take(taken);
    this.#affected.touch(taken.row);
  }

  readonly taken = (): TakenLevels[] => this.#affected.book.taken();

  replaceTaken(all: readonly TakenLevels[]): void {
    const { book, touch } = this.#affected;
    const rows = new Set([...book.taken(), ...all].map(({ row }) => row));
    book.clear();
    for (const taken of all) book.take(taken);
    for (const row of rows) touch(row);
  }

  readonly joined = (row: number): JoinedOrders | null => this.#affected.joined(row);
  readonly touch = (row: number): void => this.#affected.touch(row);
}
