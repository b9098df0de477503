/** Tests the deposit machine: credited once the bank has reported it, or rejected or expired; its states are the contract's statuses. */
import { describe, expect, test } from "vitest";
import { DEPOSIT_FACTS, DEPOSIT_STATUSES } from "#contract/deposit.ts";
import { advance } from "#machines/advance.ts";
import { depositMachine } from "#machines/deposit.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(DEPOSIT_FACTS.map((type) => [type, { type }]));

describe("deposit", () => {
  const table = {
    pending: { "deposit.received": "processing", "deposit.expired": "expired" },
    processing: { "deposit.credited": "credited", "deposit.rejected": "rejected" },
    credited: {},
    rejected: {},
    expired: {},
  };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(depositMachine).toSorted()).toEqual([...DEPOSIT_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status: nothing is credited twice", () => {
    expect(transitionTable(depositMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of DEPOSIT_STATUSES) {
      for (const fact of DEPOSIT_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(depositMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
