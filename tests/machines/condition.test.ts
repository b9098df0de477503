/** Tests the exit-order machine: its states are the contract's statuses, failed is final, and what fired or was cancelled may wait again. */
import { describe, expect, test } from "vitest";
import { CONDITION_FACTS, CONDITION_STATUSES } from "#contract/condition.ts";
import { advance } from "#machines/advance.ts";
import { conditionMachine } from "#machines/condition.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(CONDITION_FACTS.map((type) => [type, { type }]));

describe("condition", () => {
  const table = {
    waiting: {
      "condition.adjusted": "waiting",
      "condition.fired": "fired",
      "condition.cancelled": "cancelled",
      "condition.failed": "failed",
    },
    fired: { "condition.rearmed": "waiting" },
    cancelled: { "condition.rearmed": "waiting" },
    failed: {},
  };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(conditionMachine).toSorted()).toEqual([...CONDITION_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status", () => {
    expect(transitionTable(conditionMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of CONDITION_STATUSES) {
      for (const fact of CONDITION_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(conditionMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
