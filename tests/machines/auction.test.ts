/** Tests the machine of auctions: opened or voided; its states are the contract's statuses. */
import { describe, expect, it } from "vitest";
import { AUCTION_EVENTS, AUCTION_STATUSES } from "#contract/auction.ts";
import { auctionMachine } from "#machines/auction.ts";
import { declaredStates, transitionTable } from "./state-graph.ts";

const events = Object.fromEntries(AUCTION_EVENTS.map((type) => [type, { type }]));

describe("auction", () => {
  it("has the contract's statuses", () => {
    expect(declaredStates(auctionMachine).toSorted()).toEqual([...AUCTION_STATUSES].toSorted());
  });

  it("takes bids, closes and opens them in this order, and can be voided until they are opened", () => {
    const end = { "auction.voided": "voided" };
    expect(transitionTable(auctionMachine, events, undefined)).toEqual({
      notStarted: { "auction.started": "bidding", ...end },
      bidding: { "auction.closed": "closed", ...end },
      closed: { "auction.opened": "opened", ...end },
      opened: {},
      voided: {},
    });
  });
});
