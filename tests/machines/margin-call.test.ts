/** Tests the margin-call machine: met, paused while the account has recovered, or liquidated; its states are the contract's statuses. */
import { describe, expect, test } from "vitest";
import { MARGIN_CALL_STATUSES, MARGIN_FACTS } from "#contract/margin.ts";
import { advance } from "#machines/advance.ts";
import { marginCallMachine } from "#machines/margin-call.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(MARGIN_FACTS.map((type) => [type, { type }]));

describe("margin call", () => {
  const table = {
    due: { "margin.paid": "due", "margin.recovered": "paused", "margin.overdue": "overdue", "margin.cleared": "cleared" },
    paused: { "margin.paid": "paused", "margin.fell": "due", "margin.cleared": "cleared" },
    overdue: {
      "margin.paid": "overdue",
      "margin.recovered": "paused",
      "margin.cleared": "cleared",
      "margin.liquidated": "liquidated",
    },
    cleared: {},
    liquidated: {},
  };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(marginCallMachine).toSorted()).toEqual([...MARGIN_CALL_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status; facts about the application never apply to a call", () => {
    expect(transitionTable(marginCallMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of MARGIN_CALL_STATUSES) {
      for (const fact of MARGIN_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(marginCallMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
