/** Gives a venue access to its past; queries run on the process's history thread so that they never block market updates. */
import { HistoryThread } from "./history-thread.ts";
import type { HistoryResults, MarketOrigin, VenueContext, HistoryQuery } from "./history-worker.ts";

/** Shared by all venues of the process. */
const thread = new HistoryThread();
let venuesOpened = 0;

export class HistoryClient {
  readonly #context: VenueContext;

  constructor(origin: MarketOrigin) {
    venuesOpened += 1;
    this.#context = { venue: venuesOpened, ...origin };
  }

  /** Runs a query. Rejects when the thread dies or the venue stops first. */
  query<What extends keyof HistoryResults>(query: HistoryQuery & { what: What }): Promise<HistoryResults[What]> {
    // The thread returns the result type that belongs to the query; only this signature ties the two together.
    return thread.query(this.#context, query) as Promise<HistoryResults[What]>;
  }

  /** Precomputes the long history of the indices, so that the first query does not have to wait for it. */
  prepare(session: number): void {
    thread.prepare(this.#context, session);
  }

  /** Rejects pending queries; the thread stays alive for the next venue. */
  stop(): void {
    thread.release(this.#context);
  }
}
