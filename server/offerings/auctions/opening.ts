/** Opens an auction's bids: who won what at which price, the outcome that is published, and what each member owes or gets back. */
import { allocate, averagePrice, cutOffPrice, histogramOf, lotteryPrice } from "#contract/auction-allocation.ts";
import type { SealedBid } from "#contract/auction-allocation.ts";
import type { AuctionDisclosure, AuctionOutcome } from "#contract/auction.ts";
import { awardOf } from "#contract/bid-price.ts";
import { runSlices } from "#contract/draw.ts";
import type { Slices } from "#contract/draw.ts";
import { price } from "#contract/kernel/money.ts";
import { MINUTE_MS, epochMs } from "#contract/kernel/time.ts";
import type { AuctionRecord, BidRecord } from "#server/records/bid.ts";
import { drawOf } from "./sealed-book.ts";
import type { SealedBook } from "./sealed-book.ts";

/** What the opening reads of a member's bid. */
export type OpenedBid = Pick<BidRecord, "id" | "bid_no" | "member_id" | "price" | "lots" | "deposit_cents">;

/** What becomes of a member's bid, as columns of its row. */
export interface OpenedRow {
  id: number;
  won_lots: number;
  won_cents: number;
  award_fee_cents: number;
  due_cents: number;
  refund_cents: number;
}

export interface Opening {
  outcome: AuctionOutcome;
  tied: AuctionDisclosure["tied"];
  rows: OpenedRow[];
  refundsAt: number;
  payableUntil: number;
}

/** An opening that is later than this moves what follows it. */
const PUNCTUAL_MS = MINUTE_MS;
/** Payments after a late opening end this long before the listing, from which on everybody sees what a win is worth. */
const BEFORE_LISTING_MS = MINUTE_MS;

/** Whether an opening now leaves its winners less than a quarter of their time to pay before the listing. */
export function isTooLate({ opens_bids_at, payable_until, trades_from }: AuctionRecord, at: number): boolean {
  return at + (payable_until - opens_bids_at) / 4 > trades_from - BEFORE_LISTING_MS;
}

/** The most bids at the cut-off that are listed by name. */
const MOST_TIED = 500;

interface Ticket extends SealedBid {
  /** The member's bid; null for one of the crowd. */
  bid: OpenedBid | null;
}

/** Each bid of the crowd is another bidder's. */
function crowdTickets({ crowd }: SealedBook): Ticket[] {
  return Array.from({ length: Math.floor(crowd.length / 2) }, (_, nth) => {
    const ticket = `C${nth}`;
    return { ticket, bidder: ticket, price: crowd[2 * nth] ?? 0, lots: crowd[2 * nth + 1] ?? 0, bid: null };
  });
}

/** Tickets drawn between two turns of everything else. */
const SLICE = 500;

/** The draw of each ticket. */
function* drawSlices(tickets: readonly Ticket[], drawn: (ticket: string) => string): Slices<(ticket: string) => string> {
  const draws = new Map<string, string>();
  for (const { ticket } of tickets) {
    draws.set(ticket, drawn(ticket));
    if (draws.size % SLICE === 0) yield;
  }
  return (ticket) => draws.get(ticket) ?? drawn(ticket);
}

/** Opens the bids at once; see `openBidsSlices`. */
export const openBids = (...given: Parameters<typeof openBidsSlices>): Opening => runSlices(openBidsSlices(...given));

/** Opens the bids at a moment, in slices. Deterministic: the same sealed book and bids give the same opening. */
export function* openBidsSlices(auction: AuctionRecord, book: SealedBook, bids: readonly OpenedBid[], at: number): Slices<Opening> {
  const tickets: Ticket[] = [
    ...crowdTickets(book),
    ...bids.map((bid) => ({ ticket: bid.bid_no, bidder: `member ${bid.member_id}`, price: bid.price, lots: bid.lots, bid })),
  ];
  const drawn = yield* drawSlices(tickets, drawOf(book.secret, auction.code));
  const awarded = allocate(tickets, { lots: auction.lots, cap: auction.cap_lots }, drawn);
  yield;
  const average = averagePrice(awarded);
  const cutOff = cutOffPrice(awarded);
  const sum = (of: (one: { bid: Ticket; wonLots: number }) => number): number => awarded.reduce((total, one) => total + of(one), 0);
  const terms = { lotShares: auction.lot_shares, terms: auction.terms };
  const late = at - auction.opens_bids_at;
  const moved = late > PUNCTUAL_MS ? late : 0;
  return {
    outcome: {
      openedAt: epochMs(at),
      bids: awarded.length,
      lotsBid: sum(({ bid }) => bid.lots),
      lotsWon: sum(({ wonLots }) => wonLots),
      cutOff: cutOff === null ? null : price(cutOff),
      average: average === null ? null : price(average),
      price: price(lotteryPrice(average, { minimumPrice: auction.minimum_price, mostPrice: auction.most_price })),
      histogram: histogramOf(awarded).map(({ from, lots, wonLots }) => ({ from: price(from), lots, wonLots })),
    },
    tied: awarded
      .filter(({ bid }) => bid.price === cutOff)
      .slice(0, MOST_TIED)
      .map(({ bid: { ticket, lots }, wonLots }) => ({ ticket, lots, wonLots })),
    rows: awarded.flatMap(({ bid: { bid }, wonLots }) => {
      if (!bid) return [];
      const award = awardOf(terms, { price: bid.price, depositCents: bid.deposit_cents }, wonLots);
      return {
        id: bid.id,
        won_lots: wonLots,
        won_cents: award.wonCents,
        award_fee_cents: award.awardFeeCents,
        due_cents: award.dueCents,
        refund_cents: award.refundCents,
      };
    }),
    refundsAt: auction.refunds_at + moved,
    payableUntil: Math.max(auction.payable_until, Math.min(auction.payable_until + moved, auction.trades_from - BEFORE_LISTING_MS)),
  };
}
