/** The lifecycle of a condition: it waits, and comes true once, is cancelled, or came true when its close was refused; judged by the broker. */
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
