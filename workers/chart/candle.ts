/** Merges ticks into the forming bar of a period, in constant memory at any tick rate. */
import { CANDLE_STRIDE } from "#contract/candle.ts";
import type { Candle, CandlePeriod } from "#contract/candle.ts";
import { DAY_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { barEnd, barStart } from "./period.ts";
import type { Hours } from "./period.ts";
import { AT, HIGH, LAST, LOW, OPEN, VOLUME } from "#workers/table/quote-table.ts";

/** A day's extremes and volume up to some moment. */
export interface Today {
  high: number;
  low: number;
  volume: number;
}

/** Where history ends and ticks continue: the newest bar, and the totals of its day up to the same moment. */
export interface Seam {
  bar: Candle;
  today: Today;
}

/** `changed`: the forming bar changed. `rolled`: a new bar started and the previous one is final. */
export type Merged = "same" | "changed" | "rolled";

/**
 * The forming bar of one instrument, intraday or daily. A quote is a state, not a trade: the volume traded since the last quote is the
 * growth of the day's running volume, and extremes in between are taken from the day's high and low. So quotes may be conflated and
 * repeated; one whose volume did not grow is not a trade. A late quote still counts for the open and the extremes of its bar while
 * that bar is forming, and is ignored afterwards.
 */
export class FormingBar {
  readonly #period: CandlePeriod;
  readonly #hours: Hours;
  readonly #priceOnly: boolean;
  #bar: Candle | null = null;
  #closed: Candle | null = null;
  #barEnds = -Infinity;
  #dayBegan = -Infinity;
  #dayEnds = -Infinity;
  /** Whether the day has not had a trade yet. */
  #awaitingFirstTrade = true;
  /** The newest merged tick: its time, and its day's totals by then. */
  #at = -Infinity;
  #high = 0;
  #low = Infinity;
  #volume = 0;
  /** Whether a tick was merged since the end of history. */
  #live = false;
  /** The day's volume before the bar's first tick, and including it. */
  #before = 0;
  #opening = 0;

  /**
   * `period` is intraday or a day. `priceOnly`: for instruments with a price but no volume (indices, currencies) every price counts.
   * `seam` is where history ends; null if the instrument never traded.
   */
  constructor(period: CandlePeriod, hours: Hours, priceOnly: boolean, seam: Seam | null) {
    this.#period = period;
    this.#hours = hours;
    this.#priceOnly = priceOnly;
    if (!seam) return;
    const { bar, today } = seam;
    this.#beginDay(bar.at);
    this.#bar = { ...bar };
    this.#barEnds = barEnd(period, bar.at, hours);
    this.#awaitingFirstTrade = false;
    this.#at = bar.at;
    this.#high = today.high;
    this.#low = today.low;
    this.#volume = today.volume;
    // History already contains the day's volume up to then: a late tick adds nothing to it.
    this.#before = today.volume;
    this.#opening = today.volume;
  }

  /** The forming bar; null before the first trade. The next tick changes it in place. */
  get bar(): Candle | null {
    return this.#bar;
  }

  /** The previous bar as it was when the forming one began; null before the first roll. */
  get closed(): Candle | null {
    return this.#closed;
  }

  /** Merges the quote that starts at `from` in a flat batch. */
  merge(quotes: ArrayLike<number>, from: number): Merged {
    const last = quotes[from + LAST] ?? 0;
    const at = quotes[from + AT] ?? 0;
    if (last <= 0 || at < this.#dayBegan) return "same";
    if (at >= this.#dayEnds) this.#beginDay(at);
    const volume = quotes[from + VOLUME] ?? 0;
    // Volume never decreases within a session: with several sessions a day, a new one has begun.
    if (volume < this.#volume && at >= this.#barEnds && this.#nextSession(at, quotes, from)) return "same";
    if (volume <= this.#volume && !(this.#priceOnly && volume === this.#volume && at >= this.#at)) {
      return volume < this.#volume ? this.#late(at, last, volume) : "same";
    }
    const dayHigh = quotes[from + HIGH] ?? 0;
    const dayLow = quotes[from + LOW] ?? 0;
    const high = dayHigh > this.#high && dayHigh > last ? dayHigh : last;
    const low = dayLow > 0 && dayLow < this.#low && dayLow < last ? dayLow : last;
    const dayOpen = quotes[from + OPEN] ?? 0;
    // The day's first bar opens at the day's open, however many trades the first quote contains; nothing can precede it.
    const opensDay = this.#awaitingFirstTrade && dayOpen > 0;
    const open = opensDay ? dayOpen : last;
    this.#live = true;
    const traded = volume - this.#volume;
    const before = this.#volume;
    this.#awaitingFirstTrade = false;
    this.#at = at;
    this.#volume = volume;
    if (dayHigh > this.#high) this.#high = dayHigh;
    if (dayLow > 0 && dayLow < this.#low) this.#low = dayLow;
    // A tick stamped before the bar but with new volume was traded since the last tick, so it counts in this bar.
    if (this.#bar === null || at >= this.#barEnds) {
      this.#before = before;
      this.#opening = opensDay ? 0 : volume;
      return this.#roll({ at: barStart(this.#period, at, this.#hours), open, high, low, close: last, volume: traded });
    }
    return this.#extend(this.#bar, high, low, last, traded);
  }

  /** Begins a session within the day. @returns whether it had begun before history ended, so that its volume is already in the bars */
  #nextSession(at: number, quotes: ArrayLike<number>, from: number): boolean {
    const live = this.#live;
    this.#beginDay(at);
    if (live) return false;
    this.#live = true;
    this.#awaitingFirstTrade = false;
    this.#at = at;
    this.#high = quotes[from + HIGH] ?? 0;
    this.#low = quotes[from + LOW] || Infinity;
    this.#volume = quotes[from + VOLUME] ?? 0;
    return true;
  }

  #beginDay(at: number): void {
    this.#dayBegan = taipeiMidnight(taipeiDay(at));
    this.#dayEnds = this.#dayBegan + DAY_MS;
    this.#awaitingFirstTrade = true;
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

/** Reads the bar that starts at `from` in a flat list. */
export function candleAt(flat: ArrayLike<number>, from: number): Candle {
  const at = (field: number): number => flat[from + field] ?? 0;
  return { at: at(0), open: at(1), high: at(2), low: at(3), close: at(4), volume: at(5) };
}

/** Appends a bar to a flat list. */
export function pushCandle(flat: number[], { at, open, high, low, close, volume }: Candle): void {
  flat.push(at, open, high, low, close, volume);
}

/** The newest bar of a flat list; null if it is empty. */
export function lastCandle(flat: ArrayLike<number>): Candle | null {
  return flat.length < CANDLE_STRIDE ? null : candleAt(flat, flat.length - CANDLE_STRIDE);
}

/** Merges two consecutive bars, `bar` after `before`. */
export function mergeBars(before: Candle | null, bar: Candle): Candle {
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

/** Aggregates flat bars into a longer period: days into weeks or months. */
export function aggregateBars(flat: readonly number[], period: CandlePeriod): number[] {
  const out: number[] = [];
  for (let from = 0; from + CANDLE_STRIDE <= flat.length; from += CANDLE_STRIDE) {
    const bar = candleAt(flat, from);
    bar.at = barStart(period, bar.at);
    const before = lastCandle(out);
    if (before?.at === bar.at) {
      out.length -= CANDLE_STRIDE;
      pushCandle(out, mergeBars(before, bar));
    } else pushCandle(out, bar);
  }
  return out;
}
