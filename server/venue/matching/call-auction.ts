/** The call auction: one price for all orders that can execute at it, by the exchange's algorithm (TWSE Operating Rules art. 58-3). */
import { unitsPerWhole } from "#contract/instrument.ts";
import type { Kind } from "#contract/instrument.ts";
import { price as priced } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { onTick, step } from "#contract/tick.ts";

/**
 * One order of an auction: with a limit price, or a market order (null), which counts as the best price the day allows and has
 * priority over every limit order.
 */
export type CallOrder = readonly [price: number | null, lots: number];

/** All orders that take part in one auction of one instrument; the order within a side does not matter. */
export interface CallBook {
  /** Determines the tick ladder of its prices. */
  kind: Kind;
  bids: readonly CallOrder[];
  asks: readonly CallOrder[];
  /** Between when the market's own orders came, evenly; absent where that is not known. */
  came?: { from: number; until: number } | undefined;
  /**
   * Orders of one price are served in an order that is drawn: of the side of which more is asked for at a price limit than can trade; after hours
   * of both.
   */
  lot?: { side: "buy" | "sell" | "both"; draw: number } | undefined;
  /** The side whose orders at a price limit stood there before the call: before those of members whose place among them is not known. */
  queued?: "buy" | "sell" | undefined;
  /** The lots, or coins, that the market alone trades in it. */
  printed?: number | undefined;
  /** Among equally good prices the closest to this one wins: the last trade, or the reference before the first trade. */
  anchor: number;
  /** The lowest and highest price allowed; null when the day has no limits. */
  limits: { up: number; down: number } | null;
}

/** Further orders that are in a call. */
export type JoinedOrders = Pick<CallBook, "bids" | "asks">;

/** A book in the units of orders: the market counts whole coins of digital currency. */
export function inUnits(book: CallBook): CallBook {
  const per = unitsPerWhole(book);
  const scaled = (orders: CallBook["bids"]): CallBook["bids"] => orders.map(([price, lots]) => [price, lots * per]);
  return per === 1 ? book : { ...book, bids: scaled(book.bids), asks: scaled(book.asks) };
}

/** The auction price, and how many lots execute at it. */
export interface AuctionPrice {
  price: Price;
  lots: number;
}

/** The orders of a side by price; market orders take the price `market`. */
function sortByPrice(orders: readonly CallOrder[], market: number): [price: number, lots: number][] {
  return orders.map(([price, lots]): [number, number] => [price ?? market, lots]).toSorted((a, b) => a[0] - b[0]);
}

/**
 * The candidate prices, one of which is optimal. Supply and demand change only at the orders' prices; between two of them the best
 * tick is the one nearest to the anchor: an end of the interval or a tick beside the anchor.
 */
function candidates({ kind, bids, asks, anchor, limits }: CallBook): number[] {
  const found = new Set<number>();
  const around = (at: number): void => {
    for (const price of [at, step(kind, at, 1), step(kind, at, -1)]) if (onTick(kind, price)) found.add(price);
  };
  for (const [price] of bids) if (price !== null) around(price);
  for (const [price] of asks) if (price !== null) around(price);
  if (anchor > 0) around(anchor);
  if (!limits) return [...found].toSorted((a, b) => a - b);
  around(limits.down);
  around(limits.up);
  return [...found].filter((price) => price >= limits.down && price <= limits.up).toSorted((a, b) => a - b);
}

/**
 * Determines the auction price: the one that executes the most lots, with every bid above it and every ask below it filled and one
 * side at it filled completely; of several the closest to the anchor, of two equally close the higher. Null when nothing can
 * execute.
 */
export function auctionPriceOf(book: CallBook): AuctionPrice | null {
  const prices = candidates(book);
  const bids = sortByPrice(book.bids, prices.at(-1) ?? 0);
  const asks = sortByPrice(book.asks, prices[0] ?? 0);
  // Prices ascending: lots asked below and at the price, lots bid above and at it.
  let offered = 0;
  let askIndex = 0;
  let bid = bids.reduce((sum, [, lots]) => sum + lots, 0);
  let bidIndex = 0;
  let best: AuctionPrice | null = null;
  for (const price of prices) {
    for (; (asks[askIndex]?.[0] ?? Infinity) < price; askIndex += 1) offered += asks[askIndex]?.[1] ?? 0;
    const below = offered;
    for (; askIndex < asks.length && (asks[askIndex]?.[0] ?? Infinity) <= price; askIndex += 1) offered += asks[askIndex]?.[1] ?? 0;
    for (; bidIndex < bids.length && (bids[bidIndex]?.[0] ?? Infinity) < price; bidIndex += 1) bid -= bids[bidIndex]?.[1] ?? 0;
    const demand = bid;
    for (; bidIndex < bids.length && (bids[bidIndex]?.[0] ?? Infinity) <= price; bidIndex += 1) bid -= bids[bidIndex]?.[1] ?? 0;
    const above = bid;
    const lots = Math.min(demand, offered);
    if (lots === 0 || above > offered || below > demand) continue;
    const nearer = best && Math.abs(price - book.anchor) <= Math.abs(best.price - book.anchor);
    if (!best || lots > best.lots || (lots === best.lots && nearer)) best = { price: priced(price), lots };
  }
  return best;
}
