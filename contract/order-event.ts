/** What a fact adds to the written life of its order. */
import type { EpochMs } from "./kernel/time.ts";
import type { Order, OrderEvent } from "./order.ts";

/** The facts of an order that its fields and its fills do not tell: they stand in its life with the moment they happened. */
export const ORDER_EVENTS = [
  "order.triggered",
  "order.amended",
  "order.reduced",
  "order.cancelled",
  "order.closeRequested",
  "order.closeCancelled",
] as const;

/** The event in a fact of an order; null where its fields and fills tell as much. */
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
