/** Reckons an opening before it is decided and writes what each bid has won, in parts, so that no batch waits for many bids. */
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import type { AuctionRecord } from "#server/records/bid.ts";
import { inSlices } from "#server/offerings/draw.ts";
import { isTooLate, openBidsSlices } from "./opening.ts";
import type { OpenedBid, Opening } from "./opening.ts";
import { commitmentOf } from "./sealed-book.ts";
import type { SealedBook } from "./sealed-book.ts";

/** Bids of one statement. */
const PART = 500;
const CLOSED = "SELECT * FROM auction WHERE id = $1 AND status = 'closed' AND opens_bids_at <= $2";
const SEALED = "SELECT secret, crowd FROM auction_sealed WHERE auction_id = $1";
const BIDS = `SELECT id, bid_no, member_id, price, lots, deposit_cents FROM bid WHERE auction_id = $1 AND id > $2 ORDER BY id LIMIT ${4 * PART}`;
/** Nobody is told yet: a bid that is placed shows nothing of it, and takes no step before its auction is opened. */
const AWARD = `UPDATE bid SET won_lots = award.won_lots, won_cents = award.won_cents, award_fee_cents = award.award_fee_cents,
  due_cents = award.due_cents, refund_cents = award.refund_cents, opened_at = $2, refunds_at = $3, payable_until = $4, due_at = $2
FROM json_to_recordset($1::json) AS award
  (id bigint, won_lots bigint, won_cents bigint, award_fee_cents bigint, due_cents bigint, refund_cents bigint)
WHERE bid.id = award.id AND status = 'placed'`;

async function readBids(db: Database, auctionId: number): Promise<OpenedBid[]> {
  const bids: OpenedBid[] = [];
  for (;;) {
    const page = await query<OpenedBid>(db.kysely, BIDS, [auctionId, bids.at(-1)?.id ?? 0]);
    bids.push(...page);
    if (page.length < 4 * PART) return bids;
  }
}

/**
 * The opening of an auction, if it is due, with the awards of all its bids written. A closed auction gets no more bids, so that an opening
 * which was interrupted is reckoned again alike. Null where nothing is due, or what was sealed is lost.
 */
export async function prepareOpening(db: Database, auctionId: number, at: number): Promise<Opening | null> {
  const [auction] = await query<AuctionRecord>(db.kysely, CLOSED, [auctionId, at]);
  const [book] = await query<SealedBook>(db.kysely, SEALED, [auctionId]);
  if (!auction || !book || commitmentOf(auction.code, book) !== auction.commitment) return null;
  const bids = await readBids(db, auctionId);
  // It will be void.
  if (bids.length > 0 && isTooLate(auction, at)) return null;
  const opening = await inSlices(openBidsSlices(auction, book, bids, at));
  const { rows, refundsAt, payableUntil } = opening;
  for (let from = 0; from < rows.length; from += PART) {
    const part = JSON.stringify(rows.slice(from, from + PART));
    await db.transaction((tx) => query(tx, AWARD, [part, at, refundsAt, payableUntil]));
  }
  return opening;
}
