/** The lifecycle of an offering: it opens, closes, is drawn and allotted, and lists; what is not drawn is allotted at once, and a fund may fail; decided by the server. */
import { setup } from "xstate";
import type { OfferingStep } from "#contract/offering-kind.ts";

type OfferingEvent = { type: OfferingStep };

export const offeringMachine = setup({ types: { events: {} as OfferingEvent } }).createMachine({
  id: "offering",
  initial: "upcoming",
  states: {
    // Void in any phase until it is allotted: its market is gone. Everything is given back.
    upcoming: { on: { "offering.opened": "open", "offering.voided": "void" } },
    open: { on: { "offering.closed": "closed", "offering.voided": "void" } },
    closed: {
      on: {
        "offering.drawn": "drawn",
        // Or its secret is lost, or the draw comes too late to pay before the listing.
        "offering.voided": "void",
        // A capital increase, or a fund: raised, or below its least size.
        "offering.allotted": "allotted",
        "offering.failed": "failed",
      },
    },
    drawn: { on: { "offering.allotted": "allotted", "offering.voided": "void" } },
    allotted: { on: { "offering.listed": "listed" } },
    listed: { type: "final" },
    void: { type: "final" },
    failed: { type: "final" },
  },
});
