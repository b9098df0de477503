/** Fund raisings and stakes: conversion of table rows to the contract's types. */
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { IndexPast, Raise, RaiseStatus, Stake, StakeReason, StakeStatus } from "#contract/raise.ts";
import type { RaiseRule } from "#contract/raise-rule.ts";
import { MILLION } from "#contract/rule.ts";
import type { OfferingRecord } from "./offering.ts";

/** A row of `raise` with what it takes from its offering. */
export interface RaiseRecord extends Pick<
  OfferingRecord,
  | "offering_no"
  | "market"
  | "code"
  | "phase"
  | "lots"
  | "lot_shares"
  | "announced_at"
  | "opens_at"
  | "closes_at"
  | "allotted_at"
  | "trades_from"
> {
  status: RaiseStatus;
  /** Issue price in price units. */
  price: number;
  /** Secret until the close. */
  crowd_lots: number;
  least_lots: number;
  distributions: number;
  yield_per_million: number;
  index_code: string | null;
  matures_at: number | null;
  last_traded_at: number | null;
  /** When holders are told of its end. */
  notice_at: number | null;
  asked_lots: number | null;
  allotted_lots: number | null;
  listing_price: number | null;
}

/** Reads raisings; append the condition. */
export const SELECT_RAISE = `SELECT r.*, o.market, o.code, o.phase, o.price, o.lots, o.lot_shares, o.announced_at, o.opens_at, o.closes_at, o.allotted_at, o.trades_from
FROM raise AS r JOIN offering AS o USING (offering_no)`;

/** A row of `stake`. */
export interface StakeRecord {
  stake_no: string;
  id: number;
  member_id: number;
  offering_no: string;
  request_id: string;
  status: StakeStatus;
  lots: number;
  allotted_lots: number | null;
  result_at: number | null;
  price: number;
  value_cents: number;
  fee_cents: number;
  reserved_cents: number;
  reason: StakeReason | null;
  subscribed_at: number;
  ended_at: number | null;
  order_no: string | null;
  version: number;
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

/** The value of lots at the issue price, in cents. */
export const valueOf = (row: Pick<RaiseRecord, "price" | "lot_shares">, lots: number) => worth(price(row.price), lots * row.lot_shares);

/** The fewest and the most lots that a member may ask for. */
export function lotBounds(row: RaiseRecord, rule: RaiseRule): { least: number; most: number } {
  const least = Math.max(1, Math.ceil(rule.minimumCents / valueOf(row, 1)));
  return { least, most: Math.max(least, Math.floor((row.lots * rule.memberPerMillion) / MILLION)) };
}

/** What everybody may know. `issuedUnits`: those of the instrument. */
export function toRaise(row: RaiseRecord, rule: RaiseRule, past: IndexPast | null, issuedUnits: number): Raise {
  const { least, most } = lotBounds(row, rule);
  return {
    code: row.code as Code,
    status: row.status,
    price: price(row.price),
    lotUnits: row.lot_shares,
    lots: row.lots,
    sizeCents: valueOf(row, row.lots),
    issuedUnits,
    minimumSizeCents: valueOf(row, row.least_lots),
    leastLots: least,
    mostLots: most,
    distributions: row.distributions,
    yieldPerMillion: row.yield_per_million,
    past,
    announcedAt: epochMs(row.announced_at),
    opensAt: epochMs(row.opens_at),
    closesAt: epochMs(row.closes_at),
    allottedAt: epochMs(row.allotted_at),
    tradesFrom: epochMs(row.trades_from),
    maturesAt: timeOf(row.matures_at),
    lastTradedAt: timeOf(row.last_traded_at),
    listingPrice: row.listing_price === null ? null : price(row.listing_price),
    askedLots: row.asked_lots,
    allottedLots: row.allotted_lots,
  };
}

/** A stake; what it was allotted is shown once its money has followed. */
export function toStake(row: StakeRecord, raise: RaiseRecord): Stake {
  return {
    stakeNo: row.stake_no,
    code: raise.code as Code,
    status: row.status,
    price: price(row.price),
    lotUnits: raise.lot_shares,
    lots: row.lots,
    allottedLots: row.result_at === null ? null : row.allotted_lots,
    reservedCents: cents(row.reserved_cents),
    valueCents: cents(row.value_cents),
    feeCents: cents(row.fee_cents),
    reason: row.reason,
    subscribedAt: epochMs(row.subscribed_at),
    closesAt: epochMs(raise.closes_at),
    allottedAt: epochMs(raise.allotted_at),
    tradesFrom: epochMs(raise.trades_from),
    endedAt: timeOf(row.ended_at),
    orderNo: row.order_no as OrderNo | null,
    version: row.version,
  };
}
