/** Tests the order machine: its outer states are the contract's statuses, and every fact leads to the specified state or is rejected. */
import { describe, expect, test } from "vitest";
import { ORDER_FACTS } from "#contract/fact.ts";
import { ORDER_STATUSES } from "#contract/order.ts";
import type { OrderStatus } from "#contract/order.ts";
import { advance } from "#machines/advance.ts";
import { orderMachine } from "#machines/order.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const facts = Object.fromEntries(ORDER_FACTS.map((type) => [type, { type }]));
const events = {
  ...facts,
  "order.placed, waits": { type: "order.placed", waits: true },
  "order.placed, reserved": { type: "order.placed", reserved: true },
  "order.closeRequested, reserved": { type: "order.closeRequested", reserved: true },
};

const toMarket = { "order.filled": "holding", "order.partlyFilled": "pending.partlyFilled" };
const closing = { "order.lotsClosed": "holding", "order.closed": "closed", "order.closeCancelled": "holding" };
const changed = (state: string) => ({ "order.amended": state, "order.adjusted": state });

const table: Record<string, Record<string, string>> = {
  "pending.received": {
    "order.placed": "pending.queued",
    "order.placed, waits": "pending.conditional",
    "order.placed, reserved": "pending.reserved",
  },
  "pending.reserved": { "order.amended": "pending.reserved", "order.entered": "pending.queued", "order.cancelled": "cancelled" },
  "pending.conditional": {
    "order.amended": "pending.conditional",
    "order.triggered": "pending.queued",
    "order.cancelled": "cancelled",
  },
  "pending.queued": { "order.amended": "pending.queued", ...toMarket, "order.cancelled": "cancelled" },
  "pending.partlyFilled": { ...changed("pending.partlyFilled"), ...toMarket, "order.reduced": "holding" },
  holding: {
    "order.closeRequested": "readyToClose.closing",
    "order.closeRequested, reserved": "readyToClose.reserved",
    "order.adjusted": "holding",
  },
  "readyToClose.reserved": { ...changed("readyToClose.reserved"), ...closing, "order.entered": "readyToClose.closing" },
  "readyToClose.closing": {
    ...changed("readyToClose.closing"),
    ...closing,
    "order.closePartlyFilled": "readyToClose.partlyClosed",
  },
  "readyToClose.partlyClosed": {
    ...changed("readyToClose.partlyClosed"),
    ...closing,
    "order.closePartlyFilled": "readyToClose.partlyClosed",
  },
  closed: {},
  cancelled: {},
};
const statusOf = (state: string): OrderStatus => state.split(".")[0] as OrderStatus;

describe("order", () => {
  test("has exactly the statuses of the contract as outer states", () => {
    const declared = declaredStates(orderMachine);
    expect(declared.toSorted()).toEqual(Object.keys(table).toSorted());
    expect(new Set(declared.map(statusOf))).toEqual(new Set(ORDER_STATUSES));
  });

  test("accepts exactly the listed facts in every reachable state", () => {
    expect(transitionTable(orderMachine, events, undefined)).toEqual(table);
  });

  test("advance returns the same transitions between statuses, and null for all others", () => {
    for (const status of ORDER_STATUSES) {
      const rows = Object.entries(table).filter(([state]) => statusOf(state) === status);
      for (const fact of ORDER_FACTS) {
        const [next] = rows.flatMap(([, row]) => row[fact] ?? []);
        expect(advance(orderMachine, status, fact), `${status} ${fact}`).toBe(next === undefined ? null : statusOf(next));
      }
    }
  });
});
