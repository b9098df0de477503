/** Tests the voucher machine: used once, returned only unused, expired only unreserved; its states are the contract's statuses. */
import { describe, expect, test } from "vitest";
import { VOUCHER_FACTS, VOUCHER_STATUSES } from "#contract/voucher.ts";
import { advance } from "#machines/advance.ts";
import { voucherMachine } from "#machines/voucher.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(VOUCHER_FACTS.map((type) => [type, { type }]));

describe("voucher", () => {
  const table = {
    available: { "voucher.reserved": "reserved", "voucher.expired": "expired" },
    reserved: { "voucher.returned": "available", "voucher.used": "used" },
    used: {},
    expired: {},
  };

  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(voucherMachine).toSorted()).toEqual([...VOUCHER_STATUSES].toSorted());
  });

  test("accepts exactly the listed facts in every reachable status: nothing is used twice", () => {
    expect(transitionTable(voucherMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions, and null for all others", () => {
    for (const status of VOUCHER_STATUSES) {
      for (const fact of VOUCHER_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(voucherMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
