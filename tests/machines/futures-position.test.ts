/** Tests the machine of futures positions: open, called for margin, ended in one of three ways; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { FUTURES_FACTS, FUTURES_STATUSES } from "#contract/futures.ts";
import { futuresPositionMachine } from "#machines/futures-position.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(FUTURES_FACTS.map((type) => [type, { type }]));
const ends = { "futures.closed": "closed", "futures.liquidated": "liquidated", "futures.settled": "settled" };

describe("a futures position", () => {
  it("has the contract's statuses", () => {
    expect(declaredStates(futuresPositionMachine).toSorted()).toEqual([...FUTURES_STATUSES].toSorted());
  });

  it("is called for margin and restored, and ends once", () => {
    expect(transitionTable(futuresPositionMachine, events, undefined)).toEqual({
      open: { "futures.changed": "open", "futures.marked": "open", "futures.called": "called", ...ends },
      called: { "futures.changed": "called", "futures.marked": "called", "futures.restored": "open", ...ends },
      closed: {},
      liquidated: {},
      settled: {},
    });
  });
});
