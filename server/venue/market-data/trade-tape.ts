/** The tape: every instrument's newest trades and the day's lots by aggressor side, in constant memory, for any venue. */
import { MAX_TRADES } from "#contract/tape.ts";
import { floats } from "./quote-columns.ts";

/** Aggressor side of a trade: 1 the buyer, -1 the seller, 0 an auction. */
export type AggressorSide = 1 | 0 | -1;

export class Tape {
  /** Number of the day's trades so far, which is also the number of the newest one. */
  readonly count: Int32Array;
  /** The day's lots traded at the bid and at the ask; auctions count to neither. */
  readonly atBid: Float64Array;
  readonly atAsk: Float64Array;
  /** The number up to which trades were only counted, not recorded. */
  readonly #unrecorded: Int32Array;
  /** How many trades were counted before the others when these were known already: the places of those stay. */
  readonly #before: Int32Array;
  readonly #at: Float64Array;
  readonly #price: Float64Array;
  readonly #lots: Int32Array;
  readonly #side: Int8Array;

  /** `rows`: number of instruments. */
  constructor(rows: number) {
    const places = rows * MAX_TRADES;
    this.count = new Int32Array(rows);
    this.#unrecorded = new Int32Array(rows);
    this.#before = new Int32Array(rows);
    this.atBid = floats(rows);
    this.atAsk = floats(rows);
    this.#at = floats(places);
    this.#price = floats(places);
    this.#lots = new Int32Array(places);
    this.#side = new Int8Array(places);
  }

  /** Clears the tape for a new day. */
  clear(): void {
    for (const array of [this.count, this.#unrecorded, this.#before, this.atBid, this.atAsk]) array.fill(0);
  }

  #placeOf(row: number, n: number): number {
    const nth = (n - (this.#before[row] ?? 0)) % MAX_TRADES;
    return row * MAX_TRADES + (nth < 0 ? nth + MAX_TRADES : nth);
  }

  #write(row: number, n: number, at: number, price: number, lots: number, side: AggressorSide): void {
    const place = this.#placeOf(row, n);
    this.#at[place] = at;
    this.#price[place] = price;
    this.#lots[place] = lots;
    this.#side[place] = side;
  }

  /** Records a trade. */
  record(row: number, at: number, price: number, lots: number, side: AggressorSide): void {
    const n = (this.count[row] ?? 0) + 1;
    this.count[row] = n;
    if (side > 0) this.atAsk[row] = (this.atAsk[row] ?? 0) + lots;
    else if (side < 0) this.atBid[row] = (this.atBid[row] ?? 0) + lots;
    this.#write(row, n, at, price, lots, side);
  }

  /** Counts trades without recording them; `backfill` may fill them in later. */
  countOnly(row: number, trades: number, atBid: number, atAsk: number): void {
    const n = (this.count[row] ?? 0) + trades;
    this.count[row] = n;
    this.#unrecorded[row] = n;
    this.atBid[row] = (this.atBid[row] ?? 0) + atBid;
    this.atAsk[row] = (this.atAsk[row] ?? 0) + atAsk;
  }

  /** The same of trades that came before all that are known, whose numbers grow by theirs. */
  countBefore(row: number, trades: number, atBid: number, atAsk: number): void {
    this.count[row] = (this.count[row] ?? 0) + trades;
    this.#before[row] = (this.#before[row] ?? 0) + trades;
    this.#unrecorded[row] = (this.#unrecorded[row] ?? 0) + trades;
    this.atBid[row] = (this.atBid[row] ?? 0) + atBid;
    this.atAsk[row] = (this.atAsk[row] ?? 0) + atAsk;
  }

  /** The numbers of the first and last of the newest trades that were counted but not recorded; null when there are none. */
  unrecorded(row: number): { first: number; last: number } | null {
    const last = this.#unrecorded[row] ?? 0;
    const first = Math.max(1, (this.count[row] ?? 0) - MAX_TRADES + 1);
    return last >= first ? { first, last } : null;
  }

  /** Fills in trade `n`. Fill in the oldest unrecorded one last: it marks all as recorded. */
  backfill(row: number, n: number, at: number, price: number, lots: number, side: AggressorSide): void {
    const { first, last } = this.unrecorded(row) ?? { first: 0, last: -1 };
    if (n < first || n > last) return;
    this.#write(row, n, at, price, lots, side);
    if (n === first) this.#unrecorded[row] = 0;
  }

  /** The newest trades numbered above `after`, at most `limit` and `MAX_TRADES`, flat TAPE_FIELDS, oldest first; only recorded ones. */
  read(row: number, after: number, limit: number): number[] {
    const newest = this.count[row] ?? 0;
    const flat: number[] = [];
    const before = Math.max(after, newest - Math.min(limit, MAX_TRADES), this.#unrecorded[row] ?? 0);
    for (let n = before + 1; n <= newest; n += 1) {
      const place = this.#placeOf(row, n);
      flat.push(n, this.#at[place] ?? 0, this.#price[place] ?? 0, this.#lots[place] ?? 0, this.#side[place] ?? 0);
    }
    return flat;
  }
}
