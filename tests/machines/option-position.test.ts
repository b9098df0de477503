/** Tests the machine of option positions: open, called for margin, ended in one of four ways; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { OPTION_FACTS, OPTION_STATUSES } from "#contract/option.ts";
import { optionPositionMachine } from "#machines/option-position.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(OPTION_FACTS.map((type) => [type, { type }]));
const ends = {
  "option.closed": "closed",
  "option.liquidated": "liquidated",
  "option.settled": "settled",
  "option.expired": "expired",
};

describe("an option position", () => {
  it("has the contract's statuses", () => {
    expect(declaredStates(optionPositionMachine).toSorted()).toEqual([...OPTION_STATUSES].toSorted());
  });

  it("is called for margin and restored, and ends once", () => {
    expect(transitionTable(optionPositionMachine, events, undefined)).toEqual({
      open: { "option.changed": "open", "option.marked": "open", "option.called": "called", ...ends },
      called: { "option.changed": "called", "option.marked": "called", "option.restored": "open", ...ends },
      closed: {},
      liquidated: {},
      settled: {},
      expired: {},
    });
  });
});
