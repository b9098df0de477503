/** Allocates the lots of a call auction at its one price: market orders first, then the better price, then time. Pure functions. */
import { mix, textKey, unit } from "#server/venue/seeded-random.ts";
import type { Price } from "#contract/kernel/money.ts";
import { price } from "#contract/kernel/money.ts";
import { SIDES, isBeyondLimit } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder, Side } from "#server/trading/sequencer/order-book.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { CallBook, CallOrder, AuctionPrice } from "#server/venue/matching/call-auction.ts";

/** All orders in one auction of one instrument. */
export interface Auction {
  /** The simulated market's own orders. */
  own: CallBook;
  /** Members' orders of both sides, in any order. */
  members: readonly RestingOrder[];
  /** After hours everything trades at this price, the day's close. */
  fixedPrice: number | null;
}

/** A member's order after an auction in which it was not filled, or not wholly. */
export interface Unfilled {
  order: RestingOrder;
  /** The market's lots that are still before it at its price. */
  ahead: number;
}

/** The result of an auction: its price, and each member's order that is filled, in order of priority. */
export interface AuctionResult {
  price: Price;
  /** All lots that trade, those of the market's own orders as well. */
  lots: number;
  allocations: { order: RestingOrder; lots: number }[];
  unfilled: Unfilled[];
}

/** An order in an auction's queue; orders of the simulated market have no member's order. */
interface Entry {
  /** The limit price; null for a market order, which precedes every limit. */
  price: number | null;
  atMarket: boolean;
  lots: number;
  order: RestingOrder | null;
  /**
   * Its place among what stood at its price when the call began: how many of the market's lots were before it, and of the market's own lots, before
   * their end. Infinity for what came since.
   */
  stood: number;
  /** When it came, or its number in a draw; Infinity where that is not known. */
  cameAt: number;
}

/** The parts that one of the market's own orders is cut into, because its lots came at different times; more where they are drawn. */
const PARTS = 20;
const DRAWN_PARTS = 400;

/** Whether the orders of a side are served as they are drawn: at a price limit a market order asks for no more than one with that limit. */
const isDrawn = ({ lot }: CallBook, side: Side): boolean => lot?.side === side || lot?.side === "both";

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

/** Lots of the market's own at a price as entries: they came evenly while the call collected orders. */
function evenly(own: CallBook, side: Side, price: number | null, lots: number): Entry[] {
  const known = isDrawn(own, side) || own.came !== undefined;
  const parts = known ? Math.min(isDrawn(own, side) ? DRAWN_PARTS : PARTS, lots) : 1;
  return Array.from({ length: parts }, (_, nth) => ({
    price,
    atMarket: price === null,
    lots: Math.floor((lots * (nth + 1)) / parts) - Math.floor((lots * nth) / parts),
    order: null,
    stood: Infinity,
    cameAt: known ? cameAt(own, side, null, (nth + 0.5) / parts) : Infinity,
  }));
}

/** The market's own lots at a price as entries, of which those up to the last of `places` stood there before the call. */
function standing(price: number, lots: number, places: Iterable<number>): Entry[] {
  let from = 0;
  return [...new Set(places)]
    .filter((place) => place > 0)
    .toSorted((a, b) => a - b)
    .flatMap((place): Entry[] => {
      const upTo = Math.min(place, lots);
      const entry = { price, atMarket: false, lots: upTo - from, order: null, stood: place, cameAt: -Infinity };
      from = upTo;
      return entry.lots > 0 ? [entry] : [];
    });
}

/** The market's own orders of a side as entries. At the price of members who have a place, as many as stand before them come first. */
function ownEntries(own: CallBook, side: Side, members: readonly Entry[]): Entry[] {
  const levels = new Map<number | null, number>();
  for (const [price, lots] of side === "buy" ? own.bids : own.asks) levels.set(price, (levels.get(price) ?? 0) + lots);
  return [...levels].flatMap(([price, lots]) => {
    const places = members.filter((one) => one.price === price && one.stood < Infinity).map(({ stood }) => stood);
    // A queue that stood at the limit did so as a whole.
    if (own.queued === side && price === limitOf(own, side)) places.push(Math.max(lots, ...places));
    if (price === null || places.length === 0 || isDrawn(own, side)) return evenly(own, side, price, lots);
    const before = standing(price, lots, places);
    return [...before, ...evenly(own, side, price, lots - lotsIn(before))];
  });
}

const lotsIn = (entries: readonly Entry[]): number => entries.reduce((sum, { lots }) => sum + lots, 0);
const lotsOf = (orders: readonly CallOrder[]): number => orders.reduce((sum, [, lots]) => sum + lots, 0);

/**
 * The price a member's order counts with: null for a market order, unless its money was held for less than the highest price of the day.
 */
function callPrice({ side, atMarket, limit }: RestingOrder, { limits }: CallBook): number | null {
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
    if (a.stood !== b.stood) return a.stood < b.stood ? -1 : 1;
    if (a.stood < Infinity && (a.order === null) !== (b.order === null)) return a.order === null ? -1 : 1;
    if (a.cameAt !== b.cameAt) return a.cameAt < b.cameAt ? -1 : 1;
    if (a.order === null || b.order === null) return Number(a.order === null) - Number(b.order === null);
  }
  return a.order.timePriority < b.order.timePriority ? -1 : 1;
}

/**
 * How many of the market's lots stand before an order that was there when the call began; Infinity where that is not known. Of a queue that stands at
 * the limit it is as large a part as it was of what was displayed, because the call has more of the queue.
 */
function stoodBefore(own: CallBook, side: Side, at: number, { ahead = Infinity, aheadOf = 0 }: RestingOrder): number {
  if (own.queued !== side || at !== limitOf(own, side) || aheadOf === 0 || ahead === Infinity) return ahead;
  const orders = side === "buy" ? own.bids : own.asks;
  return Math.ceil(Math.min(1, ahead / aheadOf) * lotsOf(orders.filter(([price]) => price === at)));
}

/** Members' orders of a side as entries: none came later, or stood further back, than those that follow it in time priority, whatever is known of each. */
function inTime(own: CallBook, side: Side, members: readonly RestingOrder[]): Entry[] {
  const drawn = isDrawn(own, side);
  let latest = Infinity;
  const stood = new Map<number | null, number>();
  return members
    .filter((order) => order.side === side)
    .toSorted((a, b) => (a.timePriority < b.timePriority ? 1 : -1))
    .map((order): Entry => {
      const came = cameAt(own, side, order, 0);
      latest = Math.min(latest, came);
      const asked = { price: callPrice(order, own), atMarket: order.atMarket, lots: order.lots, order, stood: Infinity };
      const entry = counted(own, side, { ...asked, cameAt: drawn ? came : latest });
      if (entry.price === null || drawn) return entry;
      entry.stood = Math.min(stood.get(entry.price) ?? Infinity, stoodBefore(own, side, entry.price, order));
      stood.set(entry.price, entry.stood);
      return entry;
    });
}

/** One side by priority. After hours there is one price, so only time counts among members. */
function queueOf({ own, fixedPrice }: Auction, members: readonly RestingOrder[], side: Side): Entry[] {
  const theirs = inTime(own, side, members);
  const drawn = isDrawn(own, side);
  const queue = [...theirs, ...ownEntries(own, side, theirs).map((entry) => counted(own, side, entry))];
  if (fixedPrice === null) return queue.toSorted((a, b) => before(side, a, b, drawn));
  return queue
    .filter(({ price: at }) => !isBeyondLimit(side, at, fixedPrice))
    .map((entry) => ({ ...entry, price: fixedPrice, atMarket: false }))
    .toSorted((a, b) => before(side, a, b, drawn));
}

/** The auction price and the lots that trade at it; null when nothing trades. */
function priceAuction({ own, fixedPrice }: Auction, queues: Record<Side, readonly Entry[]>): AuctionPrice | null {
  const ordersOf = (side: Side): CallOrder[] => queues[side].map((entry) => [entry.price, entry.lots]);
  const book = { ...own, bids: ordersOf("buy"), asks: ordersOf("sell") };
  if (fixedPrice === null) return auctionPriceOf(book);
  const lots = Math.min(lotsOf(book.bids), lotsOf(book.asks));
  return lots > 0 && fixedPrice > 0 ? { price: price(fixedPrice), lots } : null;
}

/** Allocates the traded lots of one side along its queue. An order that a draw has not served stands behind all lots that are left: a draw gives no place. */
function allocate(
  side: Side,
  queue: readonly Entry[],
  result: AuctionPrice,
  drawn: boolean,
): Pick<AuctionResult, "allocations" | "unfilled"> {
  const allocations: AuctionResult["allocations"] = [];
  const unfilled: Unfilled[] = [];
  /** The market's lots that are left, by price. */
  const ahead = new Map<number | null, number>();
  const waiting: Entry[] = [];
  let left = result.lots;
  for (const entry of queue) {
    const { order, price: at, lots } = entry;
    const got = isBeyondLimit(side, at, result.price) ? 0 : Math.min(left, lots);
    left -= got;
    if (!order) ahead.set(at, (ahead.get(at) ?? 0) + lots - got);
    else if (got > 0) allocations.push({ order, lots: got });
    if (order && got < lots && drawn) waiting.push(entry);
    else if (order && got < lots) unfilled.push({ order, ahead: ahead.get(at) ?? 0 });
  }
  for (const { order, price: at } of waiting) if (order) unfilled.push({ order, ahead: ahead.get(at) ?? 0 });
  return { allocations, unfilled };
}

/** Members who would trade with themselves: their orders that are filled on one side after they were already filled on the other. */
function ownTrades(allocations: AuctionResult["allocations"]): Set<RestingOrder> {
  const out = new Set<RestingOrder>();
  const staying = new Map<number, Side>();
  for (const { order } of allocations.toSorted((a, b) => (a.order.timePriority < b.order.timePriority ? -1 : 1))) {
    const side = staying.get(order.memberId) ?? order.side;
    staying.set(order.memberId, side);
    if (side !== order.side) out.add(order);
  }
  return out;
}

/**
 * Holds a call auction; null when nothing trades. Nobody trades with themselves: such orders are left out and the auction is held again.
 */
export function holdAuction(auction: Auction): AuctionResult | null {
  for (let members = auction.members; ;) {
    const queues = { buy: queueOf(auction, members, "buy"), sell: queueOf(auction, members, "sell") };
    const result = priceAuction(auction, queues);
    if (!result) return null;
    const sides = SIDES.map((side) => allocate(side, queues[side], result, isDrawn(auction.own, side)));
    const allocations = sides.flatMap((each) => each.allocations);
    const out = ownTrades(allocations);
    if (out.size === 0) return { ...result, allocations, unfilled: sides.flatMap(({ unfilled }) => unfilled) };
    members = members.filter((order) => !out.has(order));
  }
}
