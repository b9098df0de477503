/** Handlers of auctions: the list, one auction with the member's bids, a reminder, a sealed bid, its payment, and the member's bids. */
import type { Answer } from "#contract/endpoints.ts";
import type { AuctionDisclosure } from "#contract/auction.ts";
import type { Code } from "#contract/kernel/id.ts";
import { PAGE_SIZE } from "#contract/kernel/page.ts";
import { isProven as checkProof } from "#server/accounts/proven.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import {
  bookAuction,
  bookings,
  payBid,
  placeBid,
  prepareBid,
  preparePayment,
  readAuctionOf,
} from "#server/offerings/auctions/place-bid.ts";
import { toAuction, toBid } from "#server/records/bid.ts";
import type { AuctionRecord, BidRecord } from "#server/records/bid.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { deciding } from "./deciding.ts";
import type { Handlers } from "./handler.ts";
import { checkCursor, pageFrom } from "./page.ts";

export interface AuctionHandlerDeps {
  db: Database;
  sequencer: Sequencer;
}

type Served = Pick<Handlers, "listAuctions" | "readAuction" | "bookAuction" | "placeBid" | "payBid" | "listBids">;

/** The most auctions of the list. */
const MOST_LISTED = 30;
const AUCTIONS = `SELECT * FROM auction
ORDER BY CASE WHEN status IN ('notStarted', 'bidding', 'closed') THEN 0 ELSE 1 END, opens_at DESC, id DESC LIMIT $1`;
const BOOKED =
  "SELECT code FROM auction_booking JOIN auction ON auction.id = auction_id WHERE member_id = $1 ORDER BY auction.id DESC LIMIT $2";
const IS_BOOKED = "SELECT 1 FROM auction_booking WHERE member_id = $1 AND auction_id = $2";
const BIDS_IN = "SELECT * FROM bid WHERE member_id = $1 AND auction_id = $2 ORDER BY id DESC";
const SEALED = "SELECT secret, crowd FROM auction_sealed WHERE auction_id = $1";
/** The cursor is a bid's number: what orders the rows would tell how many bids others have placed. */
const BIDS = `SELECT * FROM bid WHERE member_id = $1
  AND ($2::text IS NULL OR id < (SELECT id FROM bid AS last WHERE last.member_id = $1 AND last.bid_no = $2)) ORDER BY id DESC LIMIT $3`;

/** The number of a bid. */
const CURSOR = /^A[0-9a-f]{12}$/;

/** What was sealed; null until the bids are opened. */
async function readDisclosure(db: Database, { id, status, commitment, tied }: AuctionRecord): Promise<AuctionDisclosure | null> {
  if (status !== "opened" || tied === null) return null;
  const [book] = await query<{ secret: string; crowd: number[] }>(db.kysely, SEALED, [id]);
  return book ? { secret: book.secret, commitment, crowd: book.crowd, tied } : null;
}

/** An auction in the list is without its histogram. */
function toListed(row: AuctionRecord): Answer<"listAuctions">["auctions"][number] {
  const auction = toAuction(row);
  return auction.outcome ? { ...auction, outcome: { ...auction.outcome, histogram: [] } } : auction;
}

type Reading = Pick<Served, "listAuctions" | "readAuction" | "listBids">;

/** What the database alone answers. */
export function auctionReads({ db }: { db: Database }): Reading {
  return {
    async listAuctions({ caller: { memberId } }) {
      const rows = await query<AuctionRecord>(db.kysely, AUCTIONS, [MOST_LISTED]);
      const booked = await query<{ code: Code }>(db.kysely, BOOKED, [memberId, MOST_LISTED]);
      return { auctions: rows.map(toListed), booked: booked.map(({ code }) => code) };
    },
    async readAuction({ caller: { memberId } }, { code }) {
      const row = await readAuctionOf(db.kysely, code);
      if (!row) throw new Refusal("GEN_NOT_FOUND", {}, "code");
      const bids = await query<BidRecord>(db.kysely, BIDS_IN, [memberId, row.id]);
      const booked = await query(db.kysely, IS_BOOKED, [memberId, row.id]);
      return { auction: toAuction(row), booked: booked.length > 0, bids: bids.map(toBid), disclosure: await readDisclosure(db, row) };
    },
    async listBids({ caller: { memberId } }, { cursor }) {
      const rows = await query<BidRecord>(db.kysely, BIDS, [memberId, checkCursor(cursor, CURSOR), PAGE_SIZE + 1]);
      return pageFrom(rows, toBid, (item) => item.bidNo);
    },
  };
}

export function auctionHandlers({ db, sequencer }: AuctionHandlerDeps): Served {
  const sources = { rules: sequencer.rules, now: () => sequencer.now() };
  return {
    ...auctionReads({ db }),
    bookAuction: ({ caller: { memberId } }, body) =>
      sequencer.commandAll({
        endpoint: "bookAuction",
        memberId,
        body,
        ...deciding(
          async (tx, batch) => ({ auction: await readAuctionOf(tx, body.code), booked: await bookings.read(tx, batch, memberId) }),
          (batch, { auction, booked }) => {
            bookAuction(batch, memberId, auction, booked);
            return { code: body.code };
          },
        ),
      }),
    async placeBid({ caller: { memberId } }, { fundPassword, ...body }) {
      const isProven = await checkProof(db, memberId, fundPassword, sources);
      return sequencer.commandAll({
        endpoint: "placeBid",
        memberId,
        body,
        ...deciding(
          (tx, batch) => prepareBid(tx, batch, memberId, { code: body.code, isProven }),
          (batch, reads) => toBid(placeBid(batch, memberId, body, reads)),
        ),
      });
    },
    async payBid({ caller: { memberId } }, { fundPassword, ...body }) {
      const isProven = await checkProof(db, memberId, fundPassword, sources);
      return sequencer.commandAll({
        endpoint: "payBid",
        memberId,
        body,
        ...deciding(
          (tx, batch) => preparePayment(tx, batch, memberId, { bidNo: body.bidNo, isProven }),
          (batch, reads) => toBid(payBid(batch, memberId, body.bidNo, reads)),
        ),
      });
    },
  };
}
