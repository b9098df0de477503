/** The lifecycle of an order: pending, holding, ready to close, closed, cancelled; decided by the server, followed by the client. */
import { setup } from "xstate";
import type { OrderFactType } from "#contract/fact.ts";

/** Facts are the events; a fact a state does not list cannot happen there. `waits` on the first fact marks a conditional order, `reserved` one for the next session. */
type OrderEvent = { type: OrderFactType; waits?: boolean; reserved?: boolean };

/** The five statuses are the outer states; nested states show an order's progress and have no status of their own. */
export const orderMachine = setup({
  types: { events: {} as OrderEvent },
  guards: { waits: ({ event }) => event.waits === true, reserved: ({ event }) => event.reserved === true },
}).createMachine({
  id: "order",
  initial: "pending",
  states: {
    pending: {
      initial: "received",
      states: {
        /** Requested; no fact has arrived yet. */
        received: {
          on: {
            "order.placed": [{ guard: "waits", target: "conditional" }, { guard: "reserved", target: "reserved" }, { target: "queued" }],
          },
        },
        /** Waits for its trigger. */
        conditional: {
          on: {
            "order.triggered": "queued",
            "order.amended": "conditional",
            "order.cancelled": "#order.cancelled",
          },
        },
        /** Placed while the market was closed, and kept for its next session. */
        reserved: {
          on: {
            "order.entered": "queued",
            "order.amended": "reserved",
            "order.cancelled": "#order.cancelled",
          },
        },
        /** In the market, nothing filled yet. */
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
        "order.closeRequested": [{ guard: "reserved", target: "readyToClose.reserved" }, { target: "readyToClose" }],
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
        /** The close order is kept for the next session. */
        reserved: {
          on: {
            "order.entered": "closing",
            "order.amended": "reserved",
            "order.adjusted": "reserved",
          },
        },
        /** The close order is in the market, nothing of it filled yet. */
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
