/** The transaction tax rate of an order: that of the day of sale, whenever the order was placed. */
import { taxRateOf } from "#contract/rule.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** Sets the tax rate that applies if the order is sold now. @returns whether it changed */
export function rateTax(batch: Pick<Batch, "venue" | "rules" | "at">, order: OrderRecord): boolean {
  const instrument = batch.venue.instrument(order.code);
  if (!instrument) return false;
  const taxPerMillion = taxRateOf(batch.rules.for(order.member_id, instrument, batch.at), order.day_trade);
  if (taxPerMillion === order.terms.taxPerMillion) return false;
  order.terms = { ...order.terms, taxPerMillion };
  return true;
}
