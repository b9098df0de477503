/** The kinds of events of an order's timeline. */

/** The facts that an order's fields and fills do not show; the timeline stores them with their time. */
export const ORDER_EVENTS = [
  "order.triggered",
  "order.entered",
  "order.amended",
  "order.reduced",
  "order.cancelled",
  "order.closeRequested",
  "order.closeCancelled",
] as const;
