/** The lifecycle of a block purchase: paired, reviewed when it is large, then a position; or cancelled, or rejected; decided by the server. */
import { setup } from "xstate";
import type { BlockOrderFactType } from "#contract/block-order.ts";

type BlockOrderEvent = { type: BlockOrderFactType };

export const blockOrderMachine = setup({ types: { events: {} as BlockOrderEvent } }).createMachine({
  id: "blockOrder",
  initial: "pending",
  states: {
    pending: {
      on: {
        "blockOrder.reviewed": "review",
        "blockOrder.settled": "holding",
        "blockOrder.rejected": "rejected",
        "blockOrder.cancelled": "cancelled",
      },
    },
    review: {
      on: {
        "blockOrder.settled": "holding",
        "blockOrder.rejected": "rejected",
        "blockOrder.cancelled": "cancelled",
      },
    },
    // From here on it is an ordinary position, with the order's lifecycle.
    holding: { type: "final" },
    rejected: { type: "final" },
    cancelled: { type: "final" },
  },
});
