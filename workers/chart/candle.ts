/** Ticks merged into the forming bar of a period: constant memory, whatever the tick rate. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { barEnd, barStart } from "./period.ts";
import type { Hours } from "./period.ts";
import { AT, HIGH, LAST, LOW, OPEN, VOLUME } from "#workers/table/quote-table.ts";

/** What a day had seen at some moment: its extremes and its lots. */
export interface Today {
  high: number;
  low: number;
  volume: number;
}

/** Where history ends and ticks go on: its newest bar, and the day of that bar up to the same moment. */
export interface Seam {
  bar: Candle;
  today: Today;
}

/** `changed`: the forming bar is another than before. `rolled`: it is a new one; the one before is final. */
export type Merged = "same" | "changed" | "rolled";

/**
 * The forming bar of one instrument, of minutes or of a day. A quote is a state, not a trade: what was traded since the last one
 * is the growth of the day's running volume, and an extreme that fell in between is read from the day's high and low. So
 * quotes may come conflated and repeated; one whose volume did not grow is no trade. One that comes late still counts for the
 * open and the extremes of the bar it belongs to while that bar is forming, and for nothing afterwards.
 */
export class FormingBar {
  readonly #period: CandlePeriod;
  readonly #hours: Hours;
  readonly #priced: boolean;
  #bar: Candle | null = null;
  #closed: Candle | null = null;
  #barEnds = -Infinity;
  #dayBegan = -Infinity;
  #dayEnds = -Infinity;
  /** Whether the day has had no trade yet. */
  #untraded = true;
  /** The newest tick merged: its moment, and what its day had seen by then. */
  #at = -Infinity;
  #high = 0;
  #low = Infinity;
  #volume = 0;
  /** Whether a tick was merged since history ended. */
  #joined = false;
  /** The day's lots before the bar's first tick, and with it. */
  #before = 0;
  #opening = 0;

  /**
   * `period` is one of minutes, or a day. `priced`: for what has a price but no lots of its own (indices, currencies) every price
   * counts. `seam` is where history ends; null when nothing was ever traded.
   */
  constructor(period: CandlePeriod, hours: Hours, priced: boolean, seam: Seam | null) {
    this.#period = period;
    this.#hours = hours;
    this.#priced = priced;
    if (!seam) return;
    const { bar, today } = seam;
    this.#beginDay(bar.at);
    this.#bar = { ...bar };
    this.#barEnds = barEnd(period, bar.at, hours);
    this.#untraded = false;
    this.#at = bar.at;
    this.#high = today.high;
    this.#low = today.low;
    this.#volume = today.volume;
    // Whatever the day had traded by then is in the history: a late tick adds nothing to it.
    this.#before = today.volume;
    this.#opening = today.volume;
  }

  /** The bar now forming; null before the first trade. It is changed in place by the next tick. */
  get bar(): Candle | null {
    return this.#bar;
  }

  /** The bar before, as it stood when the forming one began; null before the first roll. */
  get closed(): Candle | null {
    return this.#closed;
  }

  /** Merge the quote that begins at `from` in a flat batch. */
  merge(quotes: ArrayLike<number>, from: number): Merged {
    const last = quotes[from + LAST] ?? 0;
    const at = quotes[from + AT] ?? 0;
    if (last <= 0 || at < this.#dayBegan) return "same";
    if (at >= this.#dayEnds) this.#beginDay(at);
    const volume = quotes[from + VOLUME] ?? 0;
    // Lots are never untraded: where sessions come many to a day, another one has begun.
    if (volume < this.#volume && at >= this.#barEnds && this.#nextSession(at, quotes, from)) return "same";
    if (volume <= this.#volume && !(this.#priced && volume === this.#volume && at >= this.#at)) {
      return volume < this.#volume ? this.#late(at, last, volume) : "same";
    }
    const dayHigh = quotes[from + HIGH] ?? 0;
    const dayLow = quotes[from + LOW] ?? 0;
    const high = dayHigh > this.#high && dayHigh > last ? dayHigh : last;
    const low = dayLow > 0 && dayLow < this.#low && dayLow < last ? dayLow : last;
    const dayOpen = quotes[from + OPEN] ?? 0;
    // The day's first bar opens as the day did, however many trades the first quote brings; nothing can come before that.
    const opensDay = this.#untraded && dayOpen > 0;
    const open = opensDay ? dayOpen : last;
    this.#joined = true;
    const traded = volume - this.#volume;
    const before = this.#volume;
    this.#untraded = false;
    this.#at = at;
    this.#volume = volume;
    if (dayHigh > this.#high) this.#high = dayHigh;
    if (dayLow > 0 && dayLow < this.#low) this.#low = dayLow;
    // A tick stamped before the bar, whose volume is news all the same, was traded since the last one: here.
    if (this.#bar === null || at >= this.#barEnds) {
      this.#before = before;
      this.#opening = opensDay ? 0 : volume;
      return this.#roll({ at: barStart(this.#period, at, this.#hours), open, high, low, close: last, volume: traded });
    }
    return this.#extend(this.#bar, high, low, last, traded);
  }

  /** Begin a session within the day. @returns whether it was under way when history ended, whose lots are in the bars already */
  #nextSession(at: number, quotes: ArrayLike<number>, from: number): boolean {
    const joined = this.#joined;
    this.#beginDay(at);
    if (joined) return false;
    this.#joined = true;
    this.#untraded = false;
    this.#at = at;
    this.#high = quotes[from + HIGH] ?? 0;
    this.#low = quotes[from + LOW] || Infinity;
    this.#volume = quotes[from + VOLUME] ?? 0;
    return true;
  }

  #beginDay(at: number): void {
    this.#dayBegan = taipeiMidnight(taipeiDay(at));
    this.#dayEnds = this.#dayBegan + DAY_MS;
    this.#untraded = true;
    this.#at = -Infinity;
    this.#high = 0;
    this.#low = Infinity;
    this.#volume = 0;
  }

  #roll(bar: Candle): Merged {
    this.#closed = this.#bar;
    this.#bar = bar;
    if (bar.open > bar.high) bar.high = bar.open;
    if (bar.open < bar.low) bar.low = bar.open;
    this.#barEnds = barEnd(this.#period, bar.at, this.#hours);
    return "rolled";
  }

  #extend(bar: Candle, high: number, low: number, close: number, traded: number): Merged {
    const same = traded === 0 && close === bar.close && high <= bar.high && low >= bar.low;
    if (high > bar.high) bar.high = high;
    if (low < bar.low) bar.low = low;
    bar.close = close;
    bar.volume += traded;
    return same ? "same" : "changed";
  }

  #late(at: number, last: number, volume: number): Merged {
    const bar = this.#bar;
    if (!bar || at < bar.at || volume <= this.#before) return "same";
    const opens = volume < this.#opening;
    if (opens) this.#opening = volume;
    const same = (!opens || last === bar.open) && last <= bar.high && last >= bar.low;
    if (opens) bar.open = last;
    if (last > bar.high) bar.high = last;
    if (last < bar.low) bar.low = last;
    return same ? "same" : "changed";
  }
}

/** Read the bar that starts at `from` in a flat list. */
export function candleAt(flat: ArrayLike<number>, from: number): Candle {
  const at = (field: number): number => flat[from + field] ?? 0;
  return { at: at(0), open: at(1), high: at(2), low: at(3), close: at(4), volume: at(5) };
}

/** Append a bar to a flat list. */
export function pushCandle(flat: number[], { at, open, high, low, close, volume }: Candle): void {
  flat.push(at, open, high, low, close, volume);
}

/** The newest of flat bars, or null when there is none. */
export function lastCandle(flat: ArrayLike<number>): Candle | null {
  return flat.length < CANDLE_STRIDE ? null : candleAt(flat, flat.length - CANDLE_STRIDE);
}

/** Two bars as one, `bar` after `before`. */
export function joined(before: Candle | null, bar: Candle): Candle {
  if (!before) return bar;
  return {
    at: before.at,
    open: before.open,
    high: Math.max(before.high, bar.high),
    low: Math.min(before.low, bar.low),
    close: bar.close,
    volume: before.volume + bar.volume,
  };
}

/** Bars put together into longer ones: days into weeks and months. */
export function bundled(flat: readonly number[], period: CandlePeriod): number[] {
  const out: number[] = [];
  for (let from = 0; from + CANDLE_STRIDE <= flat.length; from += CANDLE_STRIDE) {
    const bar = candleAt(flat, from);
    bar.at = barStart(period, bar.at);
    const before = lastCandle(out);
    if (before?.at === bar.at) {
      out.length -= CANDLE_STRIDE;
      pushCandle(out, joined(before, bar));
    } else pushCandle(out, bar);
  }
  return out;
}
