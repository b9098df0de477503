/** A member's bids that something can still happen to, as all commands of a batch see them. */
import { query } from "#server/db/database.ts";
import type { AuctionRecord, BidRecord } from "#server/records/bid.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";

/** A bid with what of its auction decides its next step. */
export interface LiveBid extends BidRecord {
  auction_status: AuctionRecord["status"];
  allotted_at: number;
  trades_from: number;
}

const LIVE = `
SELECT bid.*, auction.status AS auction_status, auction.allotted_at, auction.trades_from
FROM bid JOIN auction ON auction.id = auction_id
WHERE member_id = $1 AND (due_at IS NOT NULL OR bid.status = 'placed') ORDER BY bid.id`;

export const liveBids = new SharedRows<LiveBid[]>((tx, _batch, memberId) => query<LiveBid>(tx, LIVE, [memberId]));
