/** Builds the minute bars of the current session from its trades; kept in memory only. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { TimedBar } from "#server/venue/history/bar-aggregation.ts";

export class MinuteBars {
  /** By row, oldest first. */
  readonly #rows: TimedBar[][];
  #opensAt = 0;

  constructor(rows: number) {
    this.#rows = Array.from({ length: rows }, () => []);
  }

  /** Starts a session whose minute 0 begins at `opensAt`. */
  begin(opensAt: number): void {
    this.#opensAt = opensAt;
    for (const bars of this.#rows) bars.length = 0;
  }

  /** Adds a trade of a minute. A trade that arrives after a later minute's counts to that later minute: a finished bar never changes. */
  add(row: number, minute: number, price: number, lots: number): void {
    const bars = this.#rows[row];
    const at = this.#opensAt + minute * MINUTE_MS;
    const current = bars?.at(-1);
    if (!current || current.at < at) {
      bars?.push({ at, open: price, high: price, low: price, close: price, volume: lots });
      return;
    }
    current.high = Math.max(current.high, price);
    current.low = Math.min(current.low, price);
    current.close = price;
    current.volume += lots;
  }

  /** The bars so far, the current one last. */
  read(row: number): readonly TimedBar[] {
    return this.#rows[row] ?? [];
  }
}
