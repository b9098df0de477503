/** The lifecycle of a price alert: it waits, then fires once or is withdrawn; the server decides transitions. */
import { setup } from "xstate";
import type { ALERT_FACTS } from "#contract/alert.ts";

type AlertEvent = { type: (typeof ALERT_FACTS)[number] };

export const alertMachine = setup({ types: { events: {} as AlertEvent } }).createMachine({
  id: "alert",
  initial: "waiting",
  states: {
    waiting: {
      on: {
        "alert.fired": "fired",
        "alert.withdrawn": "withdrawn",
      },
    },
    fired: { type: "final" },
    withdrawn: { type: "final" },
  },
});
