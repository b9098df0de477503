/** Generates the market's own orders in call auctions, such that the auction algorithm yields the price of the day's path. */
import type { Kind } from "#contract/instrument.ts";
import { step } from "#contract/tick.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { CallBook, CallOrder, AuctionPrice } from "#server/venue/matching/call-auction.ts";
import { mix, unit } from "#server/venue/seeded-random.ts";
import { LEVELS } from "#server/venue/matching/book-sweep.ts";
import type { Level } from "#server/venue/matching/book-sweep.ts";

/** At a price limit the queue is so many times what trades: a locked call serves at most a twentieth of it. */
const LOCKED_TIMES = 20;

/** How many levels beyond the auction price the orders reach on either side. */
const REACH = 6;
/** The same of orders that stand there, which reach further than anybody pays for. */
const STANDING_REACH = 40;

/** The input for an auction's book. */
export interface AuctionInput {
  kind: Kind;
  /** The auction price without any member's order; on a tick and within the limits. */
  price: number;
  /** The lots that execute at it. */
  lots: number;
  anchor: number;
  limits: CallBook["limits"];
  /** The least lots that stand at every price further out: what it takes to move the price by a tick. */
  standing?: number | undefined;
  /**
   * Who is served at a price limit, where far more is asked for than can trade: those who stood there before the call, or where the price reaches
   * the limit in it, those that are drawn.
   */
  served: "drawn" | "queued";
  /** The lots of which the queue at a limit is a multiple, where it waits for more than this call. */
  queueFor?: number | undefined;
  /** The random bits everything is drawn from. */
  key: number;
}

/**
 * Generates the book: on each side orders priced through the auction price, a block of lots at the price itself, and orders that
 * want a better price. More than half of the executed lots are at the price itself, so that member orders of that size do not move
 * it.
 */
export function auctionOrders({ kind, price, lots, anchor, limits, standing = 0, served, queueFor = lots, key }: AuctionInput): CallBook {
  const within = (at: number): boolean => !limits || (at >= limits.down && at <= limits.up);
  const ladder = (by: 1 | -1, total: number, nth: number): CallOrder[] => {
    const orders: CallOrder[] = [];
    let at = price;
    let left = total;
    for (let level = 1; level <= REACH && left > 0; level += 1) {
      const next = step(kind, at, by);
      if (next === at || !within(next)) break;
      at = next;
      const size = level === REACH ? left : Math.min(left, 1 + Math.floor((2 * total * unit(mix(mix(key, nth), level))) / REACH));
      orders.push([at, size]);
      left -= size;
    }
    return orders;
  };
  const stand = (by: 1 | -1, nth: number): CallOrder[] => {
    const orders: CallOrder[] = [];
    let at = step(kind, price, by);
    const reach = standing > 0 ? STANDING_REACH : 0;
    for (let level = 1; level <= reach && within(at) && at !== orders.at(-1)?.[0]; level += 1) {
      orders.push([at, Math.ceil(standing * (1 + unit(mix(mix(key, nth), level))))]);
      at = step(kind, at, by);
    }
    return orders;
  };
  const sum = (orders: readonly CallOrder[]): number => orders.reduce((total, [, size]) => total + size, 0);
  const buyersThrough = Math.floor(lots * (0.2 + 0.25 * unit(mix(key, 1))));
  const sellersThrough = Math.floor(lots * (0.2 + 0.25 * unit(mix(key, 2))));
  const above = ladder(1, buyersThrough, 11);
  const below = ladder(-1, sellersThrough, 12);
  // One side has lots left over at the price; at a price limit a whole queue.
  const surplus = Math.floor(lots * (0.05 + 0.5 * unit(mix(key, 3))));
  const atUp = limits !== null && price >= limits.up;
  const atDown = limits !== null && price <= limits.down;
  const locked = atUp ? "buy" : atDown ? "sell" : null;
  const buyersLeft = atUp || (!atDown && (key & 1) === 0);
  const queue = locked ? LOCKED_TIMES * (surplus + queueFor) : surplus;
  return {
    kind,
    bids: [...above, [price, lots - sum(above) + (buyersLeft ? queue : 0)], ...ladder(-1, lots, 13), ...stand(-1, 15)],
    asks: [...below, [price, lots - sum(below) + (buyersLeft ? 0 : queue)], ...ladder(1, lots, 14), ...stand(1, 16)],
    anchor,
    limits,
    lot: locked && served === "drawn" ? { side: locked, draw: mix(key, 4) } : undefined,
    queued: locked && served === "queued" ? locked : undefined,
  };
}

/** The input for the book of after-hours fixed-price trading; `day`: the limits of the day. */
interface FixedPriceInput extends Pick<AuctionInput, "kind" | "price" | "lots" | "key"> {
  fair: number;
  day: CallBook["limits"];
}

/**
 * All orders at one price: the other side of after-hours fixed-price trading. Where members' orders have moved the close away from `fair`, the
 * market does not buy above that or sell below it: who pushes a close must not be paid for it.
 */
export function atOnePrice({ kind, price, fair, lots, day, key }: FixedPriceInput): CallBook {
  const size = (nth: number): number => Math.ceil(lots * (0.3 + unit(mix(key, nth))));
  // Who could not buy at the limit all day still wants to.
  const [buyers, sellers] = [size(21), size(22)];
  const bids = buyers + (day && price >= day.up ? LOCKED_TIMES * sellers : 0);
  const asks = sellers + (day && price <= day.down ? LOCKED_TIMES * buyers : 0);
  return {
    kind,
    bids: price <= fair ? [[price, bids]] : [],
    asks: price >= fair ? [[price, asks]] : [],
    anchor: price,
    limits: { up: price, down: price },
    lot: { side: "both", draw: mix(key, 23) },
  };
}

/** A side's levels, best first, after this many of its lots executed: those at market first. */
function leftOf(orders: readonly CallOrder[], side: "bids" | "asks", executed: number): Level[] {
  const levels = new Map<number, number>();
  let remaining = executed;
  for (const [price, lots] of orders) {
    if (price === null) remaining = Math.max(0, remaining - lots);
    else if (lots > 0) levels.set(price, (levels.get(price) ?? 0) + lots);
  }
  return [...levels]
    .toSorted(([a], [b]) => (side === "bids" ? b - a : a - b))
    .flatMap(([price, lots]): Level[] => {
      const taken = Math.min(remaining, lots);
      remaining -= taken;
      return lots > taken ? [[price, lots - taken]] : [];
    })
    .slice(0, LEVELS);
}

/** The trial match of a pending auction: its result if it took place now, and the book it would leave. */
export interface TrialMatch {
  trial: AuctionPrice | null;
  bids: Level[];
  asks: Level[];
}

/** Its best bid and ask; 0 for none. */
export const bestOf = ({ bids, asks }: TrialMatch): { bid: number; ask: number } => ({ bid: bids[0]?.[0] ?? 0, ask: asks[0]?.[0] ?? 0 });

/** Runs a trial match. */
export function trialMatch(book: CallBook): TrialMatch {
  const trial = auctionPriceOf(book);
  const executed = trial?.lots ?? 0;
  return { trial, bids: leftOf(book.bids, "bids", executed), asks: leftOf(book.asks, "asks", executed) };
}
