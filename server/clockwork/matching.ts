/** Resting orders meet the market: whenever a row changes, those that wait for it and can trade now do; with its day they lapse. */
import type { Price } from "#contract/kernel/money.ts";
import type { Database } from "#server/db/database.ts";
import type { Counter } from "#server/desks/order/counter.ts";
import { goodSince, lapsed } from "#server/desks/order/day.ts";
import { trade } from "#server/desks/order/execute.ts";
import { restOf } from "#server/desks/order/record.ts";
import type { OrderRecord } from "#server/desks/order/record.ts";
import type { Round } from "#server/desks/order/round.ts";
import { withdraw } from "#server/desks/order/withdraw.ts";
import type { Venue } from "#server/venue/port.ts";
import { RestingBook } from "./resting.ts";
import type { Resting } from "./resting.ts";

export interface MatchingDeps {
  db: Database;
  venue: Venue;
  counter: Counter;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of faults; the orders concerned are tried again at the row's next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** The most orders one match serves; the rest follow at the next change. */
const MAX_SERVED = 64;
const SIDES = ["buy", "sell"] as const;

/** What an order waits for; null when it waits for nothing the venue lists. */
function restingOf(order: OrderRecord, venue: Venue): Resting | null {
  const rest = restOf(order);
  const instrument = venue.instrument(order.code);
  if (!rest || rest.lots === 0 || !instrument) return null;
  return { orderNo: order.order_no, memberId: order.member_id, row: instrument.row, side: rest.side, limit: rest.limit };
}

/**
 * Load what rests, and begin to match.
 * @returns how to stop; what is being matched is finished by the counter
 */
export async function startMatching(deps: MatchingDeps): Promise<() => void> {
  const { db, venue, counter, now } = deps;
  const book = new RestingBook();
  /** Rows whose match stands in line: a row that changes again meanwhile needs no second one. */
  const queued = new Set<number>();

  /** Let some orders have their turn in the counter's line, in the order given. */
  const serve = (some: readonly Pick<Resting, "orderNo" | "memberId">[], act: (round: Round, order: OrderRecord) => void): Promise<void> =>
    counter
      .submit({
        memberIds: [...new Set(some.map((one) => one.memberId))],
        requestIds: [],
        orderNos: some.map((one) => one.orderNo),
        placements: 0,
        alertIds: [],
        decide: (round) => {
          for (const { orderNo, memberId } of some) {
            const order = round.order(memberId, orderNo);
            if (order) act(round, order);
          }
        },
      })
      .catch((error: unknown) => deps.report?.(error));

  const lapse = (some: readonly Pick<Resting, "orderNo" | "memberId">[]): void => {
    for (let from = 0; from < some.length; from += MAX_SERVED) {
      void serve(some.slice(from, from + MAX_SERVED), (round, order) => {
        if (lapsed(order, venue, round.at)) withdraw(round, order);
      });
    }
  };

  const follow = (orders: readonly OrderRecord[]): void => {
    for (const order of orders) {
      const resting = restingOf(order, venue);
      if (resting) book.put(resting);
      else book.remove(order.order_no);
    }
    // Asked for in the last moments of a day and written in the next; or, at the start, while nobody was here.
    const late = orders.filter((order) => lapsed(order, venue, now()));
    lapse(late.map((order) => ({ orderNo: order.order_no, memberId: order.member_id })));
  };

  /** The orders at the head of a queue that the book would give something now. */
  const served = (row: number, side: Resting["side"]): Resting[] => {
    const queue = book.queue(row, side);
    const first = queue[0];
    if (!first || venue.plan({ row, side, limit: first.limit as Price | null, lots: 1 }).length === 0) return [];
    const [best] = venue.depth(row)[side === "buy" ? "asks" : "bids"];
    if (!best) return [];
    const beyond = queue.findIndex(({ limit }) => limit !== null && (side === "buy" ? limit < best[0] : limit > best[0]));
    return queue.slice(0, Math.min(beyond === -1 ? queue.length : beyond, MAX_SERVED));
  };

  const match = (row: number): void => {
    if (queued.has(row)) return;
    const candidates = SIDES.flatMap((side) => served(row, side));
    if (candidates.length === 0) return;
    queued.add(row);
    void serve(candidates, (round, order) => {
      queued.delete(row);
      if (lapsed(order, venue, round.at)) withdraw(round, order);
      else if (venue.phase(round.at) === "open") trade(round, order, row);
    }).finally(() => queued.delete(row));
  };

  const stopFollowing = counter.onOrders(follow);
  follow(await db.kysely.selectFrom("order").selectAll().where("status", "in", ["pending", "readyToClose"]).orderBy("order_no").execute());
  const stopListening = venue.onChange((rows) => {
    if (book.size === 0 || venue.phase(now()) !== "open") return;
    for (const row of rows) match(row);
  });
  let good = goodSince(venue, now());
  const stopWaiting = venue.onPhase(() => {
    const since = goodSince(venue, now());
    if (since !== good) lapse(book.all());
    good = since;
  });
  if (venue.phase(now()) === "open") for (const row of book.rows()) match(row);
  return () => {
    stopListening();
    stopWaiting();
    stopFollowing();
  };
}
