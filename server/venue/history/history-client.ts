/** A venue's access to the past: questions go to the process's history thread, so that the beat never waits for them. */
import { HistoryThread } from "./history-thread.ts";
import type { Answers, Asker, Question } from "./history-worker.ts";
import type { Seed } from "#server/venue/keyed-random.ts";
import type { Hours } from "#server/venue/calendar/session-rules.ts";

/** One for all venues of the process. */
const thread = new HistoryThread();
let venuesOpened = 0;

export class HistoryClient {
  readonly #asker: Asker;

  constructor(seed: Seed, hours: Hours) {
    venuesOpened += 1;
    this.#asker = { venue: venuesOpened, seed, hours };
  }

  /** Ask for something of the past. Rejects when the thread dies or the venue stops first. */
  ask<What extends keyof Answers>(question: Question & { what: What }): Promise<Answers[What]> {
    // The thread answers what was asked: that the two go together is kept by this signature alone.
    return thread.ask(this.#asker, question) as Promise<Answers[What]>;
  }

  /** Have the indices' long past prepared, so that nobody waits for it. */
  prepare(session: number): void {
    thread.prepare(this.#asker, session);
  }

  /** Nobody waits any more; the thread stays for the next venue. */
  stop(): void {
    thread.dismiss(this.#asker);
  }
}
