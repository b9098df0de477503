/** The queues of the exchange as one batch changes them: what it takes before members' orders, what it books of their due, and new places. */
import { defer, query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import type { Venue } from "#server/venue/venue.ts";
import { restingOf } from "./order-book.ts";
import type { RestingOrder, Side } from "./order-book.ts";
import type { OrderRecord } from "./order-record.ts";
import type { QueuePlaces, SavedPlace } from "./queue-places.ts";

/** Lots that members took out of a queue. */
interface Take {
  row: number;
  side: Side;
  price: number;
  lots: number;
}

const SAVE = `
INSERT INTO queue_place SELECT * FROM json_populate_recordset(NULL::queue_place, $1::json)
ON CONFLICT (order_no) DO UPDATE SET price = excluded.price, turn = excluded.turn, ahead = excluded.ahead`;

// A row that a batch holds is left for the next time: waiting for it with other rows locked could end in a deadlock.
const MOVE = `
WITH moved AS (SELECT * FROM json_populate_recordset(NULL::queue_place, $1::json)),
free AS (
  SELECT order_no FROM queue_place WHERE order_no IN (SELECT order_no FROM moved) ORDER BY order_no FOR UPDATE SKIP LOCKED
)
UPDATE queue_place SET ahead = moved.ahead FROM moved JOIN free USING (order_no)
WHERE queue_place.order_no = moved.order_no AND queue_place.turn = moved.turn
RETURNING queue_place.order_no`;

/** Stores where orders stand now, unless they have ended or got another price meanwhile. @returns those that were stored */
export async function movePlaces(db: Reader, places: readonly SavedPlace[]): Promise<SavedPlace[]> {
  if (places.length === 0) return [];
  const moved = new Set((await query<{ order_no: string }>(db, MOVE, [JSON.stringify(places)])).map(({ order_no: orderNo }) => orderNo));
  return places.filter(({ order_no: orderNo }) => moved.has(orderNo));
}

export class QueueInBatch {
  readonly #queue: QueuePlaces;
  readonly #venue: Venue;
  readonly #takes: Take[] = [];
  readonly #served = new Map<string, number>();
  readonly #unfilled: { order: RestingOrder; ahead: number }[] = [];
  readonly #places = new Map<string, SavedPlace | null>();

  constructor(queue: QueuePlaces, venue: Venue) {
    this.#queue = queue;
    this.#venue = venue;
  }

  /** The market's lots that precede a member's resting order at its price now; Infinity where all of them do. */
  marketAhead(order: RestingOrder): number {
    const place = this.#queue.placeFor(order);
    if (!place) return 0;
    const { row, side } = order;
    const taken = this.#takes.filter((one) => one.row === row && one.side === side && one.price === place.price);
    return Math.max(0, Math.ceil(place.ahead ?? Infinity) - taken.reduce((sum, { lots }) => sum + lots, 0));
  }

  /** Records displayed lots that an order took on one side. */
  take(take: Take): void {
    this.#takes.push(take);
  }

  /** Lots of an order that the trades so far have reached. */
  due({ orderNo, row }: RestingOrder): number {
    this.#queue.observe(row);
    return Math.max(0, this.#queue.due(orderNo) - (this.#served.get(orderNo) ?? 0));
  }

  /** Records lots of an order as booked. */
  serve(orderNo: string, lots: number): void {
    this.#served.set(orderNo, (this.#served.get(orderNo) ?? 0) + lots);
  }

  /** Records how many of the market's lots a call has left before an order that it did not fill. */
  heldCall(order: RestingOrder, ahead: number): void {
    this.#unfilled.push({ order, ahead });
  }

  /** Gives the changed orders that rest their places, and stores them. */
  async write(tx: Tx, changed: Iterable<OrderRecord>): Promise<void> {
    const gone: string[] = [];
    for (const order of changed) {
      const resting = restingOf(order, this.#venue);
      const place = resting && this.#placeFor(resting);
      this.#places.set(order.order_no, place);
      if (!place) gone.push(order.order_no);
    }
    const places = [...this.#places.values()].filter((place) => place !== null);
    if (places.length > 0) await defer(tx, SAVE, [JSON.stringify(places)]);
    if (gone.length > 0) await defer(tx, "DELETE FROM queue_place WHERE order_no = ANY ($1::text[])", [gone]);
  }

  /** The place to store with an order. */
  #placeFor(order: RestingOrder): SavedPlace | null {
    const place = this.#queue.placeFor(order);
    const unfilled = this.#unfilled.find(({ order: one }) => one.orderNo === order.orderNo && one.timePriority === place?.turn);
    return place && unfilled ? { ...place, ahead: Math.min(place.ahead ?? Infinity, unfilled.ahead) } : place;
  }

  /** Applies everything to the queues in memory, once it is committed. */
  commit(): void {
    for (const { row, side, price, lots } of this.#takes) this.#queue.taken(row, side, price, lots);
    for (const [orderNo, lots] of this.#served) this.#queue.served(orderNo, lots);
    for (const { order, ahead } of this.#unfilled) this.#queue.heldCall(order, ahead);
  }

  /** The place that was stored with an order. */
  place(orderNo: string): SavedPlace | null {
    return this.#places.get(orderNo) ?? null;
  }
}
