/** Estimates closing lots of a position: proceeds, fee, tax, profit and returned collateral. */
import { cents } from "#contract/kernel/money.ts";
import type { Cents, Price } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { heldOf, profitAt, share } from "#contract/profit.ts";
import type { Depth, Quote } from "#contract/quote.ts";

export interface Closing {
  valueCents: Cents;
  feeCents: Cents;
  taxCents: Cents;
  /** The change of the member's available money; may be negative for a losing short. */
  proceedsCents: Cents;
  profitCents: Cents;
}

/** The average price of a market close against the displayed book; the last price without a book. */
export function marketPrice(
  direction: Order["direction"],
  lots: number,
  depth: Pick<Depth, "bids" | "asks"> | null,
  quote: Pick<Quote, "last" | "bid" | "ask"> | null,
): Price | null {
  const levels = (direction === "rise" ? depth?.bids : depth?.asks) ?? [];
  let left = lots;
  let sum = 0;
  let worstPrice = 0;
  for (const [price, offered] of levels) {
    const part = Math.min(left, offered);
    sum += price * part;
    left -= part;
    worstPrice = price;
    if (left === 0) break;
  }
  if (worstPrice > 0 && lots > 0) return Math.round((sum + worstPrice * left) / lots) as Price;
  const best = direction === "rise" ? quote?.bid : quote?.ask;
  const price = best || quote?.last || 0;
  return price > 0 ? (price as Price) : null;
}

/** Estimates closing `lots` of a position at the price `each`: their loan is repaid first, with its interest. */
export function closingOf(order: Order, lots: number, each: Price): Closing {
  const open = order.filledLots - order.closedLots;
  // As the broker does it: the remainder keeps its share, rounded toward zero.
  const shareOfClosed = (amount: number): Cents => cents(amount - share(amount, open - lots, open));
  const interestCents = shareOfClosed(order.interestCents);
  const dividendCents = shareOfClosed(order.dividendCents);
  const { nowCents, closeCostCents, closeFeeCents, profitCents } = profitAt({ ...heldOf(order), lots, interestCents, dividendCents }, each);
  const gross = order.direction === "rise" ? nowCents - shareOfClosed(order.loanCents) : shareOfClosed(order.collateralCents) - nowCents;
  return {
    valueCents: nowCents,
    feeCents: closeFeeCents,
    taxCents: cents(closeCostCents - closeFeeCents),
    proceedsCents: cents(gross - interestCents - closeCostCents),
    profitCents,
  };
}
