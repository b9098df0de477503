/** A chart beside its index: the index's closes at the chart's own moments, and both as percent since the left edge. */
import type { Candle } from "#contract/candle.ts";
import { form, prepended } from "./bar.ts";
import type { CandleNews } from "./chart-data.ts";

/** The close of `others` at or before each bar, place for place; null before their first. */
export function alongside(bars: readonly Candle[], others: readonly Candle[]): (number | null)[] {
  let at = -1;
  return bars.map((bar) => {
    while ((others[at + 1]?.at ?? Infinity) <= bar.at) at += 1;
    return others[at]?.close ?? null;
  });
}

/**
 * How far the value at a place is from the first one known at or after the left edge, in hundredths of a percent; null while one
 * of them is missing.
 */
export function percentSince(values: readonly (number | null)[], edge: number, place: number): number | null {
  const from = values.slice(Math.max(0, edge), place + 1).find((value) => value !== null) ?? null;
  const to = values[place] ?? null;
  return from === null || to === null || from <= 0 ? null : Math.round(((to - from) * 10_000) / from);
}

/** The bars of the index, kept beside those of the chart. */
export class Comparison {
  readonly #older: () => void;
  #bars: Candle[] = [];
  #more = false;

  /** `older` asks for one more page of the index's bars. */
  constructor(older: () => void) {
    this.#older = older;
  }

  /** Take one piece of news. Returns whether more than the newest bar changed. */
  take(news: CandleNews): boolean {
    if (news.change === "forming") {
      form(this.#bars, news.bar);
      return false;
    }
    if (news.change === "loaded") this.#bars = news.bars;
    else if (news.change === "older") this.#bars = prepended(news.bars, this.#bars);
    else return false;
    this.#more = news.more;
    return true;
  }

  /** The index's closes at the chart's moments; asks for older ones where the chart reaches further back. */
  beside(bars: readonly Candle[]): (number | null)[] {
    const [first] = bars;
    const [own] = this.#bars;
    if (first && own && own.at > first.at && this.#more) {
      this.#more = false;
      this.#older();
    }
    return alongside(bars, this.#bars);
  }

  /** The newest close; null while there is none. */
  get newest(): number | null {
    return this.#bars.at(-1)?.close ?? null;
  }
}
