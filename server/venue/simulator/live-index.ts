/** The indices as the day goes: sums kept up to date with every trade of a constituent, levels computed from them when asked. */
import { basketsOf, constituentsOf, gather, levelOf } from "./index-basket.ts";
import type { Baskets } from "./index-basket.ts";
import type { Columns } from "#server/venue/market-data/quote-columns.ts";
import { floats } from "#server/venue/market-data/quote-columns.ts";
import type { Start } from "./daily-process.ts";
import type { Live } from "#server/venue/history/bar-history.ts";
import type { Market } from "./seeded-market.ts";

export class LiveIndices {
  readonly #columns: Columns;
  readonly #baskets: Baskets;
  readonly #minutes: number;
  /** Per row: thousands of shares, in shares of the session. */
  readonly #weights: Float64Array;
  readonly #values: Float64Array;
  readonly #lots: Float64Array;
  readonly #turnovers: Float64Array;
  /** Highest and lowest level witnessed in each minute of the session, `minutes` places per index; 0 where not. */
  readonly #seenHigh: Float64Array;
  readonly #seenLow: Float64Array;
  /** The rows of the indices. */
  readonly rows: readonly number[];

  constructor(market: Market, columns: Columns) {
    this.#columns = columns;
    this.#baskets = basketsOf(market);
    this.#minutes = market.calendar.minutes;
    this.#weights = floats(columns.count);
    this.#values = floats(this.#baskets.count);
    this.#lots = floats(this.#baskets.count);
    this.#turnovers = floats(this.#baskets.count);
    this.rows = this.#baskets.indices.map(({ row }) => row);
    this.#seenHigh = floats(this.rows.length * this.#minutes);
    this.#seenLow = floats(this.rows.length * this.#minutes);
  }

  #add(sums: Float64Array, row: number, amount: number): void {
    const group = this.#baskets.groupOf[row] ?? -1;
    if (group >= 0) sums[group] = (sums[group] ?? 0) + amount;
  }

  /** The rows an index is made of; none for what is no index. */
  constituents(row: number): number[] {
    return constituentsOf(this.#baskets, row);
  }

  /** A constituent's price moved by so much. */
  moved(row: number, by: number): void {
    this.#add(this.#values, row, by * (this.#weights[row] ?? 0));
  }

  /** A constituent traded so much more. */
  traded(row: number, lots: number, turnover: number): void {
    this.#add(this.#lots, row, lots);
    this.#add(this.#turnovers, row, turnover);
  }

  /** A session begins, with every index where its constituents closed and every constituent at its reference: between lie the dividends. */
  begin(startOf: (row: number) => Start | null): void {
    for (const array of [this.#values, this.#lots, this.#turnovers, this.#seenHigh, this.#seenLow]) array.fill(0);
    const closes = floats(this.#baskets.count);
    for (let row = 0; row < this.#columns.count; row += 1) {
      const start = startOf(row);
      const weight = (this.#baskets.shares[row] ?? 0) * (start?.shares ?? 0);
      this.#weights[row] = weight;
      this.#add(closes, row, (start?.previous ?? 0) * weight);
      this.moved(row, start?.reference ?? 0);
    }
    for (const basket of this.#baskets.indices) this.#columns.reference[basket.row] = levelOf(basket, gather(basket, closes));
  }

  /** The moves of every group at every minute border, to be filled by `note` and read by `replay`. */
  track(minutes: number): Float64Array {
    const moves = floats(this.#baskets.count * (minutes + 1));
    moves.set(this.#values);
    return moves;
  }

  /** Note in a track that a constituent moved by the end of a minute (mark 0: by the opening). */
  note(moves: Float64Array, row: number, mark: number, by: number): void {
    const group = this.#baskets.groupOf[row] ?? -1;
    if (group < 0 || by === 0) return;
    const place = mark * this.#baskets.count + group;
    moves[place] = (moves[place] ?? 0) + by * (this.#weights[row] ?? 0);
  }

  /** Let the day's reach contain every level of a track. */
  replay(moves: Float64Array): void {
    const { count, indices } = this.#baskets;
    for (let at = count; at < moves.length; at += 1) moves[at] = (moves[at] ?? 0) + (moves[at - count] ?? 0);
    for (const basket of indices) {
      for (let from = 0; from < moves.length; from += count)
        this.#columns.stretch(basket.row, levelOf(basket, gather(basket, moves, from)));
    }
  }

  /** Open the indices on the opens of their constituents, and put them where the minutes before `minute` left them. */
  open(opens: (row: number) => number, minute: number): void {
    const columns = this.#columns;
    const sums = floats(this.#baskets.count);
    for (let row = 0; row < columns.count; row += 1) this.#add(sums, row, opens(row) * (this.#weights[row] ?? 0));
    for (const basket of this.#baskets.indices) {
      const { row } = basket;
      const level = levelOf(basket, gather(basket, sums));
      columns.open[row] = level;
      columns.stretch(row, level);
      columns.last[row] = minute === 0 ? level : levelOf(basket, gather(basket, this.#values));
      columns.volume[row] = gather(basket, this.#lots);
    }
  }

  /** A minute begins where the last one ended. */
  turn(): void {
    const { minuteOpen, minuteHigh, minuteLow, lotsBefore, last, volume } = this.#columns;
    for (const row of this.rows) {
      minuteOpen[row] = minuteHigh[row] = minuteLow[row] = last[row] ?? 0;
      lotsBefore[row] = volume[row] ?? 0;
    }
  }

  /** Compute every index from its constituents as they stand. */
  print(minute: number, now: number): void {
    const columns = this.#columns;
    if (minute < 0) return;
    for (let nth = 0; nth < this.rows.length; nth += 1) {
      const basket = this.#baskets.indices[nth];
      if (!basket) continue;
      const { row } = basket;
      const level = levelOf(basket, gather(basket, this.#values));
      columns.last[row] = level;
      columns.reach(row, level);
      columns.volume[row] = gather(basket, this.#lots);
      columns.turnover[row] = gather(basket, this.#turnovers);
      columns.touch(row, now);
      if (minute >= this.#minutes) continue;
      const place = nth * this.#minutes + minute;
      this.#seenHigh[place] = columns.minuteHigh[row] ?? level;
      this.#seenLow[place] = columns.minuteLow[row] ?? level;
    }
  }

  /** What was witnessed of an index, minute by minute; null for anything else. */
  seen(row: number): Live["seen"] {
    const nth = this.rows.indexOf(row);
    if (nth < 0) return null;
    const from = nth * this.#minutes;
    return { high: this.#seenHigh.slice(from, from + this.#minutes), low: this.#seenLow.slice(from, from + this.#minutes) };
  }
}
