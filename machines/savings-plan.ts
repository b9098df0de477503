/** The lifecycle of a savings plan: active until the member pauses or ends it. */
import { setup } from "xstate";
import type { SavingsPlanFactType } from "#contract/savings-plan.ts";

/** `savingsPlan.started` creates the plan. */
type SavingsPlanEvent = { type: SavingsPlanFactType };

export const savingsPlanMachine = setup({ types: { events: {} as SavingsPlanEvent } }).createMachine({
  id: "savingsPlan",
  initial: "active",
  states: {
    active: {
      on: {
        "savingsPlan.changed": "active",
        "savingsPlan.ordered": "active",
        "savingsPlan.skipped": "active",
        "savingsPlan.paused": "paused",
        "savingsPlan.ended": "ended",
      },
    },
    paused: {
      on: {
        "savingsPlan.changed": "paused",
        "savingsPlan.resumed": "active",
        "savingsPlan.ended": "ended",
      },
    },
    ended: { type: "final" },
  },
});
