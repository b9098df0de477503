/** Resting orders meet the market: whenever a row changes, those that wait for it and can trade now do; with its day they lapse. */
import type { Price } from "#contract/kernel/money.ts";
import type { Counter } from "#server/desks/order/counter.ts";
import { lapsed } from "#server/desks/order/day.ts";
import { restOf } from "#server/desks/order/record.ts";
import type { OrderRecord } from "#server/desks/order/record.ts";
import { beyond, opposite } from "#server/desks/order/resting.ts";
import type { Resting } from "#server/desks/order/resting.ts";
import type { Round } from "#server/desks/order/round.ts";
import { trade } from "#server/desks/order/trade.ts";
import { withdraw } from "#server/desks/order/withdraw.ts";
import type { Venue } from "#server/venue/port.ts";

export interface MatchingDeps {
  venue: Venue;
  counter: Counter;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of faults; the orders concerned are tried again at the row's next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** An order, as much of it as has to be known to read it. */
type Known = Pick<Resting, "orderNo" | "memberId">;

/** The most orders one match serves; the rest follow at the next change. */
const MAX_SERVED = 64;
/** How far a queue is looked through for members who could trade with each other, and did not when the later one came. */
const MAX_LOOKED = 8;
const SIDES = ["buy", "sell"] as const;

/**
 * Begin to match what rests.
 * @returns how to stop; what is being matched is finished by the counter
 */
export function startMatching(deps: MatchingDeps): () => void {
  const { venue, counter, now } = deps;
  const book = counter.resting;
  /** Rows whose match stands in line: a row that changes again meanwhile needs no second one. */
  const queued = new Set<number>();

  /** Let some orders have their turn in the counter's line, in the order given. */
  const serve = (some: readonly Known[], act: (round: Round, order: OrderRecord) => void): Promise<void> =>
    counter
      .submit({
        memberIds: [...new Set(some.map((one) => one.memberId))],
        orderNos: some.map((one) => one.orderNo),
        decide: (round) => {
          for (const { orderNo, memberId } of some) {
            const order = round.order(memberId, orderNo);
            if (order) act(round, order);
          }
        },
      })
      .catch((error: unknown) => deps.report?.(error));

  const lapse = (some: readonly Known[]): void => {
    for (let from = 0; from < some.length; from += MAX_SERVED) {
      void serve(some.slice(from, from + MAX_SERVED), (round, order) => {
        if (lapsed(order, venue, round.at)) withdraw(round, order);
      });
    }
  };

  const lapseAll = (): void => lapse([...counter.open].map(([orderNo, memberId]) => ({ orderNo, memberId })));

  // Asked for in the last moments of a day and written in the next.
  const follow = (orders: readonly OrderRecord[]): void => {
    const late = orders.filter((order) => lapsed(order, venue, now()));
    lapse(late.map((order) => ({ orderNo: order.order_no, memberId: order.member_id })));
  };

  /** An order near the head of a queue that another member's, near the head of the other side, would trade with: none as a rule. */
  const crossed = (row: number, side: Resting["side"]): Resting | undefined => {
    const others = book.queue(row, opposite(side)).slice(0, MAX_LOOKED);
    const meets = (one: Resting, other: Resting): boolean =>
      one.memberId !== other.memberId && (other.limit === null || !beyond(side, one.limit, other.limit));
    return others.length === 0
      ? undefined
      : book
          .queue(row, side)
          .slice(0, MAX_LOOKED)
          .find((one) => others.some((other) => meets(one, other)));
  };

  /** The orders at the head of a queue that the displayed book would give something now, or one that meets another member's. */
  const served = (row: number, side: Resting["side"]): readonly Resting[] => {
    const queue = book.queue(row, side);
    const first = queue[0];
    if (!first) return [];
    const best = venue.depth(row)[side === "buy" ? "asks" : "bids"][0]?.[0];
    if (best === undefined || venue.plan({ row, side, limit: first.limit as Price | null, lots: 1 }).length === 0) {
      const one = crossed(row, side);
      return one ? [one] : [];
    }
    const end = queue.findIndex(({ limit }) => beyond(side, limit, best));
    return queue.slice(0, Math.min(end === -1 ? queue.length : end, MAX_SERVED));
  };

  /**
   * A pause deletes what rests at market. What the house or a condition closes stays: nobody
   * asks for it again.
   */
  const pause = (row: number): void => {
    const atMarket = SIDES.flatMap((side) => book.queue(row, side).filter((one) => one.atMarket));
    if (atMarket.length === 0 || venue.phase(now()) !== "open" || venue.matching(row, now()) !== "call") return;
    void serve(atMarket, (round, order) => {
      const rest = restOf(order);
      if (rest?.pricing === "market" && (order.close_cause ?? "member") === "member") withdraw(round, order);
    });
  };

  const match = (row: number): void => {
    if (queued.has(row)) return;
    if (venue.matching(row, now()) !== "continuous") return pause(row);
    const candidates = SIDES.flatMap((side) => served(row, side));
    if (candidates.length === 0) return;
    queued.add(row);
    void serve(candidates, (round, order) => {
      queued.delete(row);
      if (lapsed(order, venue, round.at)) withdraw(round, order);
      else trade(round, order, "rested");
    }).finally(() => queued.delete(row));
  };

  const stopFollowing = counter.onOrders(follow);
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
