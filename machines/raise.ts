/** The lifecycle of a fund raising: subscriptions until the close, then a listed fund, or nothing if too little was asked for. */
import { setup } from "xstate";
import type { RaiseEventType } from "#contract/raise.ts";

type RaiseEvent = { type: RaiseEventType };

export const raiseMachine = setup({ types: { events: {} as RaiseEvent } }).createMachine({
  id: "raise",
  initial: "upcoming",
  states: {
    upcoming: {
      on: { "raise.opened": "raising" },
    },
    raising: {
      on: {
        "raise.raised": "raised",
        "raise.failed": "failed",
      },
    },
    raised: {
      on: { "raise.listed": "listed" },
    },
    listed: {
      // Only a fund with a term ends.
      on: { "raise.terminated": "terminated" },
    },
    failed: { type: "final" },
    terminated: { type: "final" },
  },
});
