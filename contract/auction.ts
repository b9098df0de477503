/** Competitive auctions of new shares: their lifecycle, terms and outcome. Apart from the bids, because the rules load it. */
import * as z from "zod/mini";
import { Code } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/**
 * The lifecycle of an auction; the same words in SQL, machine, locale (`auction.status.*`) and CSS. `voided`: what was recorded at the
 * announcement is lost or does not agree with its published hash, or the share is not offered any more; every deposit is given back.
 */
export const AUCTION_STATUSES = ["notStarted", "bidding", "closed", "opened", "voided"] as const;
export const AuctionStatus = z.enum(AUCTION_STATUSES);
export type AuctionStatus = z.infer<typeof AuctionStatus>;

/** What happens to an auction; its machine accepts these. */
export const AUCTION_EVENTS = ["auction.started", "auction.closed", "auction.opened", "auction.voided"] as const;
export type AuctionEvent = (typeof AUCTION_EVENTS)[number];

/** The rule of auctions. Rates in parts per million, money in cents. */
export const AuctionRule = z.object({
  /** Held at the bid as a part of its value, rounded up to whole NT$. */
  depositPerMillion: z.int(),
  /** The process fee of one bid; never returned. */
  bidFeeCents: Cents,
  /** The award fee as a part of the value won, rounded down to whole NT$. */
  awardFeePerMillion: z.int(),
  /** The fewest lots of one bid. */
  leastLots: z.int(),
  /** The most lots of one bid, and the most that one member can win, as a part of the lots auctioned. */
  capPerMillion: z.int(),
  /** The most bids of one member in one auction. */
  mostBids: z.int(),
});
export type AuctionRule = z.infer<typeof AuctionRule>;

/** One bar of the histogram of all bids: the lots bid at `from` and above, up to the next bar, and how many of them won. */
export const BidBar = z.object({ from: Price, lots: z.int(), wonLots: z.int() });
export type BidBar = z.infer<typeof BidBar>;

/** The outcome of an auction. Nothing of it is told before the opening. */
export const AuctionOutcome = z.object({
  openedAt: EpochMs,
  /** All bids and their lots, the simulated crowd's included. */
  bids: z.int(),
  lotsBid: z.int(),
  lotsWon: z.int(),
  /** The lowest price that won; null when there was no bid. */
  cutOff: z.nullable(Price),
  /** The winners' average price, weighted by lots, to the cent; null when there was no bid. */
  average: z.nullable(Price),
  /** The price of the lottery that follows: the average, at most 1.3 times the minimum; the minimum when there was no bid. */
  price: Price,
  /** The lowest bar first. */
  histogram: z.array(BidBar),
});
export type AuctionOutcome = z.infer<typeof AuctionOutcome>;

/** An auction as everybody sees it. */
export const Auction = z.object({
  code: Code,
  status: AuctionStatus,
  /** The window for bids. */
  opensAt: EpochMs,
  closesAt: EpochMs,
  /** When the bids are opened. */
  opensBidsAt: EpochMs,
  /** When deposits that won nothing are given back, and until when winners pay; a late opening moves both. */
  refundsAt: EpochMs,
  payableUntil: EpochMs,
  allottedAt: EpochMs,
  tradesFrom: EpochMs,
  lots: z.int(),
  /** Shares of a lot. */
  lotShares: z.int(),
  minimumPrice: Price,
  /** The most that the lottery's price may become. */
  mostPrice: Price,
  /** The most lots of one bid and of one winner. */
  capLots: z.int(),
  /** Fixed at the announcement. */
  terms: AuctionRule,
  leadBroker: z.object({ zh: z.string(), zhCn: z.string(), en: z.string() }),
  /** SHA-256 of the secret and the crowd's bids, in hex, published with the announcement. */
  commitment: z.string(),
  outcome: z.nullable(AuctionOutcome),
});
export type Auction = z.infer<typeof Auction>;

/** What was sealed, once the bids are opened: everybody can check the commitment, the draw and the crowd's part of the outcome. */
export const AuctionDisclosure = z.object({
  /** The key of the draw among equal prices, in hex. */
  secret: z.string(),
  commitment: z.string(),
  /** The crowd's bids as flat pairs of price and lots, in the order they were committed to. */
  crowd: z.array(z.int()),
  /** The bids at the cut-off in the order that the draw gave them, at most 500: number, lots, lots won. */
  tied: z.array(z.object({ ticket: z.string(), lots: z.int(), wonLots: z.int() })),
});
export type AuctionDisclosure = z.infer<typeof AuctionDisclosure>;
