/** Tests the machine of savings plans: bought only while active; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { SAVINGS_PLAN_FACTS, SAVINGS_PLAN_STATUSES } from "#contract/savings-plan.ts";
import { savingsPlanMachine } from "#machines/savings-plan.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(SAVINGS_PLAN_FACTS.map((type) => [type, { type }]));

describe("savings plan", () => {
  it("buys only while it is active, and ends for good", () => {
    expect(declaredStates(savingsPlanMachine).toSorted()).toEqual([...SAVINGS_PLAN_STATUSES].toSorted());
    expect(transitionTable(savingsPlanMachine, events, undefined)).toEqual({
      active: {
        "savingsPlan.changed": "active",
        "savingsPlan.ordered": "active",
        "savingsPlan.skipped": "active",
        "savingsPlan.paused": "paused",
        "savingsPlan.ended": "ended",
      },
      paused: { "savingsPlan.changed": "paused", "savingsPlan.resumed": "active", "savingsPlan.ended": "ended" },
      ended: {},
    });
  });
});
