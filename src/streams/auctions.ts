/** Competitive auctions with what the member is reminded of, one auction with their bids in it, and all their bids in pages; updated by facts. */
import { filter, map } from "rxjs";
import type { Bid } from "#contract/bid.ts";
import type { Answer } from "#contract/endpoints.ts";
import { isAuctionFact } from "#contract/fact-kind.ts";
import type { BidFact } from "#contract/fact.ts";
import { call } from "#src/gateway/api.ts";
import { facts$ } from "./facts.ts";
import { pagedResource, usePages } from "./pages.ts";
import type { PagedResource, Pages, ReadPages } from "./pages.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, resourceByKey, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

export type Auctions = Answer<"listAuctions">;
export type OneAuction = Answer<"readAuction">;

const auctionFacts$ = facts$.pipe(filter(isAuctionFact));
const bidFacts$ = auctionFacts$.pipe(filter((fact): fact is BidFact => fact.type !== "auction.started"));

const auctions: Resource<Auctions> = resource<Auctions>({
  load: () => call("listAuctions", {}, { shownByCaller: true }),
  deltas$: refetchAfter<Auctions>(auctionFacts$, () => auctions),
});

/** A bid takes the place of its older copy; a new one comes first. */
function replaced(bids: readonly Bid[], bid: Bid): Bid[] {
  const known = bids.some(({ bidNo }) => bidNo === bid.bidNo);
  return known ? bids.map((one) => (one.bidNo === bid.bidNo ? bid : one)) : [bid, ...bids];
}

const withBid =
  (bid: Bid): Delta<OneAuction> =>
  (one) =>
    bid.code === one.auction.code ? { ...one, bids: replaced(one.bids, bid) } : one;

const auctionOf: (code: string) => Resource<OneAuction> = resourceByKey<string, OneAuction>((code) => ({
  load: () => call("readAuction", { code }, { shownByCaller: true }),
  // A bid is won or lost with its auction, whose outcome only the server has.
  deltas$: refetchAfter<OneAuction>(bidFacts$.pipe(filter(({ bid }) => bid.code === code)), () => auctionOf(code)),
}));

const inPages =
  (bid: Bid): Delta<Pages<Bid>> =>
  (pages) => ({ ...pages, items: replaced(pages.items, bid) });

const bids: PagedResource<Bid> = pagedResource<Bid>({
  load: (cursor) => call("listBids", { cursor }, { shownByCaller: true }),
  deltas$: bidFacts$.pipe(map(({ bid }) => inPages(bid))),
  keyOf: ({ bidNo }) => bidNo,
});

/** Apply the answer of a command, without waiting for its fact. */
export function takeBid(bid: Bid): void {
  auctionOf(bid.code).change(withBid(bid));
  bids.change(inPages(bid));
}

/** The member is reminded when bidding begins. */
export function takeBooking(code: string): void {
  auctionOf(code).change((one) => ({ ...one, booked: true }));
  auctions.refetch();
}

/** Every auction, in a component. */
export const useAuctions = (): Read<Auctions> => useResource(auctions);

/** One auction, in a component. */
export const useAuction = (code: string): Read<OneAuction> => useResource(auctionOf(code));

/** The member's bids in a component, page by page. */
export const useBids = (): ReadPages<Bid> => usePages(bids);
