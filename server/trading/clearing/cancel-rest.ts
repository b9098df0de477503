/** Cancels the unfilled part of an order. */
import type { OrderFactType } from "#contract/fact.ts";
import type { CancelCause, CancelRefusal } from "#contract/cancel-cause.ts";
import { conditionsIn } from "#server/trading/exit-orders/conditions-in-batch.ts";
import { step } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { clearCloseOrder, releaseHeld } from "./fills.ts";

/** The fact that cancelling an order emits in its current state. */
export function cancelFact(order: OrderRecord): OrderFactType {
  if (order.status === "readyToClose") return "order.closeCancelled";
  return order.filled_lots > 0 ? "order.reduced" : "order.cancelled";
}

/**
 * Tells whether an exit's close ended without its member's doing: with the day, or because a lock or a corporate action stood in its way. What
 * a ban withdraws would otherwise be sent to the market again at once.
 */
function leavesUnprotected(batch: Batch, { member_id: memberId, close_cause: closing }: OrderRecord, cause: CancelCause): boolean {
  if (closing !== "condition") return false;
  return cause === "expired" || (cause === "broker" && !batch.member(memberId).restrictions.includes("banned"));
}

/**
 * Cancels the unfilled part of an order: its money is released, or its lots are available again; the exits of a position whose close they
 * sent wait again. `refusal`: why a reserved order was not accepted.
 */
export function cancelRest(batch: Batch, order: OrderRecord, cause: CancelCause, refusal?: CancelRefusal): void {
  const fact = cancelFact(order);
  const lots = fact === "order.closeCancelled" ? order.closing_lots : order.lots - order.filled_lots;
  const unprotected = fact === "order.closeCancelled" && leavesUnprotected(batch, order, cause);
  if (fact === "order.closeCancelled") clearCloseOrder(order);
  else releaseHeld(batch, order);
  if (fact === "order.reduced") order.lots = order.filled_lots;
  order.reserved_for = null;
  step(order, fact);
  batch.emitOrderFact(fact, order, [], { ended: { lots, cause, ...(refusal === undefined ? {} : { refusal }) } });
  if (unprotected) conditionsIn(batch).rearm(order.order_no);
}
