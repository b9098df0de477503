/** The trading floor: the state of every instrument at one moment, in typed arrays, moved on minute by minute and trade by trade. */
import { toTick } from "#contract/tick.ts";
import { basketsOf, gather, levelOf } from "./basket.ts";
import type { Baskets } from "./basket.ts";
import type { Position } from "./calendar.ts";
import { mix, unit } from "./hash.ts";
import type { Live } from "./history.ts";
import { MOST_TRADES, Path } from "./intraday.ts";
import type { Bar, Trades } from "./intraday.ts";
import { Diary } from "./market.ts";
import type { Market } from "./market.ts";

const floats = (count: number): Float64Array => new Float64Array(count);

export class Floor {
  readonly market: Market;
  readonly baskets: Baskets;
  readonly count: number;
  session = -1;
  minute = -1;
  readonly seq: Float64Array;
  readonly at: Float64Array;
  readonly last: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly reference: Float64Array;
  readonly volume: Float64Array;
  /** Price units times lots. */
  readonly turnover: Float64Array;
  /** Grows with every change of the book by the market, not by what is consumed from it. */
  readonly book: Int32Array;
  /** The running bar of the current minute; open 0 while nothing has traded in it. */
  readonly minuteOpen: Float64Array;
  readonly minuteHigh: Float64Array;
  readonly minuteLow: Float64Array;
  /** Volume when the current minute began. */
  readonly lotsBefore: Float64Array;
  readonly trades: Trades;
  /** How many of the minute's key trades have been printed. */
  readonly printed: Uint8Array;
  /** Highest and lowest level seen in each minute of the session, `minutes` places per index; 0 where not witnessed. */
  readonly seenHigh: Float64Array;
  readonly seenLow: Float64Array;
  readonly #paths: (Path | null)[];
  readonly #diaries: (Diary | null)[];
  readonly #turnoverBefore: Float64Array;
  readonly #mean: Float64Array;
  readonly #bars: Bar[];
  readonly #values: Float64Array;
  readonly #lots: Float64Array;
  readonly #turnovers: Float64Array;

  constructor(market: Market) {
    this.market = market;
    this.baskets = basketsOf(market);
    const count = market.universe.listings.length;
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
    const places = count * MOST_TRADES;
    this.trades = { count: new Uint8Array(count), offset: new Int32Array(places), price: floats(places), lots: new Int32Array(places) };
    this.printed = new Uint8Array(count);
    const marks = this.baskets.indices.length * market.calendar.minutes;
    this.seenHigh = floats(marks);
    this.seenLow = floats(marks);
    this.#paths = Array.from({ length: count }, () => null);
    this.#diaries = Array.from({ length: count }, () => null);
    this.#turnoverBefore = floats(count);
    this.#mean = floats(count);
    this.#bars = Array.from({ length: count }, () => ({ open: 0, high: 0, low: 0, close: 0, volume: 0 }));
    this.#values = floats(this.baskets.count);
    this.#lots = floats(this.baskets.count);
    this.#turnovers = floats(this.baskets.count);
  }

  /** Bring the floor to a moment. Says whether a new session began, so that everything changed. */
  move(position: Position, now: number): boolean {
    const began = position.session !== this.session;
    if (began) {
      this.#begin(position.session, now);
      this.#replay(position.minute);
      this.#takeIndices(position.minute);
      this.#load(position.minute);
      for (let row = 0; row < this.count; row += 1) this.print(row, position.offsetMs, now);
      this.printIndices(now);
    } else {
      while (this.minute < position.minute) {
        this.#settle(now);
        this.#load(this.minute + 1);
      }
    }
    return began;
  }

  #begin(session: number, now: number): void {
    const { walkers } = this.market;
    const follows = session === this.session + 1;
    const shape = this.market.shape(session);
    this.#values.fill(0);
    this.#lots.fill(0);
    this.#turnovers.fill(0);
    this.seenHigh.fill(0);
    this.seenLow.fill(0);
    for (const array of [this.last, this.open, this.high, this.low, this.volume, this.turnover, this.#turnoverBefore, this.lotsBefore])
      array.fill(0);
    for (let row = 0; row < this.count; row += 1) {
      const who = walkers[row];
      this.at[row] = now;
      if (!who) continue;
      const diary = (follows ? this.#diaries[row] : null) ?? new Diary(who, session);
      this.#diaries[row] = diary;
      const day = diary.next();
      this.#paths[row] = new Path(who, day, shape);
      this.reference[row] = day.reference;
      const group = this.baskets.groupOf[row] ?? -1;
      if (group >= 0) this.#values[group] = (this.#values[group] ?? 0) + day.reference * (this.baskets.shares[row] ?? 0);
    }
    for (const basket of this.baskets.indices) this.reference[basket.row] = levelOf(basket, gather(basket, this.#values));
    this.session = session;
    this.minute = -1;
  }

  /** Live through the minutes before one at once: where the day stands, and how high and low its indices went. */
  #replay(until: number): void {
    const done = Math.min(until, this.market.calendar.minutes);
    if (done <= 0) return;
    const { count, groupOf, shares } = this.baskets;
    const marks = floats(this.market.calendar.minutes + 1);
    const traded = new Int32Array(marks.length);
    const moves = floats(count * (done + 1));
    for (let group = 0; group < count; group += 1) moves[group] = this.#values[group] ?? 0;
    const bar: Bar = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    for (let row = 0; row < this.count; row += 1) {
      const path = this.#paths[row];
      if (!path) continue;
      const group = groupOf[row] ?? -1;
      const weight = shares[row] ?? 0;
      let value = path.day.reference;
      path.tape(marks, traded, done);
      for (let minute = 0; minute < done; minute += 1) {
        const lots = traded[minute] ?? 0;
        if (lots === 0) continue;
        path.bar(minute, marks[minute] ?? 0, marks[minute + 1] ?? 0, lots, bar);
        this.#absorb(row, bar);
        if (group < 0) continue;
        const place = minute === 0 ? group : 0;
        if (minute === 0) {
          moves[place] = (moves[place] ?? 0) + (bar.open - value) * weight;
          value = bar.open;
        }
        moves[(minute + 1) * count + group] = (moves[(minute + 1) * count + group] ?? 0) + (bar.close - value) * weight;
        value = bar.close;
      }
    }
    for (let at = count; at < moves.length; at += 1) moves[at] = (moves[at] ?? 0) + (moves[at - count] ?? 0);
    for (const basket of this.baskets.indices) {
      for (let mark = 0; mark <= done; mark += 1) {
        const level = levelOf(basket, gather(basket, moves, mark * count));
        this.#stretch(basket.row, level);
      }
    }
    this.minute = done - 1;
  }

  /** Open the indices on the opens of their constituents, and put them where the minutes before this one left them. */
  #takeIndices(minute: number): void {
    if (minute < 0) return;
    const opens = floats(this.baskets.count);
    for (let row = 0; row < this.count; row += 1) {
      const group = this.baskets.groupOf[row] ?? -1;
      if (group >= 0) opens[group] = (opens[group] ?? 0) + (this.#paths[row]?.day.open ?? 0) * (this.baskets.shares[row] ?? 0);
    }
    for (const basket of this.baskets.indices) {
      const { row } = basket;
      this.open[row] = levelOf(basket, gather(basket, opens));
      this.#stretch(row, this.open[row] ?? 0);
      this.last[row] = minute === 0 ? (this.open[row] ?? 0) : levelOf(basket, gather(basket, this.#values));
      this.volume[row] = gather(basket, this.#lots);
    }
  }

  /** Take a whole minute's bar into the day. */
  #absorb(row: number, bar: Bar): void {
    if (this.open[row] === 0) this.open[row] = bar.open;
    this.#stretch(row, bar.high);
    this.#stretch(row, bar.low);
    this.#setLast(row, bar.close);
    const lots = (this.lotsBefore[row] ?? 0) + bar.volume;
    const turnover = (this.#turnoverBefore[row] ?? 0) + (bar.volume * (bar.open + bar.high + bar.low + bar.close)) / 4;
    this.lotsBefore[row] = lots;
    this.#turnoverBefore[row] = turnover;
    this.#count(row, lots, turnover);
  }

  #stretch(row: number, price: number): void {
    if (price > (this.high[row] ?? 0)) this.high[row] = price;
    const low = this.low[row] ?? 0;
    if (low === 0 || price < low) this.low[row] = price;
  }

  #setLast(row: number, price: number): void {
    const before = this.last[row] || this.reference[row] || 0;
    this.last[row] = price;
    const group = this.baskets.groupOf[row] ?? -1;
    if (group >= 0) this.#values[group] = (this.#values[group] ?? 0) + (price - before) * (this.baskets.shares[row] ?? 0);
  }

  #count(row: number, lots: number, turnover: number): void {
    const group = this.baskets.groupOf[row] ?? -1;
    if (group >= 0) {
      this.#lots[group] = (this.#lots[group] ?? 0) + lots - (this.volume[row] ?? 0);
      this.#turnovers[group] = (this.#turnovers[group] ?? 0) + turnover - (this.turnover[row] ?? 0);
    }
    this.volume[row] = lots;
    this.turnover[row] = turnover;
  }

  /** End the current minute: whatever of it was not printed yet counts now. */
  #settle(now: number): void {
    if (this.minute < 0 || this.minute >= this.market.calendar.minutes) return;
    for (let row = 0; row < this.count; row += 1) {
      const bar = this.#bars[row];
      if (!bar || bar.volume === 0 || !this.#paths[row]) continue;
      if ((this.printed[row] ?? 0) < (this.trades.count[row] ?? 0)) this.#touch(row, now);
      this.#absorb(row, bar);
    }
  }

  #load(minute: number): void {
    const { minutes } = this.market.calendar;
    this.minute = minute;
    this.printed.fill(0);
    this.minuteOpen.fill(0);
    this.trades.count.fill(0);
    for (const { row } of this.baskets.indices) {
      this.minuteOpen[row] = this.minuteHigh[row] = this.minuteLow[row] = this.last[row] ?? 0;
      this.lotsBefore[row] = this.volume[row] ?? 0;
    }
    for (let row = 0; row < this.count; row += 1) {
      const path = this.#paths[row];
      const bar = this.#bars[row];
      if (!path || !bar) continue;
      bar.volume = 0;
      if (minute < 0 || minute >= minutes) continue;
      const lots = path.lots(minute + 1) - path.lots(minute);
      if (lots === 0) continue;
      path.bar(minute, path.mark(minute), path.mark(minute + 1), lots, bar);
      path.trades(minute, bar, this.trades, row);
      this.#mean[row] = (bar.open + bar.high + bar.low + bar.close) / 4;
    }
  }

  #touch(row: number, now: number): void {
    this.seq[row] = (this.seq[row] ?? 0) + 1;
    this.book[row] = (this.book[row] ?? 0) + 1;
    this.at[row] = now;
  }

  #trade(row: number, price: number): void {
    this.#setLast(row, price);
    this.#stretch(row, price);
    if (this.open[row] === 0) this.open[row] = price;
    if (this.minuteOpen[row] === 0) {
      this.minuteOpen[row] = this.minuteHigh[row] = this.minuteLow[row] = price;
    } else {
      this.minuteHigh[row] = Math.max(this.minuteHigh[row] ?? 0, price);
      this.minuteLow[row] = Math.min(this.minuteLow[row] ?? 0, price);
    }
  }

  /**
   * Bring one instrument to a moment of the current minute: print the key trades that are due, or, between two of them,
   * a lesser one that stays between their prices. Either way its book changes.
   */
  print(row: number, offsetMs: number, now: number): void {
    this.#touch(row, now);
    const { count, offset, price, lots } = this.trades;
    const total = count[row] ?? 0;
    const from = row * MOST_TRADES;
    let done = this.printed[row] ?? 0;
    const before = done;
    while (done < total && (offset[from + done] ?? 0) <= offsetMs) {
      this.#trade(row, price[from + done] ?? 0);
      done += 1;
    }
    if (done === 0) return;
    this.printed[row] = done;
    let traded = lots[from + done - 1] ?? 0;
    if (done === before && done < total) {
      const start = offset[from + done - 1] ?? 0;
      const share = (offsetMs - start) / Math.max(1, (offset[from + done] ?? 0) - start);
      this.#trade(row, this.#between(row, price[from + done - 1] ?? 0, price[from + done] ?? 0, share));
      traded += Math.floor(((lots[from + done] ?? 0) - traded) * share * 0.999);
    }
    this.#count(row, (this.lotsBefore[row] ?? 0) + traded, (this.#turnoverBefore[row] ?? 0) + traded * (this.#mean[row] ?? 0));
  }

  #between(row: number, one: number, other: number, share: number): number {
    const who = this.market.walkers[row];
    if (!who || one === other) return one;
    const roll = unit(mix(who.temper.key, this.book[row] ?? 0));
    const price = toTick(who.kind, one + (other - one) * Math.min(1, Math.max(0, share * 0.5 + roll * 0.7 - 0.1)));
    return Math.min(Math.max(one, other), Math.max(Math.min(one, other), price));
  }

  /** Compute every index from its constituents as they stand. */
  printIndices(now: number): void {
    const { indices } = this.baskets;
    const { minutes } = this.market.calendar;
    if (this.minute < 0) return;
    for (let nth = 0; nth < indices.length; nth += 1) {
      const basket = indices[nth];
      if (!basket) continue;
      const level = levelOf(basket, gather(basket, this.#values));
      this.#trade(basket.row, level);
      this.volume[basket.row] = gather(basket, this.#lots);
      this.turnover[basket.row] = gather(basket, this.#turnovers);
      this.#touch(basket.row, now);
      if (this.minute >= minutes) continue;
      const place = nth * minutes + this.minute;
      this.seenHigh[place] = this.minuteHigh[basket.row] ?? level;
      this.seenLow[place] = this.minuteLow[basket.row] ?? level;
    }
  }

  /** Where one instrument stands, for its history to end at. */
  live(row: number): Live {
    const { minutes } = this.market.calendar;
    const close = this.last[row] ?? 0;
    const volume = this.volume[row] ?? 0;
    const traded = volume - (this.lotsBefore[row] ?? 0);
    const day: Bar = { open: this.open[row] ?? 0, high: this.high[row] ?? 0, low: this.low[row] ?? 0, close, volume };
    const bar: Bar = {
      open: this.minuteOpen[row] ?? 0,
      high: this.minuteHigh[row] ?? 0,
      low: this.minuteLow[row] ?? 0,
      close,
      volume: traded,
    };
    const running = this.minute >= 0 && this.minute < minutes && bar.open > 0 && traded > 0;
    const nth = this.baskets.indices.findIndex((basket) => basket.row === row);
    const seen = {
      high: this.seenHigh.slice(nth * minutes, (nth + 1) * minutes),
      low: this.seenLow.slice(nth * minutes, (nth + 1) * minutes),
    };
    return {
      session: this.session,
      minute: this.minute,
      day: close > 0 ? day : null,
      bar: running ? bar : null,
      seen: nth < 0 ? null : seen,
    };
  }

  /** The day's limits of a row; none for an index. */
  limits(row: number): { up: number; down: number } {
    const day = this.#paths[row]?.day;
    return day ?? { up: 0, down: 0 };
  }
}
