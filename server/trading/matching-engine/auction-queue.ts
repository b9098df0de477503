/** The queue of one side of a call auction: market orders first, then the better price, then who waited before the call, then time. Pure functions. */
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
import { isBeyondLimit } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder, Side } from "#server/trading/sequencer/order-book.ts";
import type { CallBook, CallOrder } from "#server/venue/matching/call-auction.ts";

/** All orders in one auction of one instrument. */
export interface Auction {
  /** The simulated market's own orders. */
  own: CallBook;
  /** Members' orders of both sides, in any order. */
  members: readonly RestingOrder[];
  /** After hours everything trades at this price, the day's close. */
  fixedPrice: number | null;
}

/** An order in an auction's queue; orders of the simulated market have no member's order. */
export interface Entry {
  /** The limit price; null for a market order, which precedes every limit. */
  price: number | null;
  atMarket: boolean;
  lots: number;
  order: RestingOrder | null;
  /**
   * Its place in the queue that waited at its price when the call began: the market's lots before it, and of lots of the market, those up to their
   * end. Infinity for what came since.
   */
  place: number;
  /** When it came, or its number in a draw; Infinity where that is not known. */
  cameAt: number;
}

/** The parts that one of the market's own orders is cut into, because its lots came at different times; more where they are drawn. */
const PARTS = 20;
const DRAWN_PARTS = 400;

/** Whether the orders of a side are served as they are drawn: at a price limit a market order asks for no more than one with that limit. */
export const isDrawn = ({ lot }: CallBook, side: Side): boolean => lot?.side === side || lot?.side === "both";

const limitOf = ({ limits }: CallBook, side: Side): number | undefined => (side === "buy" ? limits?.up : limits?.down);

/** When an order of a side came: for the market's own, as far as through the time or the draw it is. */
function cameAt(own: CallBook, side: Side, order: RestingOrder | null, part: number): number {
  const { came, lot } = own;
  if (lot && isDrawn(own, side)) return order ? unit(mix(lot.draw, textKey(order.orderNo))) : part;
  if (!came) return Infinity;
  return order ? (order.cameAt ?? came.until) : came.from + (came.until - came.from) * part;
}

/** An entry as it counts: a market order at the limit, where orders are drawn or have queued there. */
function counted(own: CallBook, side: Side, entry: Entry): Entry {
  const limit = limitOf(own, side);
  const isLocked = isDrawn(own, side) || own.queued === side;
  return isLocked && limit !== undefined && (entry.price === null || entry.price === limit)
    ? { ...entry, price: limit, atMarket: false }
    : entry;
}

/** The market's lots at a price that are new: they came evenly while the call collected orders. */
function newLots(own: CallBook, side: Side, price: number | null, lots: number): Entry[] {
  const known = isDrawn(own, side) || own.came !== undefined;
  const parts = known ? Math.min(isDrawn(own, side) ? DRAWN_PARTS : PARTS, lots) : 1;
  return Array.from({ length: parts }, (_, nth) => ({
    price,
    atMarket: price === null,
    lots: Math.floor((lots * (nth + 1)) / parts) - Math.floor((lots * nth) / parts),
    order: null,
    place: Infinity,
    cameAt: known ? cameAt(own, side, null, (nth + 0.5) / parts) : Infinity,
  }));
}

/** The market's lots at a price that waited when the call began: those up to the last of `places`, cut at each of them. */
function waitingLots(price: number, lots: number, places: Iterable<number>): Entry[] {
  let from = 0;
  return [...new Set(places)]
    .filter((place) => place > 0)
    .toSorted((a, b) => a - b)
    .flatMap((place): Entry[] => {
      const upTo = Math.min(place, lots);
      const entry = { price, atMarket: false, lots: upTo - from, order: null, place, cameAt: -Infinity };
      from = upTo;
      return entry.lots > 0 ? [entry] : [];
    });
}

/** The market's own orders of a side as entries. At the price of members who have a place, as many waited as were before them. */
function ownEntries(own: CallBook, side: Side, members: readonly Entry[]): Entry[] {
  const levels = new Map<number | null, number>();
  for (const [price, lots] of side === "buy" ? own.bids : own.asks) levels.set(price, (levels.get(price) ?? 0) + lots);
  return [...levels].flatMap(([price, lots]) => {
    const places = members.filter((one) => one.price === price && one.place < Infinity).map(({ place }) => place);
    // A queue at the limit waited as a whole.
    if (own.queued === side && price === limitOf(own, side)) places.push(Math.max(lots, ...places));
    if (price === null || places.length === 0 || isDrawn(own, side)) return newLots(own, side, price, lots);
    const before = waitingLots(price, lots, places);
    return [...before, ...newLots(own, side, price, lots - lotsIn(before))];
  });
}

const lotsIn = (entries: readonly Entry[]): number => entries.reduce((sum, { lots }) => sum + lots, 0);
export const lotsOf = (orders: readonly CallOrder[]): number => orders.reduce((sum, [, lots]) => sum + lots, 0);

/**
 * The price a member's order counts with: null for a market order, unless its money was held for less than the highest price of the day.
 */
function priceOf({ side, atMarket, limit }: RestingOrder, { limits }: CallBook): number | null {
  if (!atMarket || limit === null) return limit;
  const reachesAll = limits !== null && (side === "buy" ? limit >= limits.up : limit <= limits.down);
  return reachesAll ? null : limit;
}

/**
 * Negative when `a` has priority over `b`: price, market before limit at one price, then time. Members keep the order of their numbers among
 * themselves unless it is drawn, and come before those of the market's own orders whose time is not known.
 */
function before(side: Side, a: Entry, b: Entry, drawn: boolean): number {
  const rank = (one: Entry): number => (one.price === null ? Number.NEGATIVE_INFINITY : side === "buy" ? -one.price : one.price);
  const [left, right] = [rank(a), rank(b)];
  if (left !== right) return left < right ? -1 : 1;
  if (a.atMarket !== b.atMarket) return a.atMarket ? -1 : 1;
  if (drawn || a.order === null || b.order === null) {
    if (a.place !== b.place) return a.place < b.place ? -1 : 1;
    if (a.place < Infinity && (a.order === null) !== (b.order === null)) return a.order === null ? -1 : 1;
    if (a.cameAt !== b.cameAt) return a.cameAt < b.cameAt ? -1 : 1;
    if (a.order === null || b.order === null) return Number(a.order === null) - Number(b.order === null);
  }
  return a.order.timePriority < b.order.timePriority ? -1 : 1;
}

/**
 * The place of a member's order in the queue that waited at its price; Infinity where that is not known. In a queue at the limit it is as far back as
 * it was in what was displayed, because the call has more of that queue.
 */
function placeOf(own: CallBook, side: Side, at: number, { ahead = Infinity, aheadOf = 0 }: RestingOrder): number {
  if (own.queued !== side || at !== limitOf(own, side) || aheadOf === 0 || ahead === Infinity) return ahead;
  const orders = side === "buy" ? own.bids : own.asks;
  return Math.ceil(Math.min(1, ahead / aheadOf) * lotsOf(orders.filter(([price]) => price === at)));
}

/** Members' orders of a side as entries: none came later, or waited further back, than those that follow it in time priority. */
function memberEntries(own: CallBook, side: Side, members: readonly RestingOrder[]): Entry[] {
  const drawn = isDrawn(own, side);
  let latest = Infinity;
  const places = new Map<number | null, number>();
  return members
    .filter((order) => order.side === side)
    .toSorted((a, b) => (a.timePriority < b.timePriority ? 1 : -1))
    .map((order): Entry => {
      const came = cameAt(own, side, order, 0);
      latest = Math.min(latest, came);
      const asked = { price: priceOf(order, own), atMarket: order.atMarket, lots: order.lots, order, place: Infinity };
      const entry = counted(own, side, { ...asked, cameAt: drawn ? came : latest });
      if (entry.price === null || drawn) return entry;
      entry.place = Math.min(places.get(entry.price) ?? Infinity, placeOf(own, side, entry.price, order));
      places.set(entry.price, entry.place);
      return entry;
    });
}

/** One side by priority. After hours there is one price, so only time counts among members. */
export function queueOf({ own, fixedPrice }: Auction, members: readonly RestingOrder[], side: Side): Entry[] {
  const theirs = memberEntries(own, side, members);
  const drawn = isDrawn(own, side);
  const queue = [...theirs, ...ownEntries(own, side, theirs).map((entry) => counted(own, side, entry))];
  if (fixedPrice === null) return queue.toSorted((a, b) => before(side, a, b, drawn));
  return queue
    .filter(({ price: at }) => !isBeyondLimit(side, at, fixedPrice))
    .map((entry) => ({ ...entry, price: fixedPrice, atMarket: false }))
    .toSorted((a, b) => before(side, a, b, drawn));
}
