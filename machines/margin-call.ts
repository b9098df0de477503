/** The lifecycle of a margin call: due until met, paused while the account has recovered, overdue when the broker liquidates; decided by the server. */
import { setup } from "xstate";
import type { MarginFactType } from "#contract/margin.ts";

type MarginCallEvent = { type: MarginFactType };

export const marginCallMachine = setup({ types: { events: {} as MarginCallEvent } }).createMachine({
  id: "marginCall",
  initial: "due",
  states: {
    due: {
      on: {
        "margin.paid": "due",
        "margin.recovered": "paused",
        "margin.overdue": "overdue",
        "margin.cleared": "cleared",
      },
    },
    paused: {
      on: {
        "margin.paid": "paused",
        "margin.fell": "due",
        "margin.cleared": "cleared",
      },
    },
    overdue: {
      on: {
        "margin.paid": "overdue",
        "margin.recovered": "paused",
        "margin.cleared": "cleared",
        "margin.liquidated": "liquidated",
      },
    },
    cleared: { type: "final" },
    liquidated: { type: "final" },
  },
});
