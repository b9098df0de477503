/** A rule of auctions for tests. */
import type { AuctionRule } from "#contract/auction.ts";
import { cents } from "#contract/kernel/money.ts";

export const AUCTION_RULE: AuctionRule = {
  depositPerMillion: 500_000,
  bidFeeCents: cents(40_000),
  awardFeePerMillion: 40_000,
  leastLots: 1,
  capPerMillion: 100_000,
  mostBids: 10,
};
