/** Tests the loan machine: signed before it is drawn, drawn once, and over only when nothing is owed; its states are the contract's statuses. */
import { describe, expect, test } from "vitest";
import { LOAN_FACTS, LOAN_STATUSES } from "#contract/loan.ts";
import { advance } from "#machines/advance.ts";
import { loanMachine } from "#machines/loan.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(LOAN_FACTS.map((type) => [type, { type }]));

describe("loan", () => {
  const table = {
    offered: { "loan.signed": "signed", "loan.lapsed": "lapsed" },
    signed: { "loan.drawn": "drawn", "loan.lapsed": "lapsed" },
    drawn: { "loan.accrued": "drawn", "loan.partlyRepaid": "drawn", "loan.overdue": "overdue", "loan.repaid": "repaid" },
    overdue: { "loan.accrued": "overdue", "loan.partlyRepaid": "overdue", "loan.repaid": "repaid" },
    repaid: {},
    lapsed: {},
  };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(loanMachine).toSorted()).toEqual([...LOAN_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status: nothing is paid out twice", () => {
    expect(transitionTable(loanMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of LOAN_STATUSES) {
      for (const fact of LOAN_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(loanMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
