/** The order's lifecycle: its states are the contract's statuses, and every fact leads where the specification says or nowhere. */
import { describe, expect, test } from "vitest";
import { ORDER_FACTS } from "#contract/fact.ts";
import { ORDER_STATUSES } from "#contract/order.ts";
import { advance } from "#machines/advance.ts";
import { orderMachine } from "#machines/order.ts";
import { declaredStates, walk } from "./walk.ts";

const events = Object.fromEntries(ORDER_FACTS.map((type) => [type, { type }]));

describe("order", () => {
  test("has exactly the statuses of the contract", () => {
    expect(declaredStates(orderMachine).toSorted()).toEqual([...ORDER_STATUSES].toSorted());
  });

  const table = {
    pending: {
      "order.partlyFilled": "pending",
      "order.filled": "holding",
      "order.cancelled": "cancelled",
      "order.reduced": "holding",
    },
    holding: { "order.closeRequested": "readyToClose" },
    readyToClose: {
      "order.closePartlyFilled": "readyToClose",
      "order.lotsClosed": "holding",
      "order.closed": "closed",
      "order.closeCancelled": "holding",
    },
    closed: {},
    cancelled: {},
  };

  test("every fact in every reachable status", () => {
    expect(walk(orderMachine, events, undefined)).toEqual(table);
  });

  test("advance says the same to the broker, and null for the rest", () => {
    for (const status of ORDER_STATUSES) {
      for (const fact of ORDER_FACTS) {
        const row: Record<string, string> = table[status];
        expect(advance(orderMachine, status, fact), `${status} ${fact}`).toBe(row[fact] ?? null);
      }
    }
  });
});
