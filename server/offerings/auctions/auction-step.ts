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
import { isOfMarket } from "#server/venue/market-name.ts";
import { isFirst } from "#server/trading/sequencer/once-in-batch.ts";
import { isTooLate } from "./opening.ts";
import type { Opening } from "./opening.ts";
import { commitmentOf } from "./sealed-book.ts";
import type { SealedBook } from "./sealed-book.ts";

const ONE = "SELECT * FROM auction WHERE id = $1";
const SEALED = "SELECT secret, crowd FROM auction_sealed WHERE auction_id = $1";
const ANY_BID = "SELECT FROM bid WHERE auction_id = $1 LIMIT 1";
const MOVE = "UPDATE auction SET status = $2 WHERE id = $1";
const OPEN = "UPDATE auction SET status = $2, outcome = $3, tied = $4, refunds_at = $5, payable_until = $6 WHERE id = $1";

/** What a step reads. The sealed book is null when it is lost. */
interface Reads {
  auction: AuctionRecord;
  book: SealedBook | null;
  /** Whether a member has placed a bid. */
  hasBids: boolean;
}

/** The step that is due; null for none. */
function eventDue({ status, opens_at, closes_at, opens_bids_at }: AuctionRecord, at: number): AuctionEvent | null {
  if (status === "notStarted" && at >= opens_at) return "auction.started";
  if (status === "bidding" && at >= closes_at) return "auction.closed";
  return status === "closed" && at >= opens_bids_at ? "auction.opened" : null;
}

/** Whether the share is still offered, and what was sealed is what was committed to. */
function isSound(batch: Batch, { auction, book }: Reads): boolean {
  const isOffered = isOfMarket(auction, batch.venue, batch.at) && batch.venue.instrument(auction.code) !== undefined;
  return isOffered && book !== null && commitmentOf(auction.code, book) === auction.commitment;
}

async function readStep(tx: Tx, id: number): Promise<Reads | null> {
  const [auction] = await query<AuctionRecord>(tx, ONE, [id]);
  if (!auction) return null;
  const [book = null] = await query<SealedBook>(tx, SEALED, [id]);
  const hasBids = (await query(tx, ANY_BID, [id])).length > 0;
  return { auction, book, hasBids };
}

/** @throws Error when the machine forbids it, which is a fault */
function nextStatus({ status, code }: AuctionRecord, event: AuctionEvent): AuctionStatus {
  const next = advance(auctionMachine, status, event);
  if (!next) throw new Error(`${event} cannot happen to the auction of ${code}, which is ${status}`);
  return next;
}

/** The lottery's price is set in the transaction that opens the bids. */
function setPrice(batch: Batch, { market, code }: AuctionRecord, price: number): void {
  const { venue, at } = batch;
  batch.deferWrite(async (tx) => {
    await setOfferingPrice(tx, venue, { market, code }, price, at);
  });
}

function voidAuction(batch: Batch, { auction }: Reads): void {
  const status = nextStatus(auction, "auction.voided");
  batch.deferWrite(async (tx) => {
    await query(tx, MOVE, [auction.id, status]);
  });
  if (isOfMarket(auction, batch.venue, batch.at) && batch.venue.issue(auction.code)) setPrice(batch, auction, auction.minimum_price);
}

function open(batch: Batch, auction: AuctionRecord, { outcome, tied, refundsAt, payableUntil }: Opening): void {
  const status = nextStatus(auction, "auction.opened");
  batch.deferWrite(async (tx) => {
    await query(tx, OPEN, [auction.id, status, JSON.stringify(outcome), JSON.stringify(tied), refundsAt, payableUntil]);
  });
  setPrice(batch, auction, outcome.price);
}

/**
 * One step of an auction, if it is due; `opening`: what `prepareOpening` reckoned, without which its bids are not opened. Read again at its
 * turn: a step that was taken is not taken twice.
 */
export function auctionStep(id: number, opening: Opening | null = null): QueuedCommand<void> {
  let reads: Reads | null = null;
  return {
    memberIds: [],
    prepare: async (tx) => {
      reads = await readStep(tx, id);
    },
    decide: (batch) => {
      const event = reads && eventDue(reads.auction, batch.at);
      if (!reads || !event || !isFirst(batch, `auction ${id}`)) return;
      const isMissed = event === "auction.opened" && reads.hasBids && isTooLate(reads.auction, batch.at);
      if (isMissed || !isSound(batch, reads)) voidAuction(batch, reads);
      else if (event === "auction.opened") {
        if (opening) open(batch, reads.auction, opening);
      } else {
        const status = nextStatus(reads.auction, event);
        batch.deferWrite(async (tx) => {
          await query(tx, MOVE, [id, status]);
        });
      }
    },
  };
}
