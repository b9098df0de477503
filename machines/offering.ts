/** The lifecycle of an offering: it opens, closes, is drawn and allotted, and lists; a fund has no draw, and may fail; decided by the server. */
import { setup } from "xstate";
import type { OfferingStep } from "#contract/offering-kind.ts";

type OfferingEvent = { type: OfferingStep };

export const offeringMachine = setup({ types: { events: {} as OfferingEvent } }).createMachine({
  id: "offering",
  initial: "upcoming",
  states: {
    upcoming: { on: { "offering.opened": "open" } },
    open: { on: { "offering.closed": "closed" } },
    closed: {
      on: {
        "offering.drawn": "drawn",
        // A secret that is not revealed: everything is given back.
        "offering.voided": "void",
        // A fund: raised, or below its least size.
        "offering.allotted": "allotted",
        "offering.failed": "failed",
      },
    },
    drawn: { on: { "offering.allotted": "allotted" } },
    allotted: { on: { "offering.listed": "listed" } },
    listed: { type: "final" },
    void: { type: "final" },
    failed: { type: "final" },
  },
});
