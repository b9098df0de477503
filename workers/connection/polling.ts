/** The polling fallback of the socket: reads the same view over HTTP once a second. */
import type { Answer } from "#contract/endpoints.ts";
import type { View } from "#contract/kernel/push.ts";
import { failedBecause } from "./http-client.ts";

/** Delay between the end of one poll and the start of the next. */
export const POLL_EVERY_MS = 1_000;
/** Timeout of a poll: later replies are useless. */
export const POLL_TIMEOUT_MS = 4_000;

/** The result of one poll. */
export type Polled = Answer<"readView">;

export interface PollListener {
  polled(polled: Polled, view: View): void;
  failed(): void;
  expired(): void;
}

/** Polls repeatedly while switched on. */
export class Poller {
  readonly #poll: (view: View) => Promise<Polled>;
  readonly #view: () => View | null;
  readonly #listener: PollListener;
  #on = false;
  /** Counts on/off switches, so that replies to polls from before the last switch are dropped. */
  #generation = 0;

  constructor(poll: (view: View) => Promise<Polled>, view: () => View | null, listener: PollListener) {
    this.#poll = poll;
    this.#view = view;
    this.#listener = listener;
  }

  setOn(on: boolean): void {
    if (on === this.#on) return;
    this.#on = on;
    this.#generation++;
    if (on) void this.#run(this.#generation);
  }

  async #run(generation: number): Promise<void> {
    while (generation === this.#generation) {
      await this.#pollOnce(generation);
      await new Promise((done) => setTimeout(done, POLL_EVERY_MS));
    }
  }

  async #pollOnce(generation: number): Promise<void> {
    const view = this.#view();
    if (view === null) return;
    try {
      const polled = await this.#poll(view);
      if (generation === this.#generation) this.#listener.polled(polled, view);
    } catch (error) {
      if (generation !== this.#generation) return;
      if (failedBecause(error, "expired")) this.#listener.expired();
      else this.#listener.failed();
    }
  }
}
