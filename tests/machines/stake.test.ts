/** Tests the machine of stakes: a position or the money back; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { STAKE_FACTS, STAKE_STATUSES } from "#contract/raise.ts";
import { stakeMachine } from "#machines/stake.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(STAKE_FACTS.map((type) => [type, { type }]));

describe("stake", () => {
  it("becomes a position or gives its money back, never both", () => {
    expect(declaredStates(stakeMachine).toSorted()).toEqual([...STAKE_STATUSES].toSorted());
    expect(transitionTable(stakeMachine, events, undefined)).toEqual({
      subscribed: {
        "stake.allotted": "subscribed",
        "stake.delivered": "inProgress",
        "stake.withdrawn": "withdrawn",
        "stake.returned": "returned",
      },
      inProgress: { "stake.terminated": "terminated" },
      terminated: {},
      withdrawn: {},
      returned: {},
    });
  });
});
