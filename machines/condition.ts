/**
 * The lifecycle of an exit order: it waits, then fires, is cancelled, or fails because its close was refused. One whose close found no buyer
 * by the day's end waits again, with those its firing cancelled; the server decides transitions.
 */
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
    fired: { on: { "condition.rearmed": "waiting" } },
    cancelled: { on: { "condition.rearmed": "waiting" } },
    failed: { type: "final" },
  },
});
