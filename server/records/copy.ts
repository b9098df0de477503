/** Copy trading: conversion of table rows to the contract's types. */
import type { Copy, CopyEnd, CopyOmission, CopyPart, CopyStatus, MentorStrategy } from "#contract/copy.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";

/** A row of `mentor`. */
export interface MentorRow {
  mentor_no: string;
  member_id: number;
  strategy: MentorStrategy | null;
  name: string | null;
  capital_cents: number;
  since: number;
  acted_at: number;
  closes_at: number | null;
  removed_at: number | null;
}

/** A row of `copy`, with how the mentor is called. */
export interface CopyRecord extends Pick<MentorRow, "strategy" | "name"> {
  copy_no: string;
  id: number;
  member_id: number;
  mentor_no: string;
  status: CopyStatus;
  amount_cents: number;
  stop_percent: number;
  started_at: number;
  copies_from: number;
  until_at: number;
  ended_at: number | null;
  reason: CopyEnd | null;
  kept: boolean;
  copied: number;
  left_out: number;
  slippage_cents: number;
  version: number;
}

/** A row of `copy_part`; the database numbers it. */
export interface CopyPartRecord {
  copy_no: string;
  member_id: number;
  /** The mentor's order. */
  lead_no: string;
  /** The first fill of the act; null for a sale. */
  from_n: number | null;
  side: "buy" | "sell";
  at: number;
  code: string;
  mentor_price: number | null;
  wanted_shares: number;
  shares: number;
  price: number | null;
  order_no: string | null;
  left_out: CopyOmission | null;
  slippage_cents: number;
}

export function toCopy(row: CopyRecord): Copy {
  return {
    copyNo: row.copy_no,
    mentorNo: row.mentor_no,
    strategy: row.strategy,
    name: row.name,
    status: row.status,
    amountCents: cents(row.amount_cents),
    stopPercent: row.stop_percent,
    startedAt: epochMs(row.started_at),
    untilAt: epochMs(row.until_at),
    endedAt: row.ended_at === null ? null : epochMs(row.ended_at),
    reason: row.reason,
    kept: row.kept,
    copied: row.copied,
    leftOut: row.left_out,
    slippageCents: cents(row.slippage_cents),
    version: row.version,
  };
}

export function toCopyPart(row: CopyPartRecord & { id: number }): CopyPart {
  return {
    id: row.id,
    copyNo: row.copy_no,
    at: epochMs(row.at),
    side: row.side,
    code: row.code as Code,
    mentorPrice: row.mentor_price === null ? null : price(row.mentor_price),
    wantedShares: row.wanted_shares,
    shares: row.shares,
    price: row.price === null ? null : price(row.price),
    orderNo: row.order_no as OrderNo | null,
    leftOut: row.left_out,
    slippageCents: cents(row.slippage_cents),
  };
}
