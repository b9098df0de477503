/**
 * Keeps the index sums up to date with the trades of the constituents, and computes the levels from them. Within a minute a share often
 * trades higher or lower for some seconds only, as between bid and ask; an index that counted each such trade in full would tell by it
 * where it turns back to. So until a minute's last trade a share counts with as much of its move as stays on average.
 */
import { tickSize } from "#contract/tick.ts";
import { basketsOf, constituentsOf, sumGroups, levelOf } from "./index-basket.ts";
import type { Baskets } from "./index-basket.ts";
import type { Columns } from "#server/venue/market-data/quote-columns.ts";
import { floats } from "#server/venue/market-data/quote-columns.ts";
import type { Start } from "./daily-process.ts";
import type { LiveBars } from "./live-bars.ts";
import type { SeededMarket } from "./seeded-market.ts";

/** How much of a move beyond one tick stays until the end of its minute; of the first tick nearly nothing does. */
const LASTING = 0.5;

export class LiveIndices {
  readonly #columns: Columns;
  readonly baskets: Baskets;
  readonly #minutes: number;
  /** Per row: thousands of shares, in shares of the session. */
  readonly #weights: Float64Array;
  /** Per row: the price that counts, and that of the last minute's end. */
  readonly #counted: Float64Array;
  readonly #settled: Float64Array;
  readonly #values: Float64Array;
  readonly #lots: Float64Array;
  readonly #turnovers: Float64Array;
  /** Highest and lowest level observed in each minute of the session, `minutes` entries per index; 0 where none. */
  readonly #observedHigh: Float64Array;
  readonly #observedLow: Float64Array;
  /** The value of each group at the borders of the session's minutes, `baskets.count` entries each. */
  readonly marks: Float64Array;
  /** Called when the levels have been computed. */
  published = (): void => undefined;
  /** Per index row: what the session's ex-dates have taken from it. */
  readonly #exDividends = new Map<number, number>();
  /** The rows of the indices. */
  readonly rows: readonly number[];

  constructor(market: SeededMarket, columns: Columns) {
    this.#columns = columns;
    this.baskets = basketsOf(market);
    this.#minutes = market.calendar.minutes;
    this.#weights = floats(columns.count);
    this.#counted = floats(columns.count);
    this.#settled = floats(columns.count);
    this.#values = floats(this.baskets.count);
    this.#lots = floats(this.baskets.count);
    this.#turnovers = floats(this.baskets.count);
    this.rows = this.baskets.indices.map(({ row }) => row);
    this.marks = floats(this.baskets.count * (this.#minutes + 1));
    this.#observedHigh = floats(this.rows.length * this.#minutes);
    this.#observedLow = floats(this.rows.length * this.#minutes);
  }

  #add(sums: Float64Array, row: number, amount: number): void {
    const group = this.baskets.groupOf[row] ?? -1;
    if (group >= 0) sums[group] = (sums[group] ?? 0) + amount;
  }

  /** The rows an index consists of; empty for a row that is no index. */
  constituents(row: number): number[] {
    return constituentsOf(this.baskets, row);
  }

  /** Thousands of shares of a constituent, in shares of the session. */
  weight(row: number): number {
    return this.#weights[row] ?? 0;
  }

  /** The level of an index for a market value of its constituents; null for a row that is no index. */
  levelFor(row: number, value: number): number | null {
    const basket = this.baskets.indices.find((one) => one.row === row);
    return basket ? levelOf(basket, value) : null;
  }

  /** Applies a constituent's trade; in full if it is the last one of a minute, `ends`. */
  moved(row: number, price: number, ends: boolean): void {
    if (ends) this.#settled[row] = price;
    const settled = this.#settled[row] ?? 0;
    const beyond = Math.max(0, Math.abs(price - settled) - tickSize("stock", Math.min(price, settled)));
    const counts = settled + Math.sign(price - settled) * beyond * LASTING;
    const by = counts - (this.#counted[row] ?? 0);
    this.#counted[row] = counts;
    if (by !== 0) this.#add(this.#values, row, by * (this.#weights[row] ?? 0));
  }

  /** Applies further lots and turnover of a constituent. */
  traded(row: number, lots: number, turnover: number): void {
    this.#add(this.#lots, row, lots);
    this.#add(this.#turnovers, row, turnover);
  }

  /**
   * Starts a session. Indices start at their constituents' closes and constituents at their references; the difference is the
   * dividends.
   */
  begin(startOf: (row: number) => Start | null): void {
    for (const array of [this.#counted, this.#settled, this.#values, this.#lots, this.#turnovers, this.#observedHigh, this.#observedLow])
      array.fill(0);
    const closes = floats(this.baskets.count);
    for (let row = 0; row < this.#columns.count; row += 1) {
      const start = startOf(row);
      const weight = (this.baskets.shares[row] ?? 0) * (start?.shares ?? 0);
      this.#weights[row] = weight;
      this.#add(closes, row, (start?.previous ?? 0) * weight);
      this.moved(row, start?.reference ?? 0, true);
    }
    for (const basket of this.baskets.indices) {
      const close = levelOf(basket, sumGroups(basket, closes));
      this.#columns.reference[basket.row] = close;
      this.#exDividends.set(basket.row, Math.max(0, close - levelOf(basket, sumGroups(basket, this.#values))));
    }
  }

  /** What an index lost to the dividends of the session's ex-dates; 0 for any other row. */
  exDividend(row: number): number {
    return this.#exDividends.get(row) ?? 0;
  }

  /** A table of group value changes at every minute border, filled by `noteMove` and read by `replay`. */
  newMoveTable(minutes: number): Float64Array {
    const moves = floats(this.baskets.count * (minutes + 1));
    moves.set(this.#values);
    return moves;
  }

  /** Adds a constituent's move by the end of a minute to the table (mark 0: by the opening). */
  noteMove(moves: Float64Array, row: number, mark: number, by: number): void {
    const group = this.baskets.groupOf[row] ?? -1;
    if (group < 0 || by === 0) return;
    const place = mark * this.baskets.count + group;
    moves[place] = (moves[place] ?? 0) + by * (this.#weights[row] ?? 0);
  }

  /** Extends the day's range of every index by all levels in the table, which begins at the border before a minute. */
  replay(moves: Float64Array, from: number): void {
    const { count, indices } = this.baskets;
    for (let at = count; at < moves.length; at += 1) moves[at] = (moves[at] ?? 0) + (moves[at - count] ?? 0);
    this.marks.set(moves, from * count);
    for (const basket of indices) {
      for (let at = 0; at < moves.length; at += count) this.#columns.extendDay(basket.row, levelOf(basket, sumGroups(basket, moves, at)));
    }
  }

  /** Opens the indices at the opens of their constituents, and sets them to their state before `minute`. */
  open(opens: (row: number) => number, minute: number): void {
    const columns = this.#columns;
    const sums = floats(this.baskets.count);
    for (let row = 0; row < columns.count; row += 1) this.#add(sums, row, opens(row) * (this.#weights[row] ?? 0));
    if (minute === 0) this.marks.set(sums);
    for (const basket of this.baskets.indices) {
      const { row } = basket;
      const level = levelOf(basket, sumGroups(basket, sums));
      columns.open[row] = level;
      columns.extendDay(row, level);
      columns.last[row] = minute === 0 ? level : levelOf(basket, sumGroups(basket, this.#values));
      columns.volume[row] = sumGroups(basket, this.#lots);
    }
  }

  /** Starts a minute where the last one ended. */
  startMinute(minute: number): void {
    if (minute > 0 && minute <= this.#minutes) this.marks.set(this.#values, minute * this.baskets.count);
    const { minuteOpen, minuteHigh, minuteLow, lotsBefore, last, volume } = this.#columns;
    for (const row of this.rows) {
      minuteOpen[row] = minuteHigh[row] = minuteLow[row] = last[row] ?? 0;
      lotsBefore[row] = volume[row] ?? 0;
    }
  }

  /** Computes every index from its constituents' current prices. */
  publish(minute: number, now: number): void {
    const columns = this.#columns;
    if (minute < 0) return;
    for (let nth = 0; nth < this.rows.length; nth += 1) {
      const basket = this.baskets.indices[nth];
      if (!basket) continue;
      const { row } = basket;
      const level = levelOf(basket, sumGroups(basket, this.#values));
      columns.last[row] = level;
      columns.recordPrice(row, level);
      columns.volume[row] = sumGroups(basket, this.#lots);
      columns.turnover[row] = sumGroups(basket, this.#turnovers);
      columns.touch(row, now);
      // The last minute goes on while closes are put off.
      const isOver = minute >= this.#minutes;
      const place = nth * this.#minutes + Math.min(minute, this.#minutes - 1);
      const [high, low] = [columns.minuteHigh[row] ?? level, columns.minuteLow[row] ?? level];
      this.#observedHigh[place] = isOver ? Math.max(high, this.#observedHigh[place] ?? 0) : high;
      this.#observedLow[place] = isOver ? Math.min(low, this.#observedLow[place] || low) : low;
    }
    this.published();
  }

  /** The level of the nth index now with so much more value of the groups. */
  levelWith(nth: number, more: Float64Array): number {
    const basket = this.baskets.indices[nth];
    return basket ? levelOf(basket, sumGroups(basket, this.#values) + sumGroups(basket, more)) : 0;
  }

  /** Its level at the border of a minute that is over, with so much more at the borders. */
  levelAt(nth: number, mark: number, more: Float64Array): number {
    const basket = this.baskets.indices[nth];
    const from = mark * this.baskets.count;
    return basket ? levelOf(basket, sumGroups(basket, this.marks, from) + sumGroups(basket, more, from)) : 0;
  }

  /** The range observed of an index in each minute; null for anything else. */
  observed(row: number): LiveBars["observed"] {
    const nth = this.rows.indexOf(row);
    if (nth < 0) return null;
    const from = nth * this.#minutes;
    return { high: this.#observedHigh.slice(from, from + this.#minutes), low: this.#observedLow.slice(from, from + this.#minutes) };
  }
}
