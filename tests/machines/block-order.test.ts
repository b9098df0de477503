/** Tests the machine of block purchases: cancelled or rejected until it is a position; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { BLOCK_ORDER_FACTS, BLOCK_ORDER_STATUSES } from "#contract/block-order.ts";
import { blockOrderMachine } from "#machines/block-order.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(BLOCK_ORDER_FACTS.map((type) => [type, { type }]));

describe("block purchase", () => {
  it("has the contract's statuses", () => {
    expect(declaredStates(blockOrderMachine).toSorted()).toEqual([...BLOCK_ORDER_STATUSES].toSorted());
  });

  it("ends as a position, rejected or cancelled", () => {
    const ends = { "blockOrder.settled": "holding", "blockOrder.rejected": "rejected", "blockOrder.cancelled": "cancelled" };
    const table = { pending: { "blockOrder.reviewed": "review", ...ends }, review: ends, holding: {}, rejected: {}, cancelled: {} };
    expect(transitionTable(blockOrderMachine, events, undefined)).toEqual(table);
  });
});
