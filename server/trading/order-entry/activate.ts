/** What waited for its trigger goes to the market, as if it came only now. */
import { step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { matchContinuously } from "#server/trading/matching-engine/continuous.ts";

/**
 * Set a waiting order off. Takes one number of the batch.
 * @returns whether it still waited
 */
export function activate(batch: Batch, order: OrderRecord): boolean {
  if (order.status !== "pending" || order.trigger_kind === null) return false;
  order.trigger_kind = null;
  order.trigger_price = null;
  order.turn = batch.takeNumber();
  step(order, "order.triggered");
  batch.emitOrderFact("order.triggered", order);
  matchContinuously(batch, order);
  return true;
}
