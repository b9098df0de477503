/** Redeems a position in a fund whose term has ended: the fund pays every unit its value. */
import { price as toPrice } from "#contract/kernel/money.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { fillOrder } from "#server/trading/clearing/fills.ts";
import { getBack } from "#server/trading/clearing/lendings-in-batch.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { nextStatus } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { enterMarket } from "./close.ts";

/**
 * Ends an order in the fund: what rests in the market is cancelled, units on loan come back, and all that is held is paid at `value` (in price
 * units). Takes one order number. A position that an operator has locked waits for them.
 * @returns whether nothing is left of it
 */
export function redeemOrder(batch: Batch, order: OrderRecord, value: number): boolean {
  if (order.locked) return false;
  if (order.status === "pending" || order.status === "readyToClose") cancelRest(batch, order, "broker");
  if (nextStatus(order.status, "order.closeRequested") === null) return true;
  getBack(batch, order);
  const lots = order.filled_lots - order.closed_lots;
  const market = order.lot_shares === 1 ? "odd" : "board";
  enterMarket(batch, { order, lots, pricing: "market", price: null, market, validity: "rod", cause: "redemption" });
  const price = toPrice(value);
  fillOrder(batch, order, [{ price, lots, level: 0, best: price, reason: "redemption" }]);
  return true;
}
