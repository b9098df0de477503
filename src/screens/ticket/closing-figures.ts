/** Estimates what closing part of a position brings: its orders are closed first in, first out. */
import { cents } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import { openSharesOf } from "#contract/position.ts";
import type { Position } from "#contract/position.ts";
import type { Depth, Quote } from "#contract/quote.ts";
import { closingOf, marketPrice } from "./closing.ts";
import type { Closing } from "./closing.ts";

const NOTHING: Closing = { valueCents: cents(0), feeCents: cents(0), taxCents: cents(0), proceedsCents: cents(0), profitCents: cents(0) };

/** What closing so many shares brings at one price; null if fewer can be closed. */
export function closingFigures({ orders }: Pick<Position, "orders">, shares: number, each: Price): Closing | null {
  let left = shares;
  let sum = NOTHING;
  for (const order of orders) {
    if (order.status !== "holding" || left <= 0) continue;
    const part = Math.min(left, openSharesOf(order));
    const one = closingOf(order, part / order.lotShares, each);
    left -= part;
    sum = {
      valueCents: cents(sum.valueCents + one.valueCents),
      feeCents: cents(sum.feeCents + one.feeCents),
      taxCents: cents(sum.taxCents + one.taxCents),
      proceedsCents: cents(sum.proceedsCents + one.proceedsCents),
      profitCents: cents(sum.profitCents + one.profitCents),
    };
  }
  return left > 0 || shares <= 0 ? null : sum;
}

/** The market a close meets. */
export interface ClosingMarket {
  depth: Pick<Depth, "bids" | "asks"> | null;
  quote: Pick<Quote, "last" | "bid" | "ask"> | null;
}

/** The price a close is estimated at: its limit, or the average of the displayed book. */
export function closingPrice(
  { direction }: Pick<Position, "direction">,
  limit: Price | null,
  lots: number,
  { depth, quote }: ClosingMarket,
): Price | null {
  return limit ?? marketPrice(direction, lots, depth, quote);
}
