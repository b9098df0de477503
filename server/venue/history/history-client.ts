/** Gives a venue access to its past; queries run on the process's history thread so that they never block market updates. */
import { RequestThread } from "#server/kernel/request-thread.ts";
import { VenueStopped } from "#server/venue/venue-stopped.ts";
import type { HistoryNotice, HistoryQuery, HistoryResults, MarketOrigin, VenueContext } from "./history-worker.ts";

type Asked = VenueContext & { query: HistoryQuery };

/** Shared by all venues of the process. */
const thread = new RequestThread<Asked, HistoryResults[keyof HistoryResults]>(new URL("./history-worker.ts", import.meta.url), "history");
let venuesOpened = 0;

export class HistoryClient {
  readonly #context: VenueContext;
  #stopped: Error | null = null;

  constructor(origin: MarketOrigin) {
    venuesOpened += 1;
    this.#context = { venue: venuesOpened, ...origin };
  }

  /** The number of the thread that the next query goes to. */
  get thread(): number {
    return thread.thread;
  }

  /** Runs a query. Rejects when the thread dies or the venue stops first. */
  query<What extends keyof HistoryResults>(query: HistoryQuery & { what: What }): Promise<HistoryResults[What]> {
    // The thread would open the venue again, and keep it.
    if (this.#stopped) return Promise.reject(this.#stopped);
    // The thread returns the result type that belongs to the query; only this signature ties the two together.
    return thread.ask({ ...this.#context, query }) as Promise<HistoryResults[What]>;
  }

  /** Computes the long history of the indices, so that the first query does not have to wait for it. */
  prepare(session: number): void {
    thread.tell({ ...this.#context, session } satisfies HistoryNotice);
  }

  /** Lets a venue that has stopped query again: a standby halts its market, and goes on with it once it leads. */
  start(): void {
    this.#stopped = null;
  }

  /** Rejects pending queries and drops the venue's data in the thread, which stays alive for the next venue. */
  stop(): void {
    this.#stopped = new VenueStopped();
    thread.drop(({ venue }) => venue === this.#context.venue, this.#stopped);
    thread.tellRunning({ ...this.#context, stopped: true } satisfies HistoryNotice);
  }
}
