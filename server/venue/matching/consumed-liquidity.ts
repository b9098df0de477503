/** What members took out of displayed books: it is missing from them until the market has refilled it, little by little. */
import type { Execution, Want } from "./book-sweep.ts";

/** Minutes until the market offers two thirds of what was taken again. */
const REFILL_MINUTES = 5;
/** From so little on a book is as if nothing had been taken. */
const NEGLIGIBLE_LOTS = 0.5;

/** A side of a book. */
export type BookSide = "bids" | "asks";

/** Lots that are taken out of one side of a row's displayed book: in the units of orders, at a time by the clock of the row. */
export interface TakenLevels {
  row: number;
  side: BookSide;
  at: number;
  levels: (readonly [price: number, lots: number])[];
}

/** The clock of the books: of a row, when it last changed, and how long a minute of the market is. */
export interface BookClock {
  at: (row: number) => number;
  minuteMs: number;
}

interface Taken {
  lots: number;
  at: number;
}

const keyOf = (side: BookSide, price: number): number => (side === "bids" ? price : -price);

export class ConsumedLiquidity {
  readonly #rows = new Map<number, Map<number, Taken>>();
  readonly #clock: BookClock;

  constructor(clock: BookClock) {
    this.#clock = clock;
  }

  #left({ lots, at }: Taken, now: number): number {
    return lots * Math.exp(-Math.max(0, now - at) / (REFILL_MINUTES * this.#clock.minuteMs));
  }

  /** Whether anything is missing from a row's book. */
  has(row: number): boolean {
    return this.#rows.has(row);
  }

  /** Whole lots missing at a price. */
  of(row: number, side: BookSide, price: number): number {
    const taken = this.#rows.get(row)?.get(keyOf(side, price));
    const left = taken ? this.#left(taken, this.#clock.at(row)) : 0;
    return left < NEGLIGIBLE_LOTS ? 0 : Math.ceil(left);
  }

  #take(row: number, side: BookSide, price: number, lots: number, at: number): void {
    const levels = this.#rows.get(row) ?? new Map<number, Taken>();
    this.#rows.set(row, levels);
    const before = levels.get(keyOf(side, price));
    levels.set(keyOf(side, price), { lots: lots + (before ? this.#left(before, at) : 0), at });
  }

  /** Records the executions of an order as taken. @returns what they took */
  consume({ row, side }: Want, executions: readonly Execution[]): TakenLevels {
    const levels = executions.map(({ price, lots }): [number, number] => [price, lots]);
    const taken: TakenLevels = { row, side: side === "buy" ? "asks" : "bids", at: this.#clock.at(row), levels };
    this.take(taken);
    return taken;
  }

  /** Records what was taken at a time by the clock of the row. */
  take({ row, side, at, levels }: TakenLevels): void {
    for (const [price, lots] of levels) this.#take(row, side, price, lots, at);
  }

  /** Everything that is missing. */
  all(): TakenLevels[] {
    return [...this.#rows].flatMap(([row, levels]) =>
      [...levels].map(([key, { lots, at }]): TakenLevels => ({
        row,
        side: key > 0 ? "bids" : "asks",
        at,
        levels: [[Math.abs(key), lots]],
      })),
    );
  }

  /** Forgets what has been refilled. */
  prune(): void {
    for (const [row, levels] of this.#rows) {
      const now = this.#clock.at(row);
      for (const [key, taken] of levels) if (this.#left(taken, now) < NEGLIGIBLE_LOTS) levels.delete(key);
      if (levels.size === 0) this.#rows.delete(row);
    }
  }

  /** Forgets everything, for a new session. */
  clear(): void {
    this.#rows.clear();
  }
}
