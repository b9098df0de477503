/** The newest quote of every instrument, one row of numbers in wire order each, with marks for rows changed since the last frame. */
import { QUOTE_STRIDE } from "#contract/quote.ts";

/** Field offsets inside a row. */
export const SEQ = 1;
export const AT = 2;
export const LAST = 3;
export const OPEN = 4;
export const HIGH = 5;
export const LOW = 6;
export const REFERENCE = 7;
export const VOLUME = 8;
export const TURNOVER = 9;
export const BID = 10;
export const ASK = 11;

export class QuoteTable {
  rows: number;
  /** Float64, because `at`, turnover and volume exceed 32 bits. */
  values: Float64Array;
  #marked: Uint8Array;
  #changed: number[] = [];

  constructor(rows: number) {
    this.rows = rows;
    this.values = new Float64Array(rows * QUOTE_STRIDE);
    this.#marked = new Uint8Array(rows);
  }

  /** Appends rows without quotes. */
  grow(rows: number): void {
    const { values } = this;
    const marked = this.#marked;
    this.rows = rows;
    this.values = new Float64Array(rows * QUOTE_STRIDE);
    this.values.set(values);
    this.#marked = new Uint8Array(rows);
    this.#marked.set(marked);
  }

  /** Applies the quotes from offset `from`, dropping outdated quotes and unknown rows. Returns how many were applied. */
  apply(flat: ArrayLike<number>, from: number): number {
    const { values } = this;
    let applied = 0;
    for (let at = from; at + QUOTE_STRIDE <= flat.length; at += QUOTE_STRIDE) {
      const row = flat[at] ?? -1;
      if (row < 0 || row >= this.rows) continue;
      const to = row * QUOTE_STRIDE;
      if (!isNewer(flat, at, values, to)) continue;
      for (let field = 0; field < QUOTE_STRIDE; field++) values[to + field] = flat[at + field] ?? 0;
      this.mark(row);
      applied++;
    }
    return applied;
  }

  /** The next quotes may come from another server, which counts changes for itself: of each row the next one is taken. */
  newStream(): void {
    for (let to = SEQ; to < this.values.length; to += QUOTE_STRIDE) this.values[to] = 0;
  }

  /** One value of a row; 0 if unknown. */
  get(row: number, field: number): number {
    return this.values[row * QUOTE_STRIDE + field] ?? 0;
  }

  /** The whole row, in wire order. */
  flat(row: number): number[] {
    return Array.from(this.values.subarray(row * QUOTE_STRIDE, (row + 1) * QUOTE_STRIDE));
  }

  mark(row: number): void {
    if (this.#marked[row] !== 0) return;
    this.#marked[row] = 1;
    this.#changed.push(row);
  }

  isMarked(row: number): boolean {
    return this.#marked[row] === 1;
  }

  get anyMarked(): boolean {
    return this.#changed.length > 0;
  }

  /** Clears the marks after a frame was sent. */
  clearMarks(): void {
    for (const row of this.#changed) this.#marked[row] = 0;
    this.#changed = [];
  }
}

/**
 * Compares by `seq`. A restarted server counts from the start again, which its later clock reveals; without that check a client would
 * reject every quote of the new process.
 */
function isNewer(flat: ArrayLike<number>, from: number, known: Float64Array, to: number): boolean {
  return (flat[from + SEQ] ?? 0) > (known[to + SEQ] ?? 0) || (flat[from + AT] ?? 0) > (known[to + AT] ?? 0);
}
