/** The calls that have taken place and are not booked yet. While there are any, nothing says that the server was there to hold them. */
import type { CallOf } from "./held-calls.ts";

export class UnbookedCalls {
  readonly #calls = new Set<CallOf>();

  add(call: CallOf): void {
    this.#calls.add(call);
  }

  booked(call: CallOf): void {
    this.#calls.delete(call);
  }

  /** Up to when every call is booked that was due by a moment. Calls from before `since` are over: nothing could hold them any more. */
  bookedUntil(moment: number, since: number): number {
    for (const call of this.#calls) if (call.at < since) this.#calls.delete(call);
    return Math.min(moment, ...[...this.#calls].map(({ at }) => at - 1));
  }
}
