/** Withdrawing: what is unfilled of a pending order, or a resting close order. */
import type { Body } from "#contract/endpoints.ts";
import type { OrderFactType } from "#contract/fact.ts";
import { Refusal } from "#server/api/handler.ts";
import { clearCloseOrder, releaseHeld } from "#server/trading/clearing/fills.ts";
import { nextStatus, step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** The member's order, or the refusal that every command on a finished one gets. */
export function checkOrder(batch: Batch, memberId: number, orderNo: string): OrderRecord {
  const order = batch.order(memberId, orderNo);
  if (!order) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNo");
  if (order.status === "closed") throw new Refusal("TRD_ALREADY_CLOSED", {}, "orderNo");
  if (order.status === "cancelled") throw new Refusal("TRD_ALREADY_CANCELLED", {}, "orderNo");
  return order;
}

/** What cancelling would be for an order as it stands. */
function cancelFact(order: OrderRecord): OrderFactType {
  if (order.status === "readyToClose") return "order.closeCancelled";
  return order.filled_lots > 0 ? "order.reduced" : "order.cancelled";
}

/** Take what rests of an order out of the market: its money is given back, or its lots are held again. */
export function cancelRest(batch: Batch, order: OrderRecord): void {
  const fact = cancelFact(order);
  if (fact === "order.closeCancelled") clearCloseOrder(order);
  else releaseHeld(batch, order);
  if (fact === "order.reduced") order.lots = order.filled_lots;
  step(order, fact);
  batch.emitFact(fact, order);
}

/** Decide a cancellation; refusals in the order of the endpoint's list. */
export function cancelOrder(batch: Batch, memberId: number, body: Body<"cancelOrder">): OrderRecord {
  const order = checkOrder(batch, memberId, body.orderNo);
  if (nextStatus(order.status, cancelFact(order)) === null) throw new Refusal("TRD_ORDER_NOT_PENDING", {}, "orderNo");
  cancelRest(batch, order);
  return order;
}
