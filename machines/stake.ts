/** The lifecycle of a member's stake in a fund raising: subscribed, then a position, or its money is back; decided by the server. */
import { setup } from "xstate";
import type { StakeFactType } from "#contract/raise.ts";

/** `stake.subscribed` creates the stake. */
type StakeEvent = { type: StakeFactType };

export const stakeMachine = setup({ types: { events: {} as StakeEvent } }).createMachine({
  id: "stake",
  initial: "subscribed",
  states: {
    subscribed: {
      on: {
        "stake.allotted": "subscribed",
        "stake.delivered": "inProgress",
        "stake.withdrawn": "withdrawn",
        "stake.returned": "returned",
      },
    },
    // A position with the order's lifecycle, locked until the listing.
    inProgress: {
      on: { "stake.terminated": "terminated" },
    },
    terminated: { type: "final" },
    withdrawn: { type: "final" },
    returned: { type: "final" },
  },
});
