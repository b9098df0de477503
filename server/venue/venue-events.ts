/** The listeners of a venue: for changed rows, new phases and call auctions. */
import type { SessionPhase } from "#contract/instrument.ts";
import type { Issue, IssueEvent } from "./issue.ts";
import type { Call } from "./venue.ts";

/** Listeners of one kind of event. */
class Listeners<Event extends readonly unknown[]> {
  readonly #listeners = new Set<(...event: Event) => void>();

  /** Adds a listener. @returns how to unsubscribe */
  add(listener: (...event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(...event: Event): void {
    for (const listener of this.#listeners) listener(...event);
  }
}

export class VenueEvents {
  /** The rows that changed, each once. */
  readonly change = new Listeners<[rows: readonly number[]]>();
  /** A phase began; it ends at `endsAt` by our clock, null where it has no end. */
  readonly phase = new Listeners<[phase: SessionPhase, endsAt: number | null]>();
  /** A new issue was announced, or listed. */
  readonly issue = new Listeners<[issue: Issue, event: IssueEvent]>();
  /** A call auction takes place. */
  readonly call = new Listeners<[call: Call]>();
}
