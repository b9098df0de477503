/** The lifecycle of an order: pending, holding, ready to close, closed, cancelled; judged by the broker, followed by the phone. */
import { setup } from "xstate";
import type { OrderFactType } from "#contract/fact.ts";

/** Facts are the events; a fact that a state does not name cannot happen there. */
type OrderEvent = { type: OrderFactType };

export const orderMachine = setup({ types: { events: {} as OrderEvent } }).createMachine({
  id: "order",
  initial: "pending",
  states: {
    pending: {
      on: {
        "order.partlyFilled": "pending",
        "order.filled": "holding",
        "order.cancelled": "cancelled",
        "order.reduced": "holding",
      },
    },
    holding: {
      on: {
        "order.closeRequested": "readyToClose",
      },
    },
    readyToClose: {
      on: {
        "order.closePartlyFilled": "readyToClose",
        "order.lotsClosed": "holding",
        "order.closed": "closed",
        "order.closeCancelled": "holding",
      },
    },
    closed: { type: "final" },
    cancelled: { type: "final" },
  },
});
