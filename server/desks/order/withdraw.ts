/** Withdrawing: what is unfilled of a pending order, or a resting close order. */
import type { Body } from "#contract/endpoints.ts";
import type { OrderFactType } from "#contract/fact.ts";
import { Refusal } from "#server/desks/desk.ts";
import { forgetClose, releaseHeld } from "./execute.ts";
import { nextStatus, step } from "./record.ts";
import type { OrderRecord } from "./record.ts";
import type { Round } from "./round.ts";

/** The member's order, or the refusal that every command on a finished one gets. */
export function askOrder(round: Round, memberId: number, orderNo: string): OrderRecord {
  const order = round.order(memberId, orderNo);
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
export function withdraw(round: Round, order: OrderRecord): void {
  const fact = cancelFact(order);
  if (fact === "order.closeCancelled") forgetClose(order);
  else releaseHeld(round, order);
  if (fact === "order.reduced") order.lots = order.filled_lots;
  step(order, fact);
  round.tell(fact, order);
}

/** Decide a cancellation; refusals in the order of the endpoint's list. */
export function cancelOrder(round: Round, memberId: number, body: Body<"cancelOrder">): OrderRecord {
  const order = askOrder(round, memberId, body.orderNo);
  if (nextStatus(order.status, cancelFact(order)) === null) throw new Refusal("TRD_ORDER_NOT_PENDING", {}, "orderNo");
  withdraw(round, order);
  return order;
}
