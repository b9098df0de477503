/** Counts received traffic, for the lab screen and members on metered connections. */
import type { Traffic } from "#workers/protocol.ts";

export class TrafficMeter {
  #totals: Traffic = { bytes: 0, messages: 0, quotes: 0, sinceMs: 0 };

  /** Resets all counters; `now` is the new start. */
  reset(now: number): void {
    this.#totals = { bytes: 0, messages: 0, quotes: 0, sinceMs: now };
  }

  /** Counts a socket packet or HTTP reply. */
  countMessage(bytes: number): void {
    this.#totals.bytes += bytes;
    this.#totals.messages++;
  }

  countQuotes(quotes: number): void {
    this.#totals.quotes += quotes;
  }

  get totals(): Traffic {
    return { ...this.#totals };
  }
}
