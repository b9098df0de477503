/** Tests the identity machine: its states are the contract's statuses, and it takes exactly the listed facts. */
import { describe, expect, test } from "vitest";
import { IDENTITY_FACTS, IDENTITY_STATUSES } from "#contract/identity.ts";
import { advance } from "#machines/advance.ts";
import { identityMachine } from "#machines/identity.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(IDENTITY_FACTS.map((type) => [type, { type }]));

describe("identity", () => {
  const table = {
    unverified: { "identity.submitted": "underReview", "identity.approved": "verified", "identity.rejected": "rejected" },
    underReview: { "identity.approved": "verified", "identity.rejected": "rejected" },
    rejected: { "identity.submitted": "underReview" },
    verified: {},
  };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(identityMachine).toSorted()).toEqual([...IDENTITY_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status", () => {
    expect(transitionTable(identityMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of IDENTITY_STATUSES) {
      for (const fact of IDENTITY_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(identityMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
