/** Tests the machine of offerings: its states are the contract's phases, in their order. */
import { describe, expect, it } from "vitest";
import { OFFERING_PHASES, OFFERING_STEPS } from "#contract/offering-kind.ts";
import { offeringMachine } from "#machines/offering.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(OFFERING_STEPS.map((type) => [type, { type }]));

describe("offering", () => {
  it("has the contract's phases", () => {
    expect(declaredStates(offeringMachine).toSorted()).toEqual([...OFFERING_PHASES].toSorted());
  });

  it("goes one way, is void until it is allotted, and failed only from the close", () => {
    expect(transitionTable(offeringMachine, events, undefined)).toEqual({
      upcoming: { "offering.opened": "open", "offering.voided": "void" },
      open: { "offering.closed": "closed", "offering.voided": "void" },
      closed: {
        "offering.drawn": "drawn",
        "offering.voided": "void",
        "offering.allotted": "allotted",
        "offering.failed": "failed",
      },
      drawn: { "offering.allotted": "allotted", "offering.voided": "void" },
      allotted: { "offering.listed": "listed" },
      listed: {},
      void: {},
      failed: {},
    });
  });
});
