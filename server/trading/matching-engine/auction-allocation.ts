/** Holds a call auction: allocates the lots that trade at its one price along the queues of both sides. Pure functions. */
import type { Price } from "#contract/kernel/money.ts";
import { price } from "#contract/kernel/money.ts";
import { SIDES, isBeyondLimit } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder, Side } from "#server/trading/sequencer/order-book.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { CallOrder, AuctionPrice } from "#server/venue/matching/call-auction.ts";
import { isDrawn, lotsOf, queueOf } from "./auction-queue.ts";
import type { Auction, Entry } from "./auction-queue.ts";

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
