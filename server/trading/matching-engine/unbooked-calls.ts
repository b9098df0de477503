/** The calls that have taken place and are not booked yet. While there are any, nothing says that the server was there to hold them. */
import type { CallKind } from "#server/venue/venue.ts";
import type { CallOf } from "#server/trading/sequencer/read-set.ts";

/** Those that a later server can hold: of the others the venue tells no results. */
const HELD_LATE: ReadonlySet<CallKind> = new Set<CallKind>(["opening", "closing", "periodic"]);

export class UnbookedCalls {
  readonly #calls = new Set<CallOf>();

  add(call: CallOf): void {
    if (HELD_LATE.has(call.kind)) this.#calls.add(call);
  }

  booked(call: CallOf): void {
    this.#calls.delete(call);
  }

  /** Up to when every call is booked that was due by a moment. Calls from before `since` are over: nothing could hold them any more. */
  bookedUntil(moment: number, since: number): number {
    let until = moment;
    for (const call of this.#calls) {
      if (call.at < since) this.#calls.delete(call);
      else until = Math.min(until, call.at - 1);
    }
    return until;
  }
}
