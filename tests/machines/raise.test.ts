/** Tests the machine of fund raisings: decided once at the close; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { RAISE_EVENTS, RAISE_STATUSES } from "#contract/raise.ts";
import { raiseMachine } from "#machines/raise.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(RAISE_EVENTS.map((type) => [type, { type }]));

describe("fund raising", () => {
  it("is decided once at the close, and only a listed fund ends", () => {
    expect(declaredStates(raiseMachine).toSorted()).toEqual([...RAISE_STATUSES].toSorted());
    expect(transitionTable(raiseMachine, events, undefined)).toEqual({
      upcoming: { "raise.opened": "raising" },
      raising: { "raise.raised": "raised", "raise.failed": "failed" },
      raised: { "raise.listed": "listed" },
      listed: { "raise.terminated": "terminated" },
      failed: {},
      terminated: {},
    });
  });
});
