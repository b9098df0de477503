/** The tape: every instrument's newest trades one by one, and the day's lots by who began them; constant memory, any venue. */
import { MAX_TRADES } from "#contract/tape.ts";
import { floats } from "./quote-columns.ts";

/** Who began a trade: 1 a buyer, -1 a seller, 0 an auction. */
export type Side = 1 | 0 | -1;

export class Tape {
  /** The day's trades so far: the number of the newest. */
  readonly count: Int32Array;
  /** The day's lots traded at the buyers' price and at the sellers'; auctions count to neither. */
  readonly atBid: Float64Array;
  readonly atAsk: Float64Array;
  /** Up to which number the trades were counted, and not seen. */
  readonly #unseen: Int32Array;
  readonly #at: Float64Array;
  readonly #price: Float64Array;
  readonly #lots: Int32Array;
  readonly #side: Int8Array;

  /** A tape of so many rows. */
  constructor(rows: number) {
    const places = rows * MAX_TRADES;
    this.count = new Int32Array(rows);
    this.#unseen = new Int32Array(rows);
    this.atBid = floats(rows);
    this.atAsk = floats(rows);
    this.#at = floats(places);
    this.#price = floats(places);
    this.#lots = new Int32Array(places);
    this.#side = new Int8Array(places);
  }

  /** Another day: nothing has traded yet. */
  clear(): void {
    for (const array of [this.count, this.#unseen, this.atBid, this.atAsk]) array.fill(0);
  }

  #write(row: number, n: number, at: number, price: number, lots: number, side: Side): void {
    const place = row * MAX_TRADES + (n % MAX_TRADES);
    this.#at[place] = at;
    this.#price[place] = price;
    this.#lots[place] = lots;
    this.#side[place] = side;
  }

  /** A trade happened. */
  note(row: number, at: number, price: number, lots: number, side: Side): void {
    const n = (this.count[row] ?? 0) + 1;
    this.count[row] = n;
    if (side > 0) this.atAsk[row] = (this.atAsk[row] ?? 0) + lots;
    else if (side < 0) this.atBid[row] = (this.atBid[row] ?? 0) + lots;
    this.#write(row, n, at, price, lots, side);
  }

  /** So many trades happened that nobody needs to see yet: they count, and `recall` may fill in what they were. */
  pass(row: number, trades: number, atBid: number, atAsk: number): void {
    const n = (this.count[row] ?? 0) + trades;
    this.count[row] = n;
    this.#unseen[row] = n;
    this.atBid[row] = (this.atBid[row] ?? 0) + atBid;
    this.atAsk[row] = (this.atAsk[row] ?? 0) + atAsk;
  }

  /** Which of the newest trades were counted and not seen, as the numbers of the first and the last; null when none. */
  unseen(row: number): { first: number; last: number } | null {
    const last = this.#unseen[row] ?? 0;
    const first = Math.max(1, (this.count[row] ?? 0) - MAX_TRADES + 1);
    return last >= first ? { first, last } : null;
  }

  /** Fill in what trade `n` was. The oldest unseen one is filled in last: then all are seen. */
  recall(row: number, n: number, at: number, price: number, lots: number, side: Side): void {
    const { first, last } = this.unseen(row) ?? { first: 0, last: -1 };
    if (n < first || n > last) return;
    this.#write(row, n, at, price, lots, side);
    if (n === first) this.#unseen[row] = 0;
  }

  /** The newest trades numbered above `after`, at most `limit` and `MAX_TRADES`, flat TAPE_FIELDS, oldest first; none that is unseen. */
  read(row: number, after: number, limit: number): number[] {
    const newest = this.count[row] ?? 0;
    const flat: number[] = [];
    const before = Math.max(after, newest - Math.min(limit, MAX_TRADES), this.#unseen[row] ?? 0);
    for (let n = before + 1; n <= newest; n += 1) {
      const place = row * MAX_TRADES + (n % MAX_TRADES);
      flat.push(n, this.#at[place] ?? 0, this.#price[place] ?? 0, this.#lots[place] ?? 0, this.#side[place] ?? 0);
    }
    return flat;
  }
}
