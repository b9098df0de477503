/** The lifecycle of a sealed bid: won in whole or part, or lost; a winner pays or forfeits the deposit. Decided by the server. */
import { setup } from "xstate";
import type { BidFactType } from "#contract/bid.ts";

export const bidMachine = setup({ types: { events: {} as { type: BidFactType } } }).createMachine({
  id: "bid",
  initial: "placed",
  states: {
    placed: { on: { "bid.won": "won", "bid.lost": "lost", "bid.voided": "voided" } },
    // The deposit of the lots that did not win is given back on the day after the opening, whatever became of the others.
    won: { on: { "bid.paid": "paid", "bid.forfeited": "forfeited", "bid.refunded": "won", "bid.reminded": "won" } },
    lost: { on: { "bid.refunded": "lost" } },
    // From the allotment on it is an ordinary position, with the order's lifecycle.
    paid: { on: { "bid.allotted": "paid", "bid.refunded": "paid" } },
    forfeited: { on: { "bid.refunded": "forfeited" } },
    voided: { type: "final" },
  },
});
