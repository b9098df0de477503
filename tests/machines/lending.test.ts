/** Tests the machine of securities loans: offered, lent, recalled, returned; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { LENDING_FACTS, LENDING_STATUSES } from "#contract/lending.ts";
import { lendingMachine } from "#machines/lending.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(LENDING_FACTS.map((type) => [type, { type }]));

describe("a loan of shares", () => {
  it("has the contract's statuses", () => {
    expect(declaredStates(lendingMachine).toSorted()).toEqual([...LENDING_STATUSES].toSorted());
  });

  it("is recalled once, and accrues until it is returned", () => {
    expect(transitionTable(lendingMachine, events, undefined)).toEqual({
      offered: { "lending.lent": "inProgress", "lending.withdrawn": "withdrawn" },
      inProgress: { "lending.accrued": "inProgress", "lending.recalled": "recalled", "lending.returned": "completed" },
      recalled: { "lending.accrued": "recalled", "lending.returned": "completed" },
      completed: {},
      withdrawn: {},
    });
  });
});
