/** Matches resting orders: whenever a quote changes, those that can trade now are matched; at the end of their day they expire. */
import type { Price } from "#contract/kernel/money.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { lapsed } from "#server/trading/sequencer/time-in-force.ts";
import { isLockedClose, restOf } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { SIDES, isBeyondLimit, oppositeSide } from "#server/trading/sequencer/order-book.ts";
import type { OrderBook, RestingOrder, Side } from "#server/trading/sequencer/order-book.ts";
import { MAX_ORDERS, commandOnOrders, inParts } from "#server/trading/sequencer/queued-command.ts";
import type { OrderKey } from "#server/trading/sequencer/queued-command.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { matchContinuously } from "./continuous.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface RestingOrderDeps {
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
  /** Receives errors; the orders concerned are tried again at the row's next change. */
  report?: ((error: unknown) => void) | undefined;
}

/**
 * How many orders at the head of a queue are checked for members who could trade with each other but did not when the later order arrived.
 */
const CROSS_DEPTH = 8;

/** An order near the head of a queue that can trade with another member's near the head of the other side; rarely exists. */
function findCrossed(book: OrderBook, row: number, side: Side): RestingOrder | undefined {
  const others = book.queue(row, oppositeSide(side)).slice(0, CROSS_DEPTH);
  if (others.length === 0) return undefined;
  const meets = (one: RestingOrder, other: RestingOrder): boolean =>
    one.memberId !== other.memberId && (other.limit === null || !isBeyondLimit(side, one.limit, other.limit));
  return book
    .queue(row, side)
    .slice(0, CROSS_DEPTH)
    .find((one) => others.some((other) => meets(one, other)));
}

/** The orders at the head of a queue that can be filled at least partly by the displayed book, or one that can match another member's. */
function findMatchable(book: OrderBook, venue: Venue, row: number, side: Side): readonly RestingOrder[] {
  const queue = book.queue(row, side);
  const first = queue[0];
  if (!first) return [];
  const best = venue.depth(row)[side === "buy" ? "asks" : "bids"][0]?.[0];
  if (best === undefined || venue.plan({ row, side, limit: first.limit as Price | null, lots: 1 }).length === 0) {
    const crossed = findCrossed(book, row, side);
    return crossed ? [crossed] : [];
  }
  const end = queue.findIndex(({ limit }) => isBeyondLimit(side, limit, best));
  // The rest follow at the next change.
  return queue.slice(0, Math.min(end === -1 ? queue.length : end, MAX_ORDERS));
}

class RestingOrderMatcher {
  readonly #deps: RestingOrderDeps;
  /** Rows whose match is queued: a row that changes again meanwhile needs no second one. */
  readonly #queued = new Set<number>();
  /** Rows to match again after that: an order came to rest that the queued match does not have. */
  readonly #again = new Set<number>();
  /** When each row last changed, by `performance.now()`. */
  readonly #changedAt = new Map<number, number>();

  constructor(deps: RestingOrderDeps) {
    this.#deps = deps;
  }

  /** Matches the orders of rows that have changed. */
  changed(rows: readonly number[]): void {
    const at = performance.now();
    for (const row of rows) this.#changedAt.set(row, at);
    if (this.#deps.sequencer.orderBook.size > 0) for (const row of rows) this.match(row);
  }

  /** Matches what came to rest while its row changed: then it was not in the book yet, and the row may not change again for a minute. */
  committed(batch: Batch): void {
    const rows = new Set([...batch.touched].flatMap(({ code }) => this.#deps.venue.instrument(code)?.row ?? []));
    for (const row of rows) {
      if ((this.#changedAt.get(row) ?? -Infinity) < batch.decidingSince) continue;
      if (this.#queued.has(row)) this.#again.add(row);
      else this.match(row);
    }
  }

  /** Queues a match of a row's orders, if any of them can trade now. */
  match(row: number): void {
    const { venue, sequencer, now } = this.#deps;
    if (this.#queued.has(row)) return;
    const isContinuous = venue.matching(row, now()) === "continuous";
    if (!isContinuous) this.#cancelAtMarket(row);
    // What trades have reached is booked when it is read, also when a call has begun since.
    const due = sequencer.orderBook.named(sequencer.queue.observe(row));
    const crossed = isContinuous ? SIDES.flatMap((side) => findMatchable(sequencer.orderBook, venue, row, side)) : [];
    const orders = [...new Set([...due, ...crossed])];
    if (orders.length === 0) return;
    this.#queued.add(row);
    const parts = inParts(orders).map((part) =>
      this.#submit(part, (batch, order) => {
        this.#queued.delete(row);
        if (lapsed(order, venue, batch.at)) return cancelRest(batch, order, "expired");
        if (isLockedClose(order)) return cancelRest(batch, order, "broker");
        if (restOf(order)) matchContinuously(batch, order, "rested");
      }),
    );
    void Promise.all(parts).finally(() => {
      this.#queued.delete(row);
      if (this.#again.delete(row)) this.match(row);
    });
  }

  /** Cancels the expired ones among all open orders. */
  lapseAll(): void {
    this.#lapse([...this.#deps.sequencer.open].map(([orderNo, memberId]) => ({ orderNo, memberId })));
  }

  /** Cancels orders that were placed in the last moments of a day and committed in the next. */
  lapseLate(orders: readonly OrderRecord[]): void {
    const { venue, now } = this.#deps;
    const late = orders.filter((order) => lapsed(order, venue, now()));
    this.#lapse(late.map((order) => ({ orderNo: order.order_no, memberId: order.member_id })));
  }

  #lapse(orders: readonly OrderKey[]): void {
    for (const part of inParts(orders)) {
      void this.#submit(part, (batch, order) => {
        if (lapsed(order, this.#deps.venue, batch.at)) cancelRest(batch, order, "expired");
      });
    }
  }

  /** A volatility halt cancels market orders, except those of the broker or of an exit order, which nobody would place again. */
  #cancelAtMarket(row: number): void {
    const { venue, sequencer, now } = this.#deps;
    const atMarket = SIDES.flatMap((side) => sequencer.orderBook.queue(row, side).filter((one) => one.atMarket));
    if (atMarket.length === 0 || venue.phase(now()) !== "open" || venue.matching(row, now()) !== "call") return;
    void this.#submit(atMarket, (batch, order) => {
      const rest = restOf(order);
      if (rest?.pricing === "market" && (order.close_cause ?? "member") === "member") cancelRest(batch, order, "halted");
    });
  }

  #submit(orders: readonly OrderKey[], decide: (batch: Batch, order: OrderRecord) => void): Promise<void> {
    return this.#deps.sequencer.submit(commandOnOrders(orders, decide)).catch((error: unknown) => this.#deps.report?.(error));
  }
}

/**
 * Starts matching resting orders.
 * @returns a function that stops it; matches already queued are finished by the sequencer
 */
export function startRestingOrders(deps: RestingOrderDeps): () => void {
  const { venue, sequencer } = deps;
  const book = sequencer.orderBook;
  const matcher = new RestingOrderMatcher(deps);
  const stops = [sequencer.onOrders((orders) => matcher.lapseLate(orders)), sequencer.onBatch((batch) => matcher.committed(batch))];
  matcher.lapseAll();
  stops.push(
    venue.onChange((rows) => matcher.changed(rows)),
    venue.onPhase(() => matcher.lapseAll()),
    // What is left of a close that was put off.
    venue.onCall(({ kind, at }) => {
      if (kind === "closing" && at > venue.state(at).closesAt) matcher.lapseAll();
    }),
  );
  for (const row of book.rows("board")) matcher.match(row);
  return () => {
    for (const stop of stops) stop();
  };
}
