/** The lifecycle of a competitive auction: bids are taken, sealed, then opened; decided by the server's clock. */
import { setup } from "xstate";
import type { AuctionEvent } from "#contract/auction.ts";

export const auctionMachine = setup({ types: { events: {} as { type: AuctionEvent } } }).createMachine({
  id: "auction",
  initial: "notStarted",
  states: {
    notStarted: { on: { "auction.started": "bidding", "auction.voided": "voided" } },
    bidding: { on: { "auction.closed": "closed", "auction.voided": "voided" } },
    closed: { on: { "auction.opened": "opened", "auction.voided": "voided" } },
    opened: { type: "final" },
    voided: { type: "final" },
  },
});
