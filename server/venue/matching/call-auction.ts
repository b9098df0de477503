/** The call auction: one price for everything that can be executed at it, by the exchange's algorithm (TWSE Operating Rules art. 58-3). */
import type { Kind } from "#contract/instrument.ts";
import { price as priced } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { onTick, step } from "#contract/tick.ts";

/**
 * One order of an auction: at a price or better, or at market (null), which is as good as the best price the day allows and comes
 * before every limit.
 */
export type CallOrder = readonly [price: number | null, lots: number];

/** Everything that takes part in one call of one instrument; the order within a side does not matter. */
export interface CallBook {
  /** What ladder of ticks its prices stand on. */
  kind: Kind;
  bids: readonly CallOrder[];
  asks: readonly CallOrder[];
  /** What the price keeps closest to where several would do: the last trade, or the reference before the first. */
  anchor: number;
  /** The lowest and highest price it may strike; null where the day has no limits. */
  limits: { up: number; down: number } | null;
}

/** The one price, and how many lots it executes. */
export interface Strike {
  price: Price;
  lots: number;
}

/** The orders of a side by price, with what is at market at the price it is as good as. */
function sorted(orders: readonly CallOrder[], market: number): [price: number, lots: number][] {
  return orders.map(([price, lots]): [number, number] => [price ?? market, lots]).toSorted((a, b) => a[0] - b[0]);
}

/**
 * The prices one of which is the best. Supply and demand change only at the orders' prices; between two of them the best tick is the
 * one nearest to the anchor, which is an end or beside the anchor.
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
 * Strike the call: the price that executes the most, with every bid above it and every ask below it filled and one side at it filled
 * whole; of several the closest to the anchor, of two as close the higher. Null when nothing can be executed.
 */
export function strike(book: CallBook): Strike | null {
  const prices = candidates(book);
  const bids = sorted(book.bids, prices.at(-1) ?? 0);
  const asks = sorted(book.asks, prices[0] ?? 0);
  // Going up the prices: lots asked below and at the price, bid above and at it.
  let asked = 0;
  let nextAsk = 0;
  let wanted = bids.reduce((sum, [, lots]) => sum + lots, 0);
  let nextBid = 0;
  let best: Strike | null = null;
  for (const price of prices) {
    for (; (asks[nextAsk]?.[0] ?? Infinity) < price; nextAsk += 1) asked += asks[nextAsk]?.[1] ?? 0;
    const below = asked;
    for (; nextAsk < asks.length && (asks[nextAsk]?.[0] ?? Infinity) <= price; nextAsk += 1) asked += asks[nextAsk]?.[1] ?? 0;
    for (; nextBid < bids.length && (bids[nextBid]?.[0] ?? Infinity) < price; nextBid += 1) wanted -= bids[nextBid]?.[1] ?? 0;
    const demand = wanted;
    for (; nextBid < bids.length && (bids[nextBid]?.[0] ?? Infinity) <= price; nextBid += 1) wanted -= bids[nextBid]?.[1] ?? 0;
    const above = wanted;
    const lots = Math.min(demand, asked);
    if (lots === 0 || above > asked || below > demand) continue;
    const nearer = best && Math.abs(price - book.anchor) <= Math.abs(best.price - book.anchor);
    if (!best || lots > best.lots || (lots === best.lots && nearer)) best = { price: priced(price), lots };
  }
  return best;
}
