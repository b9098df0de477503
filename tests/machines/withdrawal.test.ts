/** Tests the withdrawal machine: cancelled while requested, else reviewed and paid, or failed; its states are the contract's statuses. */
import { describe, expect, test } from "vitest";
import { WITHDRAWAL_FACTS, WITHDRAWAL_STATUSES } from "#contract/withdrawal.ts";
import { advance } from "#machines/advance.ts";
import { withdrawalMachine } from "#machines/withdrawal.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(WITHDRAWAL_FACTS.map((type) => [type, { type }]));

describe("withdrawal", () => {
  const table = {
    requested: { "withdrawal.reviewed": "underReview", "withdrawal.cancelled": "cancelled" },
    underReview: { "withdrawal.approved": "processing", "withdrawal.failed": "failed" },
    processing: { "withdrawal.paid": "paid", "withdrawal.failed": "failed" },
    paid: {},
    failed: {},
    cancelled: {},
  };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(withdrawalMachine).toSorted()).toEqual([...WITHDRAWAL_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status: nothing is paid twice", () => {
    expect(transitionTable(withdrawalMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of WITHDRAWAL_STATUSES) {
      for (const fact of WITHDRAWAL_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(withdrawalMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
