/** The lifecycle of an order: pending, holding, ready to close, closed, cancelled; judged by the broker, followed by the phone. */
import { setup } from "xstate";
import type { OrderFactType } from "#contract/fact.ts";

/** Facts are the events; a fact that a state does not name cannot happen there. Of a new order the first says whether it waits. */
type OrderEvent = { type: OrderFactType; waits?: boolean };

/** The five statuses are the outer states; what is inside them says how far along an order is, and has no status of its own. */
export const orderMachine = setup({
  types: { events: {} as OrderEvent },
  guards: { waits: ({ event }) => event.waits === true },
}).createMachine({
  id: "order",
  initial: "pending",
  states: {
    pending: {
      initial: "received",
      states: {
        /** Asked for, and nothing told of it yet. */
        received: {
          on: { "order.placed": [{ guard: "waits", target: "conditional" }, { target: "queued" }] },
        },
        /** Waits for its trigger. */
        conditional: {
          on: {
            "order.triggered": "queued",
            "order.amended": "conditional",
            "order.cancelled": "#order.cancelled",
          },
        },
        /** In the market, nothing executed yet. */
        queued: {
          on: {
            "order.partlyFilled": "partlyFilled",
            "order.filled": "#order.holding",
            "order.amended": "queued",
            "order.cancelled": "#order.cancelled",
          },
        },
        partlyFilled: {
          on: {
            "order.partlyFilled": "partlyFilled",
            "order.filled": "#order.holding",
            "order.amended": "partlyFilled",
            "order.adjusted": "partlyFilled",
            "order.reduced": "#order.holding",
          },
        },
      },
    },
    holding: {
      on: {
        "order.closeRequested": "readyToClose",
        "order.adjusted": "holding",
      },
    },
    readyToClose: {
      initial: "closing",
      on: {
        "order.lotsClosed": "holding",
        "order.closed": "closed",
        "order.closeCancelled": "holding",
      },
      states: {
        /** The close is in the market, nothing of it executed yet. */
        closing: {
          on: {
            "order.closePartlyFilled": "partlyClosed",
            "order.amended": "closing",
            "order.adjusted": "closing",
          },
        },
        partlyClosed: {
          on: {
            "order.closePartlyFilled": "partlyClosed",
            "order.amended": "partlyClosed",
            "order.adjusted": "partlyClosed",
          },
        },
      },
    },
    closed: { type: "final" },
    cancelled: { type: "final" },
  },
});
