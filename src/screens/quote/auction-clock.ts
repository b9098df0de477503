/** The clock of auctions: what each is at this moment, and a new reading when one of them moves on. */
import type { Auction } from "#contract/auction.ts";
import { windowOf } from "#contract/bid-price.ts";
import { useTurnClock } from "./turn-clock.ts";

/** What can be done in an auction: bid, wait for it, or look at what became of it. */
export const AUCTION_VIEWS = ["bidding", "notStarted", "closed"] as const;
export type AuctionView = (typeof AUCTION_VIEWS)[number];

/** The auctions of a view at a moment; one whose bids are opened is closed too. */
export function auctionsIn(auctions: readonly Auction[], view: AuctionView, now: number): Auction[] {
  return auctions.filter((auction) => {
    const status = windowOf(auction, now);
    return view === "closed" ? status !== "bidding" && status !== "notStarted" : status === view;
  });
}

/** The server opens the bids of several auctions one after the other; until it has, it is asked again this often. */
const ASK_AGAIN_MS = 4_000;

/** The next moment at which one of these auctions changes, after `now`; a late opening is due again soon. */
export function nextTurn(auctions: readonly Auction[], now: number): number | null {
  const turns = auctions.flatMap(({ status, opensAt, closesAt, opensBidsAt }) => {
    if (status === "opened" || status === "voided") return [];
    return [opensAt, closesAt, opensBidsAt > now ? opensBidsAt : now + ASK_AGAIN_MS].filter((at) => at > now);
  });
  return turns.length === 0 ? null : Math.min(...turns);
}

/** The time, renewed with `read` called whenever one of these auctions begins, closes or should have been opened. */
export function useAuctionClock(auctions: readonly Auction[], read: () => void): number {
  return useTurnClock((now) => nextTurn(auctions, now), read);
}
