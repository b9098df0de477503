/** The steps of an auction: bidding begins and ends, and the bids are opened; each once, whatever is killed. */
import type { AuctionEvent, AuctionStatus } from "#contract/auction.ts";
import { advance } from "#machines/advance.ts";
import { auctionMachine } from "#machines/auction.ts";
import { query } from "#server/db/database.ts";
import type { Tx } from "#server/db/database.ts";
import type { AuctionRecord } from "#server/records/bid.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import { setOfferingPrice } from "#server/offerings/announce.ts";
import { marketName } from "#server/venue/market-name.ts";
import { isFirst } from "./once-in-batch.ts";
import { openBids } from "./opening.ts";
import type { OpenedBid } from "./opening.ts";
import { commitmentOf } from "./sealed-book.ts";
import type { SealedBook } from "./sealed-book.ts";

const ONE = "SELECT * FROM auction WHERE id = $1";
const SEALED = "SELECT secret, crowd FROM auction_sealed WHERE auction_id = $1";
const BIDS = "SELECT id, bid_no, member_id, price, lots, deposit_cents FROM bid WHERE auction_id = $1 ORDER BY id";
const MOVE = "UPDATE auction SET status = $2 WHERE id = $1";
const OPEN = "UPDATE auction SET status = $2, outcome = $3, tied = $4, refunds_at = $5, payable_until = $6 WHERE id = $1";
/** Members are told one by one afterwards: from now on each of their bids is due. */
const AWARD = `UPDATE bid SET won_lots = award.won_lots, won_cents = award.won_cents, award_fee_cents = award.award_fee_cents,
  due_cents = award.due_cents, refund_cents = award.refund_cents, opened_at = $2, refunds_at = $3, payable_until = $4, due_at = $2
FROM json_to_recordset($1::json) AS award
  (id bigint, won_lots bigint, won_cents bigint, award_fee_cents bigint, due_cents bigint, refund_cents bigint)
WHERE bid.id = award.id AND status = 'placed'`;
const RELEASE = "UPDATE bid SET due_at = $2 WHERE auction_id = $1 AND status = 'placed'";

/** What a step reads. The sealed book is null when it is lost. */
interface Reads {
  auction: AuctionRecord;
  book: SealedBook | null;
  bids: OpenedBid[];
}

/** The step that is due; null for none. */
function eventDue({ status, opens_at, closes_at, opens_bids_at }: AuctionRecord, at: number): AuctionEvent | null {
  if (status === "notStarted" && at >= opens_at) return "auction.started";
  if (status === "bidding" && at >= closes_at) return "auction.closed";
  return status === "closed" && at >= opens_bids_at ? "auction.opened" : null;
}

/** Whether the share is still offered, and what was sealed is what was committed to. */
function isSound(batch: Batch, { auction, book }: Reads): boolean {
  const isOffered = auction.market === marketName(batch.venue.state(batch.at)) && batch.venue.instrument(auction.code) !== undefined;
  return isOffered && book !== null && commitmentOf(auction.code, book) === auction.commitment;
}

async function readStep(tx: Tx, batch: Batch, id: number): Promise<Reads | null> {
  const [auction] = await query<AuctionRecord>(tx, ONE, [id]);
  if (!auction) return null;
  const [book = null] = await query<SealedBook>(tx, SEALED, [id]);
  const isOpening = eventDue(auction, batch.at) === "auction.opened";
  return { auction, book, bids: isOpening ? await query<OpenedBid>(tx, BIDS, [id]) : [] };
}

/** @throws Error when the machine forbids it, which is a fault */
function nextStatus({ status, code }: AuctionRecord, event: AuctionEvent): AuctionStatus {
  const next = advance(auctionMachine, status, event);
  if (!next) throw new Error(`${event} cannot happen to the auction of ${code}, which is ${status}`);
  return next;
}

/** The lottery's price is set in the transaction that opens the bids. */
function setPrice(batch: Batch, code: string, price: number): void {
  const { venue, at } = batch;
  batch.deferWrite(async (tx) => {
    await setOfferingPrice(tx, venue, code, price, at);
  });
}

function voidAuction(batch: Batch, { auction }: Reads): void {
  const status = nextStatus(auction, "auction.voided");
  batch.deferWrite(async (tx) => {
    await query(tx, MOVE, [auction.id, status]);
    await query(tx, RELEASE, [auction.id, batch.at]);
  });
  if (batch.venue.issue(auction.code)) setPrice(batch, auction.code, auction.minimum_price);
}

function open(batch: Batch, { auction, bids }: Reads, book: SealedBook): void {
  const status = nextStatus(auction, "auction.opened");
  const { outcome, tied, rows, refundsAt, payableUntil } = openBids(auction, book, bids, batch.at);
  batch.deferWrite(async (tx) => {
    await query(tx, OPEN, [auction.id, status, JSON.stringify(outcome), JSON.stringify(tied), refundsAt, payableUntil]);
    await query(tx, AWARD, [JSON.stringify(rows), batch.at, refundsAt, payableUntil]);
  });
  setPrice(batch, auction.code, outcome.price);
}

/** One step of an auction, if it is due. Read again at its turn: a step that was taken is not taken twice. */
export function auctionStep(id: number): QueuedCommand<void> {
  let reads: Reads | null = null;
  return {
    memberIds: [],
    prepare: async (tx, batch) => {
      reads = await readStep(tx, batch, id);
    },
    decide: (batch) => {
      const event = reads && eventDue(reads.auction, batch.at);
      if (!reads || !event || !isFirst(batch, `auction ${id}`)) return;
      if (!isSound(batch, reads)) voidAuction(batch, reads);
      else if (event === "auction.opened" && reads.book) open(batch, reads, reads.book);
      else {
        const status = nextStatus(reads.auction, event);
        batch.deferWrite(async (tx) => {
          await query(tx, MOVE, [id, status]);
        });
      }
    },
  };
}
