/** Compares a chart with another instrument: its closes at the chart's own times, and both as percent since the left edge. */
import type { Candle } from "#contract/candle.ts";
import { form, prepended } from "./bar.ts";
import type { CandleUpdate } from "./chart-data.ts";

/** For each bar, the close of `others` at or before it; null before their first. */
export function alongside(bars: readonly Candle[], others: readonly Candle[]): (number | null)[] {
  let at = -1;
  return bars.map((bar) => {
    while ((others[at + 1]?.at ?? Infinity) <= bar.at) at += 1;
    return others[at]?.close ?? null;
  });
}

/**
 * The change from the first known value at or after the left edge to the value at an index, in hundredths of a percent; null while either
 * is missing.
 */
export function percentSince(values: readonly (number | null)[], edge: number, place: number): number | null {
  const from = values.slice(Math.max(0, edge), place + 1).find((value) => value !== null) ?? null;
  const to = values[place] ?? null;
  return from === null || to === null || from <= 0 ? null : Math.round(((to - from) * 10_000) / from);
}

/** A page that has not arrived is requested again after this long, and after twice as long each further time. */
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 30_000;

/** The bars of the index a chart is compared with. */
export class Comparison {
  readonly #older: () => void;
  #bars: Candle[] = [];
  #more = false;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** `older` requests one more page of the index's bars; nothing comes of it when that fails. */
  constructor(older: () => void) {
    this.#older = older;
  }

  /** Applies one update. Returns whether more than the newest bar changed. */
  apply(update: CandleUpdate): boolean {
    if (update.change === "forming") {
      form(this.#bars, update.bar);
      return false;
    }
    if (update.change === "loaded") this.#bars = update.bars;
    else if (update.change === "older") this.#bars = prepended(update.bars, this.#bars);
    else return false;
    this.#more = update.more;
    this.stopRetrying();
    return true;
  }

  /** The index's closes at the chart's times; requests older ones where the chart reaches further back. */
  beside(bars: readonly Candle[]): (number | null)[] {
    const [first] = bars;
    const [own] = this.#bars;
    if (first && own && own.at > first.at && this.#more && this.#retryTimer === undefined) this.#requestOlder(FIRST_RETRY_MS);
    return alongside(bars, this.#bars);
  }

  /** The newest close; null if there is none yet. */
  get newest(): number | null {
    return this.#bars.at(-1)?.close ?? null;
  }

  /** Stops requesting a page that has not arrived. */
  stopRetrying(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  #requestOlder(retryMs: number): void {
    this.#older();
    this.#retryTimer = setTimeout(() => this.#requestOlder(Math.min(retryMs * 2, LAST_RETRY_MS)), retryMs);
  }
}
