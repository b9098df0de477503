/** The minute bars of the session under way, made of trades as they come; kept in memory, gone with the process. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { Timed } from "#server/venue/history/bar-aggregation.ts";

export class MinuteBars {
  /** By row, oldest first. */
  readonly #rows: Timed[][];
  #opensAt = 0;

  constructor(rows: number) {
    this.#rows = Array.from({ length: rows }, () => []);
  }

  /** Another session, whose minute 0 begins at `opensAt`. */
  begin(opensAt: number): void {
    this.#opensAt = opensAt;
    for (const bars of this.#rows) bars.length = 0;
  }

  /** A trade in a minute of the session. One that comes after a later minute's counts to that minute: what was shown as over stays. */
  add(row: number, minute: number, price: number, lots: number): void {
    const bars = this.#rows[row];
    const at = this.#opensAt + minute * MINUTE_MS;
    const running = bars?.at(-1);
    if (!running || running.at < at) {
      bars?.push({ at, open: price, high: price, low: price, close: price, volume: lots });
      return;
    }
    running.high = Math.max(running.high, price);
    running.low = Math.min(running.low, price);
    running.close = price;
    running.volume += lots;
  }

  /** The bars so far, the running one last. */
  read(row: number): readonly Timed[] {
    return this.#rows[row] ?? [];
  }
}
