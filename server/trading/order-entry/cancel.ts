/** Cancels the unfilled part of a pending order, or a resting close order. */
import type { Body } from "#contract/endpoints.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { cancelFact, cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import { nextStatus, restOf } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";

/** The member's order. @throws the refusal that every command on a finished order gets */
export function checkOrder(batch: Batch, memberId: number, orderNo: string): OrderRecord {
  const order = batch.order(memberId, orderNo);
  if (!order) throw new Refusal("TRD_ORDER_NOT_FOUND", {}, "orderNo");
  if (order.status === "closed") throw new Refusal("TRD_ALREADY_CLOSED", {}, "orderNo");
  if (order.status === "cancelled") throw new Refusal("TRD_ALREADY_CANCELLED", {}, "orderNo");
  return order;
}

/** Between the end of the session and the moment orders are taken again, a closing call that is put off is as it is. */
export function checkFrozen({ venue, at }: Batch, order: OrderRecord): void {
  const rest = restOf(order);
  const row = venue.instrument(order.code)?.row;
  const late = rest && rest.market !== "fixed" && row !== undefined ? venue.lateClose(row, at) : null;
  if (late && at < late.takesFrom) throw new Refusal("TRD_NON_TRADING_HOURS");
}

/** Decides a cancellation; refusals come in the order of the endpoint's list. */
export function cancelOrder(batch: Batch, memberId: number, body: Body<"cancelOrder">): OrderRecord {
  const order = checkOrder(batch, memberId, body.orderNo);
  if (nextStatus(order.status, cancelFact(order)) === null) throw new Refusal("TRD_ORDER_NOT_PENDING", {}, "orderNo");
  checkFrozen(batch, order);
  cancelRest(batch, order, "member");
  return order;
}
