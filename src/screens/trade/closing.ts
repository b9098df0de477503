/** What closing lots of a position would bring: proceeds, fee, tax, profit, and the collateral that comes back. */
import { cents } from "#contract/kernel/money.ts";
import type { Cents, Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { heldOf, profitAt, share } from "#contract/profit.ts";
import type { Depth, Quote } from "#contract/quote.ts";

export interface Closing {
  valueCents: Cents;
  feeCents: Cents;
  taxCents: Cents;
  /** What the member's available money grows by; may be negative for a fall that went wrong. */
  proceedsCents: Cents;
  profitCents: Cents;
}

/** The average price a close at market would get from the book on screen; the last price where there is no book. */
export function marketPrice(
  direction: Order["direction"],
  lots: number,
  depth: Pick<Depth, "bids" | "asks"> | null,
  quote: Pick<Quote, "last" | "bid" | "ask"> | null,
): Price | null {
  const levels = (direction === "rise" ? depth?.bids : depth?.asks) ?? [];
  let left = lots;
  let sum = 0;
  let worst = 0;
  for (const [price, offered] of levels) {
    const part = Math.min(left, offered);
    sum += price * part;
    left -= part;
    worst = price;
    if (left === 0) break;
  }
  if (worst > 0 && lots > 0) return Math.round((sum + worst * left) / lots) as Price;
  const best = direction === "rise" ? quote?.bid : quote?.ask;
  const price = best || quote?.last || 0;
  return price > 0 ? (price as Price) : null;
}

/** Closing `lots` of a position at `each`: what was lent for them is paid back first, with its interest. */
export function closingOf(order: Order, lots: number, each: Price): Closing {
  const open = order.filledLots - order.closedLots;
  // As the desk lets lots go: what stays keeps its share, rounded toward nothing.
  const going = (amount: number): Cents => cents(amount - share(amount, open - lots, open));
  const interestCents = going(order.interestCents);
  const dividendCents = going(order.dividendCents);
  const { nowCents, closeCostCents, closeFeeCents, profitCents } = profitAt({ ...heldOf(order), lots, interestCents, dividendCents }, each);
  const gross = order.direction === "rise" ? nowCents - going(order.loanCents) : going(order.collateralCents) - nowCents;
  return {
    valueCents: nowCents,
    feeCents: closeFeeCents,
    taxCents: cents(closeCostCents - closeFeeCents),
    proceedsCents: cents(gross - interestCents - closeCostCents),
    profitCents,
  };
}
