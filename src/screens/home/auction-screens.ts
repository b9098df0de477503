/** The two screens of competitive auctions as one chunk: a member who sees one usually sees the other. */
export { AuctionPage } from "./auction-page.tsx";
export { Auctions } from "./auctions.tsx";
