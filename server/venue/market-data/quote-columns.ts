/** The quote table of a market: one typed array per field, one entry per instrument. */
import { PRICE_ONE } from "#contract/kernel/money.ts";
import type { Quote } from "#contract/quote.ts";

/** A zero-filled array of numbers. */
export const floats = (count: number): Float64Array => new Float64Array(count);

export class Columns {
  readonly count: number;
  readonly seq: Float64Array;
  readonly at: Float64Array;
  readonly last: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly reference: Float64Array;
  /** Lots. */
  readonly volume: Float64Array;
  /** Price units times lots. */
  readonly turnover: Float64Array;
  /** Version of the book: grows with every change by the market, not with what members consume. */
  readonly book: Int32Array;
  /** The bar of the current minute; open 0 while nothing has traded in it. */
  readonly minuteOpen: Float64Array;
  readonly minuteHigh: Float64Array;
  readonly minuteLow: Float64Array;
  /** Volume and turnover at the start of the current minute. */
  readonly lotsBefore: Float64Array;
  readonly turnoverBefore: Float64Array;

  constructor(count: number) {
    this.count = count;
    this.seq = floats(count).fill(1);
    this.at = floats(count);
    this.last = floats(count);
    this.open = floats(count);
    this.high = floats(count);
    this.low = floats(count);
    this.reference = floats(count);
    this.volume = floats(count);
    this.turnover = floats(count);
    this.book = new Int32Array(count);
    this.minuteOpen = floats(count);
    this.minuteHigh = floats(count);
    this.minuteLow = floats(count);
    this.lotsBefore = floats(count);
    this.turnoverBefore = floats(count);
  }

  /** Clears what belongs to a session. */
  protected clearSession(now: number): void {
    const { last, open, high, low, volume, turnover, lotsBefore, turnoverBefore } = this;
    for (const array of [last, open, high, low, volume, turnover, lotsBefore, turnoverBefore]) array.fill(0);
    this.at.fill(now);
  }

  /** Extends the day's range to include a price. */
  extendDay(row: number, price: number): void {
    if (price > (this.high[row] ?? 0)) this.high[row] = price;
    const low = this.low[row] ?? 0;
    if (low === 0 || price < low) this.low[row] = price;
  }

  /** Extends the day's and the current minute's range to include a traded price; the first one opens them. */
  recordPrice(row: number, price: number): void {
    this.extendDay(row, price);
    if (this.open[row] === 0) this.open[row] = price;
    if (this.minuteOpen[row] === 0) {
      this.minuteOpen[row] = this.minuteHigh[row] = this.minuteLow[row] = price;
    } else {
      this.minuteHigh[row] = Math.max(this.minuteHigh[row] ?? 0, price);
      this.minuteLow[row] = Math.min(this.minuteLow[row] ?? 0, price);
    }
  }

  /** Marks a row as changed by the market: new quote, new book version. */
  touch(row: number, now: number): void {
    this.seq[row] = (this.seq[row] ?? 0) + 1;
    this.book[row] = (this.book[row] ?? 0) + 1;
    this.at[row] = now;
  }

  /** Marks a row as changed by what members did: the market's own draws must not depend on it. */
  requote(row: number, now: number): void {
    this.seq[row] = (this.seq[row] ?? 0) + 1;
    this.at[row] = now;
  }

  /** The quote of a row, with the given best bid and ask. */
  quote(row: number, { bid, ask }: { bid: number; ask: number }, lotShares: number): Quote {
    return {
      row,
      seq: this.seq[row] ?? 0,
      at: this.at[row] ?? 0,
      last: this.last[row] ?? 0,
      open: this.open[row] ?? 0,
      high: this.high[row] ?? 0,
      low: this.low[row] ?? 0,
      reference: this.reference[row] ?? 0,
      volume: this.volume[row] ?? 0,
      turnover: Math.round(((this.turnover[row] ?? 0) * lotShares) / PRICE_ONE),
      bid,
      ask,
    };
  }
}
