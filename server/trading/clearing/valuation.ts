/** Values a position at the latest prices, for the overview, the equity curve and the daily loss. */
import { price, priceOf, worth } from "#contract/kernel/money.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import type { Venue } from "#server/venue/venue.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";

/** What one open position adds to the account, in cents. */
export interface Valuation {
  /** What closing it now would bring, beyond its collateral. */
  net: number;
  /** Unrealised profit, net of the estimated cost of closing. */
  profit: number;
  /** The part of it that arose since `midnight`. */
  today: number;
}

/** Values a position at the latest price, or at cost if the venue no longer lists its instrument. */
export function valuationOf(order: OrderRecord, venue: Pick<Venue, "instrument" | "quote">, midnight: number): Valuation {
  const instrument = venue.instrument(order.code);
  const quote = instrument && venue.quote(instrument.row);
  const held = heldOf(toOrder(order));
  const shares = held.lots * held.lotShares;
  const bought = priceOf(order.open_cents, order.filled_lots * order.lot_shares, held.unitsPerWhole);
  const last = price((quote?.last ?? 0) || (quote?.reference ?? 0) || bought);
  const { nowCents, closeCostCents, profitCents } = profitAt(held, last);
  const sign = order.direction === "rise" ? 1 : -1;
  const boughtToday = (order.bought_at ?? 0) >= midnight;
  const reference = price(quote?.reference || last);
  return {
    net: sign * nowCents - closeCostCents - order.loan_cents - order.interest_cents,
    profit: profitCents,
    today: boughtToday ? profitCents : sign * (nowCents - worth(reference, shares, held.unitsPerWhole)),
  };
}
