/** Auctions and bids: conversion of table rows to the contract's types. */
import type { Auction, AuctionDisclosure, AuctionOutcome, AuctionRule, AuctionStatus } from "#contract/auction.ts";
import type { Bid, BidStatus } from "#contract/bid.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";

/** A row of `auction`. */
export interface AuctionRecord {
  id: number;
  market: string;
  code: string;
  status: AuctionStatus;
  opens_at: number;
  closes_at: number;
  opens_bids_at: number;
  refunds_at: number;
  payable_until: number;
  allotted_at: number;
  trades_from: number;
  lots: number;
  lot_shares: number;
  minimum_price: number;
  most_price: number;
  cap_lots: number;
  terms: AuctionRule;
  lead_broker: Auction["leadBroker"];
  commitment: string;
  outcome: AuctionOutcome | null;
  tied: AuctionDisclosure["tied"] | null;
}

/** A row of `bid`. */
export interface BidRecord {
  id: number;
  bid_no: string;
  member_id: number;
  auction_id: number;
  request_id: string;
  code: string;
  status: BidStatus;
  price: number;
  lots: number;
  value_cents: number;
  deposit_cents: number;
  fee_cents: number;
  reserved_cents: number;
  won_lots: number;
  won_cents: number;
  award_fee_cents: number;
  due_cents: number;
  refund_cents: number;
  placed_at: number;
  opened_at: number | null;
  payable_until: number | null;
  refunds_at: number | null;
  refunded_at: number | null;
  paid_at: number | null;
  ended_at: number | null;
  order_no: string | null;
  due_at: number | null;
  /** Told once more that the payment is due. */
  reminded_at: number | null;
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

export function toAuction(row: AuctionRecord): Auction {
  return {
    code: row.code as Code,
    status: row.status,
    opensAt: epochMs(row.opens_at),
    closesAt: epochMs(row.closes_at),
    opensBidsAt: epochMs(row.opens_bids_at),
    refundsAt: epochMs(row.refunds_at),
    payableUntil: epochMs(row.payable_until),
    allottedAt: epochMs(row.allotted_at),
    tradesFrom: epochMs(row.trades_from),
    lots: row.lots,
    lotShares: row.lot_shares,
    minimumPrice: price(row.minimum_price),
    mostPrice: price(row.most_price),
    capLots: row.cap_lots,
    terms: row.terms,
    leadBroker: row.lead_broker,
    commitment: row.commitment,
    outcome: row.outcome,
  };
}

/** A bid as its member sees it: until its status has changed, nothing of the opening. */
export function toBid(row: BidRecord): Bid {
  const isSealed = row.status === "placed";
  const known = (amount: number) => cents(isSealed ? 0 : amount);
  return {
    bidNo: row.bid_no,
    code: row.code as Code,
    status: row.status,
    price: price(row.price),
    lots: row.lots,
    valueCents: cents(row.value_cents),
    depositCents: cents(row.deposit_cents),
    feeCents: cents(row.fee_cents),
    wonLots: isSealed ? 0 : row.won_lots,
    wonCents: known(row.won_cents),
    awardFeeCents: known(row.award_fee_cents),
    dueCents: known(row.status === "won" ? row.due_cents : 0),
    refundCents: known(row.refund_cents),
    placedAt: epochMs(row.placed_at),
    openedAt: isSealed ? null : timeOf(row.opened_at),
    payableUntil: isSealed || row.won_lots === 0 ? null : timeOf(row.payable_until),
    refundedAt: timeOf(row.refunded_at),
    paidAt: timeOf(row.paid_at),
    endedAt: timeOf(row.ended_at),
    orderNo: row.order_no as OrderNo | null,
  };
}
