/** An order's timeline, derived from its facts. */
import type { EpochMs } from "./kernel/time.ts";
import { ORDER_EVENTS } from "./order-event.ts";
import type { Order, OrderEvent } from "./order.ts";

/** The timeline event of an order fact; null where the order's fields and fills already show it. */
export function eventOf({ at, type, order }: { at: EpochMs; type: string; order: Order }): OrderEvent | null {
  const known = ORDER_EVENTS.find((one) => one === type);
  if (!known) return null;
  const closing = order.status === "readyToClose";
  return {
    at,
    type: known,
    lots: closing ? order.closingLots : order.lots,
    price: closing ? order.closePrice : order.price,
    cause: closing ? order.closeCause : null,
  };
}
