/** The order book of members' resting orders, by instrument and side: market before limit, then price, then time. */
import type { Market } from "#contract/rule.ts";
import type { Venue } from "#server/venue/venue.ts";
import { restOf } from "./order-record.ts";
import type { OrderRecord, Rest } from "./order-record.ts";

export const SIDES = ["buy", "sell"] as const;
export type Side = (typeof SIDES)[number];

/** One resting order, with the fields that matching needs. */
export interface RestingOrder {
  orderNo: string;
  memberId: number;
  row: number;
  side: Side;
  market: Market;
  /** Market orders come before all limit orders. */
  atMarket: boolean;
  /** The limit price; null without one. */
  limit: number | null;
  /** In units of the venue's lots; in the odd-lot market in shares. */
  lots: number;
  /** Time priority at one price. */
  timePriority: string;
  /** When it took its place among those at its price; null, or absent, where that is not known. */
  cameAt?: number | null;
  /** In a call: the market's lots that were before it at its price when the call began, of how many displayed; absent where that is not known. */
  ahead?: number;
  aheadOf?: number;
}

/** An order that is about to trade; its counterparties are looked up by these fields. */
export interface CounterpartyQuery {
  row: number;
  side: Side;
  limit: number | null;
  lots: number;
  memberId: number;
}

/** The opposite side. */
export const oppositeSide = (side: Side): Side => (side === "buy" ? "sell" : "buy");

/** Tells whether a price is beyond a limit on this side. */
export function isBeyondLimit(side: Side, limit: number | null, at: number): boolean {
  return limit !== null && (side === "buy" ? at > limit : at < limit);
}

/** How many of the venue's units one unit of the order is: 1, except for a position counted in single shares that trades on the board. */
export function unitsPerLot(order: Pick<OrderRecord, "lot_shares">, market: Market, lotShares: number): number {
  return market === "odd" ? 1 : lotShares / order.lot_shares;
}

/**
 * Tells whether an order trades at any price. A close by the broker carries a price only because a call auction accepts no market orders:
 * the worst price of the day. In continuous trading that price is ignored. Of a copy it is a limit as a member's own is.
 */
function isAtMarket({ status, close_cause: cause }: OrderRecord, { pricing, market }: Rest): boolean {
  const isLimit = cause === null || cause === "member" || cause === "copy";
  return pricing === "market" || (status === "readyToClose" && market === "board" && !isLimit);
}

/** What an order waits for; null when nothing, or nothing the venue lists. */
export function restingOf(order: OrderRecord, venue: Venue): RestingOrder | null {
  const rest = restOf(order);
  const instrument = venue.instrument(order.code);
  if (!rest || !instrument) return null;
  const lots = Math.floor(rest.lots / unitsPerLot(order, rest.market, instrument.lotShares));
  if (lots === 0) return null;
  const atMarket = isAtMarket(order, rest);
  return {
    orderNo: order.order_no,
    memberId: order.member_id,
    row: instrument.row,
    side: rest.side,
    market: rest.market,
    atMarket,
    limit: atMarket && rest.pricing === "limit" ? null : rest.limit,
    lots,
    timePriority: order.turn,
    cameAt: order.turn_at,
  };
}

/** Negative when `a` has priority over `b`: market before limit, then the better price, then the earlier number. */
export function comparePriority(a: RestingOrder, b: RestingOrder): number {
  const sign = a.side === "buy" ? -1 : 1;
  const rank = (one: RestingOrder): number => (one.atMarket || one.limit === null ? Number.NEGATIVE_INFINITY : sign * one.limit);
  const [left, right] = [rank(a), rank(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.timePriority < b.timePriority ? -1 : a.timePriority > b.timePriority ? 1 : 0;
}

/** An order's place in a queue, existing or hypothetical. */
function placeIn(queue: readonly RestingOrder[], order: RestingOrder): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = queue[middle];
    if (there && comparePriority(there, order) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const keyOf = ({ row, side, market }: Pick<RestingOrder, "row" | "side" | "market">): string => `${market} ${side} ${row}`;

export class OrderBook {
  readonly #byNumber = new Map<string, RestingOrder>();
  readonly #queues = new Map<string, RestingOrder[]>();

  get size(): number {
    return this.#byNumber.size;
  }

  /** The resting orders with these numbers. */
  named(orderNos: readonly string[]): RestingOrder[] {
    return orderNos.flatMap((orderNo) => this.#byNumber.get(orderNo) ?? []);
  }

  /** Rows with resting orders in a market. */
  rows(market: Market): Set<number> {
    const rows = new Set<number>();
    for (const [first] of this.#queues.values()) if (first?.market === market) rows.add(first.row);
    return rows;
  }

  /** The orders of one row and side by priority. */
  queue(row: number, side: Side, market: Market = "board"): readonly RestingOrder[] {
    return this.#queues.get(keyOf({ row, side, market })) ?? [];
  }

  /**
   * The possible counterparties of orders by some members, for a total of lots and up to a limit: the first orders of the other side whose
   * lots, without those members' own, reach the total.
   */
  #against(query: Omit<CounterpartyQuery, "memberId">, memberIds: ReadonlySet<number>): readonly RestingOrder[] {
    const queue = this.queue(query.row, oppositeSide(query.side));
    let left = query.lots;
    let count = 0;
    for (const one of queue) {
      if (left <= 0 || (!one.atMarket && one.limit !== null && isBeyondLimit(query.side, query.limit, one.limit))) break;
      count += 1;
      // A resting market order may carry a price that does not match. It is read as well, but its lots do not count.
      if (!one.atMarket && !memberIds.has(one.memberId)) left -= one.lots;
    }
    return queue.slice(0, count);
  }

  /** The possible counterparties of several orders. Those of one row and side share the first orders of the other side. */
  findCounterparties(queries: readonly CounterpartyQuery[]): RestingOrder[] {
    const together = new Map<string, { query: Omit<CounterpartyQuery, "memberId">; members: Set<number> }>();
    for (const { memberId, ...query } of queries) {
      const key = `${query.side} ${query.row}`;
      const there = together.get(key);
      if (!there) {
        together.set(key, { query, members: new Set([memberId]) });
        continue;
      }
      const { limit, lots } = there.query;
      const furthest = query.side === "buy" ? Math.max : Math.min;
      there.query = {
        ...query,
        lots: lots + query.lots,
        limit: limit === null || query.limit === null ? null : furthest(limit, query.limit),
      };
      there.members.add(memberId);
    }
    return [...together.values()].flatMap(({ query, members }) => this.#against(query, members));
  }

  /** Adds or updates a resting order; a new price or number changes its place. */
  put(order: RestingOrder): void {
    this.remove(order.orderNo);
    this.#byNumber.set(order.orderNo, order);
    const key = keyOf(order);
    const queue = this.#queues.get(key) ?? [];
    this.#queues.set(key, queue);
    queue.splice(placeIn(queue, order), 0, order);
  }

  /** Removes an order, if it rests. */
  remove(orderNo: string): void {
    const order = this.#byNumber.get(orderNo);
    if (!order) return;
    this.#byNumber.delete(orderNo);
    const key = keyOf(order);
    const queue = this.#queues.get(key);
    if (!queue) return;
    queue.splice(placeIn(queue, order), 1);
    if (queue.length === 0) this.#queues.delete(key);
  }
}
