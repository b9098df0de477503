/** Tests the machine of bids: won, then paid or forfeited; lost; or voided; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { BID_FACTS, BID_STATUSES } from "#contract/bid.ts";
import { bidMachine } from "#machines/bid.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(BID_FACTS.map((type) => [type, { type }]));

describe("bid", () => {
  it("has the contract's statuses", () => {
    expect(declaredStates(bidMachine).toSorted()).toEqual([...BID_STATUSES].toSorted());
  });

  it("is neither changed nor withdrawn, and only a winner pays or forfeits", () => {
    expect(transitionTable(bidMachine, events, undefined)).toEqual({
      placed: { "bid.won": "won", "bid.lost": "lost", "bid.voided": "voided" },
      won: { "bid.paid": "paid", "bid.forfeited": "forfeited", "bid.refunded": "won", "bid.reminded": "won" },
      lost: { "bid.refunded": "lost" },
      paid: { "bid.allotted": "paid", "bid.refunded": "paid" },
      forfeited: { "bid.refunded": "forfeited" },
      voided: {},
    });
  });
});
