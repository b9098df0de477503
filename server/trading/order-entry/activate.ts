/** Activates an order whose trigger was reached: it enters the market as if placed now. */
import { step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { matchContinuously } from "#server/trading/matching-engine/continuous.ts";

/**
 * Activates a waiting order. Takes one order number.
 * @returns whether it was still waiting
 */
export function activate(batch: Batch, order: OrderRecord): boolean {
  if (order.status !== "pending" || order.trigger_kind === null) return false;
  order.trigger_kind = null;
  order.trigger_price = null;
  batch.takeTurn(order);
  step(order, "order.triggered");
  batch.emitOrderFact("order.triggered", order);
  matchContinuously(batch, order);
  return true;
}
