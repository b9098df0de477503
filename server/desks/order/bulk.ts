/** Commands on several orders: each is decided as if it stood alone, what may not be done stays as it was, with the reason. */
import type { BulkOutcome } from "#contract/order.ts";
import { Refusal } from "#server/desks/desk.ts";
import { askClosing, bringToMarket } from "./close.ts";
import { lapsed } from "./day.ts";
import { restOf, toOrder } from "./record.ts";
import type { OrderRecord } from "./record.ts";
import type { Round } from "./round.ts";
import { withdraw } from "./withdraw.ts";

/** Do one thing to each of a member's orders. */
function each(round: Round, memberId: number, orderNos: readonly string[], act: (order: OrderRecord) => boolean): BulkOutcome {
  const outcome: BulkOutcome = { orders: [], refused: [] };
  for (const orderNo of orderNos) {
    const order = round.order(memberId, orderNo);
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

/** Decide to cancel whatever of these orders rests or waits. */
export function cancelOrders(round: Round, memberId: number, orderNos: readonly string[]): BulkOutcome {
  return each(round, memberId, orderNos, (order) => {
    if (order.status !== "pending" && order.status !== "readyToClose") return false;
    withdraw(round, order);
    return true;
  });
}

/** Decide to close all of these positions at market; what is being closed already, or not held yet, is left alone. */
export function closeOrders(round: Round, memberId: number, orderNos: readonly string[]): BulkOutcome {
  return each(round, memberId, orderNos, (order) => {
    if (order.status !== "holding" || lapsed(order, round.venue, round.at) || restOf(order)) return false;
    const lots = order.filled_lots - order.closed_lots;
    const wish = { orderNo: toOrder(order).orderNo, lots, pricing: "market", price: null, validity: "rod", fixed: false } as const;
    bringToMarket(round, askClosing(round, memberId, wish));
    return true;
  });
}
