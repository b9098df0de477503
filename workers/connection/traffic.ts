/** What comes over the line, counted: for the lab, and for who pays by the megabyte. */
import type { Traffic } from "#workers/protocol.ts";

export class TrafficMeter {
  #told: Traffic = { bytes: 0, messages: 0, quotes: 0, sinceMs: 0 };

  /** Count from 0 again, from this moment on. */
  reset(now: number): void {
    this.#told = { bytes: 0, messages: 0, quotes: 0, sinceMs: now };
  }

  /** A packet of the socket or an answer came. */
  heard(bytes: number): void {
    this.#told.bytes += bytes;
    this.#told.messages++;
  }

  quoted(quotes: number): void {
    this.#told.quotes += quotes;
  }

  get told(): Traffic {
    return { ...this.#told };
  }
}
