/** Commands on several orders: each is decided on its own; an order that is refused stays unchanged, with the reason. */
import type { BulkOutcome } from "#contract/order.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { checkFrozen } from "./cancel.ts";
import { checkClose, sendToMarket, nextPart } from "./close.ts";
import { nextStatus, toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { freeLots } from "#server/trading/clearing/lendings-in-batch.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";

/** Applies one command to each of a member's orders. */
function each(batch: Batch, memberId: number, orderNos: readonly string[], act: (order: OrderRecord) => boolean): BulkOutcome {
  const outcome: BulkOutcome = { orders: [], refused: [] };
  for (const orderNo of orderNos) {
    const order = batch.order(memberId, orderNo);
    if (!order) continue;
    try {
      if (act(order)) outcome.orders.push(toOrder(order));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcome.refused.push({ orderNo: toOrder(order).orderNo, code: error.code, params: error.params });
    }
  }
  return outcome;
}

/** Decides to cancel those of the orders that rest or wait for a trigger. */
export function cancelOrders(batch: Batch, memberId: number, orderNos: readonly string[]): BulkOutcome {
  return each(batch, memberId, orderNos, (order) => {
    if (order.status !== "pending" && order.status !== "readyToClose") return false;
    checkFrozen(batch, order);
    cancelRest(batch, order, "member");
    return true;
  });
}

/** Order numbers that closing one position may take: whole lots and single shares are closed one after the other. */
export const CLOSING_NUMBERS = 2;

/** Decides to close all of these positions at market, or where only limit orders are taken at the worst price of the day; skips those being closed already and those not filled yet. */
export function closeOrders(batch: Batch, memberId: number, orderNos: readonly string[]): BulkOutcome {
  return each(batch, memberId, orderNos, (order) => {
    const instrument = batch.venue.instrument(order.code);
    if (order.status !== "holding" || !instrument) return false;
    const { orderNo } = toOrder(order);
    const goesOn = (part: number): boolean => part < CLOSING_NUMBERS && nextStatus(order.status, "order.closeRequested") !== null;
    // What is left after the first part may be on loan.
    for (let part = 0; goesOn(part) && (part === 0 || freeLots(order) > 0); part += 1) {
      const intent = { ...nextPart(batch, order, instrument), orderNo, validity: "rod", fixed: false } as const;
      sendToMarket(batch, checkClose(batch, memberId, intent));
    }
    return true;
  });
}
