/** Matches resting orders: whenever a quote changes, those that can trade now do; with their day they lapse. */
import type { Price } from "#contract/kernel/money.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { lapsed } from "#server/trading/sequencer/time-in-force.ts";
import { restOf } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { isBeyondLimit, oppositeSide } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder } from "#server/trading/sequencer/order-book.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { matchContinuously } from "./continuous.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface RestingOrderDeps {
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of faults; the orders concerned are tried again at the row's next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** An order, as much of it as has to be known to read it. */
type Known = Pick<RestingOrder, "orderNo" | "memberId">;

/** The most orders one match serves; the rest follow at the next change. */
const MAX_SERVED = 64;
/** How far a queue is looked through for members who could trade with each other, and did not when the later one came. */
const MAX_LOOKED = 8;
const SIDES = ["buy", "sell"] as const;

/**
 * Begin to match what rests.
 * @returns how to stop; what is being matched is finished by the sequencer
 */
export function startRestingOrders(deps: RestingOrderDeps): () => void {
  const { venue, sequencer, now } = deps;
  const book = sequencer.orderBook;
  /** Rows whose match is queued: a row that changes again meanwhile needs no second one. */
  const queued = new Set<number>();

  /** Let some orders have their turn in the sequencer's queue, in the order given. */
  const serve = (some: readonly Known[], act: (batch: Batch, order: OrderRecord) => void): Promise<void> =>
    sequencer
      .submit({
        memberIds: [...new Set(some.map((one) => one.memberId))],
        orderNos: some.map((one) => one.orderNo),
        decide: (batch) => {
          for (const { orderNo, memberId } of some) {
            const order = batch.order(memberId, orderNo);
            if (order) act(batch, order);
          }
        },
      })
      .catch((error: unknown) => deps.report?.(error));

  const lapse = (some: readonly Known[]): void => {
    for (let from = 0; from < some.length; from += MAX_SERVED) {
      void serve(some.slice(from, from + MAX_SERVED), (batch, order) => {
        if (lapsed(order, venue, batch.at)) cancelRest(batch, order);
      });
    }
  };

  const lapseAll = (): void => lapse([...sequencer.open].map(([orderNo, memberId]) => ({ orderNo, memberId })));

  // Asked for in the last moments of a day and written in the next.
  const follow = (orders: readonly OrderRecord[]): void => {
    const late = orders.filter((order) => lapsed(order, venue, now()));
    lapse(late.map((order) => ({ orderNo: order.order_no, memberId: order.member_id })));
  };

  /** An order near the head of a queue that another member's, near the head of the other side, would trade with: none as a rule. */
  const crossed = (row: number, side: RestingOrder["side"]): RestingOrder | undefined => {
    const others = book.queue(row, oppositeSide(side)).slice(0, MAX_LOOKED);
    const meets = (one: RestingOrder, other: RestingOrder): boolean =>
      one.memberId !== other.memberId && (other.limit === null || !isBeyondLimit(side, one.limit, other.limit));
    return others.length === 0
      ? undefined
      : book
          .queue(row, side)
          .slice(0, MAX_LOOKED)
          .find((one) => others.some((other) => meets(one, other)));
  };

  /** The orders at the head of a queue that the displayed book would give something now, or one that meets another member's. */
  const served = (row: number, side: RestingOrder["side"]): readonly RestingOrder[] => {
    const queue = book.queue(row, side);
    const first = queue[0];
    if (!first) return [];
    const best = venue.depth(row)[side === "buy" ? "asks" : "bids"][0]?.[0];
    if (best === undefined || venue.plan({ row, side, limit: first.limit as Price | null, lots: 1 }).length === 0) {
      const one = crossed(row, side);
      return one ? [one] : [];
    }
    const end = queue.findIndex(({ limit }) => isBeyondLimit(side, limit, best));
    return queue.slice(0, Math.min(end === -1 ? queue.length : end, MAX_SERVED));
  };

  /**
   * A pause deletes what rests at market. What the broker or a condition closes stays: nobody
   * asks for it again.
   */
  const pause = (row: number): void => {
    const atMarket = SIDES.flatMap((side) => book.queue(row, side).filter((one) => one.atMarket));
    if (atMarket.length === 0 || venue.phase(now()) !== "open" || venue.matching(row, now()) !== "call") return;
    void serve(atMarket, (batch, order) => {
      const rest = restOf(order);
      if (rest?.pricing === "market" && (order.close_cause ?? "member") === "member") cancelRest(batch, order);
    });
  };

  const match = (row: number): void => {
    if (queued.has(row)) return;
    if (venue.matching(row, now()) !== "continuous") return pause(row);
    const candidates = SIDES.flatMap((side) => served(row, side));
    if (candidates.length === 0) return;
    queued.add(row);
    void serve(candidates, (batch, order) => {
      queued.delete(row);
      if (lapsed(order, venue, batch.at)) cancelRest(batch, order);
      else matchContinuously(batch, order, "rested");
    }).finally(() => queued.delete(row));
  };

  const stopFollowing = sequencer.onOrders(follow);
  lapseAll();
  const stopListening = venue.onChange((rows) => {
    if (book.size > 0) for (const row of rows) match(row);
  });
  const stopWaiting = venue.onPhase(lapseAll);
  for (const row of book.rows("board")) match(row);
  return () => {
    stopListening();
    stopWaiting();
    stopFollowing();
  };
}
