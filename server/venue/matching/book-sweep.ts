/** The matcher's published rule: an order walks the levels of the other side, and takes what its limit allows. */
import { price as priced } from "#contract/kernel/money.ts";
import type { Execution, Want } from "#server/venue/venue.ts";

/** One level of a book. */
export type Level = [price: number, lots: number];
/** How many levels a side shows. */
export const LEVELS = 5;

/**
 * What levels (of the side traded against, best first) give an order: each level its price, as deep as the limit allows and the
 * lots last. Changes nothing.
 */
export function sweepBook(levels: readonly Level[], want: Want): Execution[] {
  const best = levels[0]?.[0] ?? 0;
  const executions: Execution[] = [];
  let missing = want.lots;
  for (let at = 0; at < levels.length && missing > 0; at += 1) {
    const [price, lots] = levels[at] ?? [0, 0];
    if (want.limit !== null && (want.side === "buy" ? price > want.limit : price < want.limit)) break;
    const filled = Math.min(missing, lots);
    executions.push({ price: priced(price), lots: filled, level: at + 1, best: priced(best) });
    missing -= filled;
  }
  return executions;
}

type Side = "bids" | "asks";
interface Gone {
  book: number;
  bids: Map<number, number>;
  asks: Map<number, number>;
}

/** What was taken out of displayed books, remembered until the market next changes the book it was taken from. */
export class ConsumedLiquidity {
  readonly #rows = new Map<number, Gone>();
  readonly #versions: ArrayLike<number>;

  /** `versions` holds, by row, a number that grows with every change of the book by the market. */
  constructor(versions: ArrayLike<number>) {
    this.#versions = versions;
  }

  /** Lots gone by price from one side of the book as it stands; null when nothing is. */
  of(row: number, side: Side): ReadonlyMap<number, number> | null {
    const gone = this.#rows.get(row);
    return gone && gone.book === this.#versions[row] ? gone[side] : null;
  }

  /** Remember executions of an order as taken. */
  take(want: Want, executions: readonly Execution[]): void {
    const book = this.#versions[want.row] ?? 0;
    let gone = this.#rows.get(want.row);
    if (!gone || gone.book !== book) {
      gone = { book, bids: new Map(), asks: new Map() };
      this.#rows.set(want.row, gone);
    }
    const side = gone[want.side === "buy" ? "asks" : "bids"];
    for (const { price, lots } of executions) side.set(price, (side.get(price) ?? 0) + lots);
  }

  /** Forget what was taken from books that have changed since. */
  sweep(): void {
    for (const [row, gone] of this.#rows) if (gone.book !== this.#versions[row]) this.#rows.delete(row);
  }
}
