/** Tests the alert machine: its states are the contract's statuses, and fired and withdrawn are final. */
import { describe, expect, test } from "vitest";
import { ALERT_FACTS, ALERT_STATUSES } from "#contract/alert.ts";
import { advance } from "#machines/advance.ts";
import { alertMachine } from "#machines/alert.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(ALERT_FACTS.map((type) => [type, { type }]));

describe("alert", () => {
  const table = { waiting: { "alert.fired": "fired", "alert.withdrawn": "withdrawn" }, fired: {}, withdrawn: {} };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(alertMachine).toSorted()).toEqual([...ALERT_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status", () => {
    expect(transitionTable(alertMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of ALERT_STATUSES) {
      for (const fact of ALERT_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(alertMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
