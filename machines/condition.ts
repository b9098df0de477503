/** The lifecycle of an exit order: it waits, then fires, is cancelled, or fails because its close was refused; the server decides transitions. */
import { setup } from "xstate";
import type { ConditionFactType } from "#contract/condition.ts";

type ConditionEvent = { type: ConditionFactType };

export const conditionMachine = setup({ types: { events: {} as ConditionEvent } }).createMachine({
  id: "condition",
  initial: "waiting",
  states: {
    waiting: {
      on: {
        "condition.adjusted": "waiting",
        "condition.fired": "fired",
        "condition.cancelled": "cancelled",
        "condition.failed": "failed",
      },
    },
    fired: { type: "final" },
    cancelled: { type: "final" },
    failed: { type: "final" },
  },
});
