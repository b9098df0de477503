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

/** The result of an auction: its price, and each member's order that is filled, in order of priority. */
export interface AuctionResult {
  price: Price;
  /** All lots that trade, those of the market's own orders as well. */
  lots: number;
  allocations: { order: RestingOrder; lots: number }[];
}

/** An order in an auction's queue; orders of the simulated market have no member's order. */
interface Entry {
  /** The limit price; null for a market order, which precedes every limit. */
  price: number | null;
  atMarket: boolean;
  lots: number;
  order: RestingOrder | null;
  /** When it came, or its number in a draw; Infinity where that is not known. */
  cameAt: number;
}

/** The parts that one of the market's own orders is cut into, because its lots came at different times; more where they are drawn. */
const PARTS = 20;
const DRAWN_PARTS = 400;

/** Whether the orders of a side are served as they are drawn: at a price limit a market order asks for no more than one with that limit. */
const isDrawn = ({ lot }: CallBook, side: Side): boolean => lot?.side === side || lot?.side === "both";

/** When an order of a side came: for the market's own, as far as through the time or the draw it is. */
function cameAt(own: CallBook, side: Side, order: RestingOrder | null, part: number): number {
  const { came, lot } = own;
  if (lot && isDrawn(own, side)) return order ? unit(mix(lot.draw, textKey(order.orderNo))) : part;
  if (!came) return Infinity;
  return order ? (order.cameAt ?? came.until) : came.from + (came.until - came.from) * part;
}

/** An entry as it counts: a market order at the limit, where orders are drawn. */
function counted(own: CallBook, side: Side, entry: Entry): Entry {
  const limit = side === "buy" ? own.limits?.up : own.limits?.down;
  const isAtLimit = isDrawn(own, side) && limit !== undefined && (entry.price === null || entry.price === limit);
  return isAtLimit ? { ...entry, price: limit, atMarket: false } : entry;
}

/** The market's own order at a price as entries: its lots came evenly while the call collected orders. */
function ownEntries(own: CallBook, side: Side, [price, lots]: CallOrder): Entry[] {
  const known = isDrawn(own, side) || own.came !== undefined;
  const parts = known ? Math.min(isDrawn(own, side) ? DRAWN_PARTS : PARTS, lots) : 1;
  return Array.from({ length: parts }, (_, nth) => ({
    price,
    atMarket: price === null,
    lots: Math.floor((lots * (nth + 1)) / parts) - Math.floor((lots * nth) / parts),
    order: null,
    cameAt: known ? cameAt(own, side, null, (nth + 0.5) / parts) : Infinity,
  }));
}

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
function before(side: Side, a: Entry, b: Entry, isByTime: boolean): number {
  const rank = (one: Entry): number => (one.price === null ? Number.NEGATIVE_INFINITY : side === "buy" ? -one.price : one.price);
  const [left, right] = [rank(a), rank(b)];
  if (left !== right) return left < right ? -1 : 1;
  if (a.atMarket !== b.atMarket) return a.atMarket ? -1 : 1;
  if (isByTime || a.order === null || b.order === null) {
    if (a.cameAt !== b.cameAt) return a.cameAt < b.cameAt ? -1 : 1;
    if (a.order === null || b.order === null) return Number(a.order === null) - Number(b.order === null);
  }
  return a.order.timePriority < b.order.timePriority ? -1 : 1;
}

/** Members' orders of a side as entries: none came later than those that follow it in time priority, whatever is known of each. */
function inTime(own: CallBook, side: Side, members: readonly RestingOrder[]): Entry[] {
  const drawn = isDrawn(own, side);
  let latest = Infinity;
  return members
    .filter((order) => order.side === side)
    .toSorted((a, b) => (a.timePriority < b.timePriority ? 1 : -1))
    .map((order): Entry => {
      const came = cameAt(own, side, order, 0);
      latest = Math.min(latest, came);
      return { price: callPrice(order, own), atMarket: order.atMarket, lots: order.lots, order, cameAt: drawn ? came : latest };
    });
}

/** One side by priority. After hours there is one price, so only time counts among members. */
function queueOf({ own, fixedPrice }: Auction, members: readonly RestingOrder[], side: Side): Entry[] {
  const theirs = inTime(own, side, members);
  const others = (side === "buy" ? own.bids : own.asks).flatMap((one) => ownEntries(own, side, one));
  const drawn = isDrawn(own, side);
  const queue = [...theirs, ...others].map((entry) => counted(own, side, entry));
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

/** Allocates the traded lots of one side along its queue. */
function allocate(side: Side, queue: readonly Entry[], result: AuctionPrice): AuctionResult["allocations"] {
  let left = result.lots;
  return queue.flatMap(({ order, price: at, lots }) => {
    if (isBeyondLimit(side, at, result.price)) return [];
    const got = Math.min(left, lots);
    left -= got;
    return order && got > 0 ? [{ order, lots: got }] : [];
  });
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
    const allocations = SIDES.flatMap((side) => allocate(side, queues[side], result));
    const out = ownTrades(allocations);
    if (out.size === 0) return { ...result, allocations };
    members = members.filter((order) => !out.has(order));
  }
}
