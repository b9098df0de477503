/** The market's own orders in calls: a book a price comes out of by the algorithm, made from the price the path of the day goes through. */
import type { Kind } from "#contract/instrument.ts";
import { step } from "#contract/tick.ts";
import { strike } from "#server/venue/matching/call-auction.ts";
import type { CallBook, CallOrder, Strike } from "#server/venue/matching/call-auction.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { LEVELS } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";

/** How many levels beyond the price a call's orders reach on either side. */
const REACH = 6;

/** What a call's book is made from. */
export interface Gathered {
  kind: Kind;
  /** The price that comes out, on its tick and within the limits, while nobody else takes part. */
  price: number;
  /** What is executed at it then. */
  lots: number;
  anchor: number;
  limits: CallBook["limits"];
  /** The number behind everything that is drawn. */
  key: number;
}

/**
 * Make the book: on either side orders that would pay worse than the price, a lot of them at the price itself, and others that want a
 * better one. What waits at the price is more than half of what is executed, so that members' orders of that size do not move it.
 */
export function auctionOrders({ kind, price, lots, anchor, limits, key }: Gathered): CallBook {
  const within = (at: number): boolean => !limits || (at >= limits.down && at <= limits.up);
  const ladder = (by: 1 | -1, total: number, nth: number): CallOrder[] => {
    const orders: CallOrder[] = [];
    let at = price;
    let left = total;
    for (let level = 1; level <= REACH && left > 0; level += 1) {
      const next = step(kind, at, by);
      if (next === at || !within(next)) break;
      at = next;
      const some = level === REACH ? left : Math.min(left, 1 + Math.floor((2 * total * unit(mix(mix(key, nth), level))) / REACH));
      orders.push([at, some]);
      left -= some;
    }
    return orders;
  };
  const sum = (orders: readonly CallOrder[]): number => orders.reduce((total, [, some]) => total + some, 0);
  const eager = Math.floor(lots * (0.2 + 0.25 * unit(mix(key, 1))));
  const hasty = Math.floor(lots * (0.2 + 0.25 * unit(mix(key, 2))));
  const above = ladder(1, eager, 11);
  const below = ladder(-1, hasty, 12);
  // One side has some left over at the price; at a limit a whole queue of them.
  const over = Math.floor(lots * (0.05 + 0.5 * unit(mix(key, 3))));
  const atUp = limits !== null && price >= limits.up;
  const atDown = limits !== null && price <= limits.down;
  const buyersLeft = atUp || (!atDown && (key & 1) === 0);
  const queue = atUp || atDown ? 8 * (over + lots) : over;
  return {
    kind,
    bids: [...above, [price, lots - sum(above) + (buyersLeft ? queue : 0)], ...ladder(-1, lots, 13)],
    asks: [...below, [price, lots - sum(below) + (buyersLeft ? 0 : queue)], ...ladder(1, lots, 14)],
    anchor,
    limits,
  };
}

/** Everything at one price: what the fixed price of a day meets after hours. */
export function atOnePrice(kind: Kind, price: number, lots: number, key: number): CallBook {
  const some = (nth: number): number => Math.ceil(lots * (0.3 + unit(mix(key, nth))));
  return { kind, bids: [[price, some(21)]], asks: [[price, some(22)]], anchor: price, limits: { up: price, down: price } };
}

/** A side's levels, best first, after so many lots of it were executed. */
function leftOf(orders: readonly CallOrder[], side: "bids" | "asks", executed: number): Level[] {
  const levels = new Map<number, number>();
  for (const [price, lots] of orders) if (price !== null && lots > 0) levels.set(price, (levels.get(price) ?? 0) + lots);
  let gone = executed;
  return [...levels]
    .toSorted(([a], [b]) => (side === "bids" ? b - a : a - b))
    .flatMap(([price, lots]): Level[] => {
      const taken = Math.min(gone, lots);
      gone -= taken;
      return lots > taken ? [[price, lots - taken]] : [];
    })
    .slice(0, LEVELS);
}

/** A call as it is shown while it gathers: what it would strike now, and what that would leave behind. */
export interface Trial {
  trial: Strike | null;
  bids: Level[];
  asks: Level[];
}

/** Try a call out. */
export function tryOut(book: CallBook): Trial {
  const trial = strike(book);
  const executed = trial?.lots ?? 0;
  return { trial, bids: leftOf(book.bids, "bids", executed), asks: leftOf(book.asks, "asks", executed) };
}
