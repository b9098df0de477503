/** Block purchases: conversion of table rows to the contract's type. */
import type { BlockOrder, BlockOrderReason, BlockOrderStatus } from "#contract/block-order.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Terms } from "#contract/rule.ts";

/** A row of `block_order`. */
export interface BlockOrderRecord {
  block_no: string;
  id: number;
  member_id: number;
  request_id: string;
  offer_id: string;
  code: string;
  status: BlockOrderStatus;
  shares: number;
  price: number;
  value_cents: number;
  fee_cents: number;
  held_cents: number;
  /** Those of the position it becomes. */
  terms: Terms;
  is_reviewed: boolean;
  reason: BlockOrderReason | null;
  placed_at: number;
  reviewed_at: number | null;
  ended_at: number | null;
  unlocks_at: number;
  order_no: string | null;
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

export function toBlockOrder(row: BlockOrderRecord): BlockOrder {
  return {
    blockNo: row.block_no,
    code: row.code as Code,
    status: row.status,
    shares: row.shares,
    price: price(row.price),
    valueCents: cents(row.value_cents),
    feeCents: cents(row.fee_cents),
    isReviewed: row.is_reviewed,
    reason: row.reason,
    placedAt: epochMs(row.placed_at),
    reviewedAt: timeOf(row.reviewed_at),
    endedAt: timeOf(row.ended_at),
    unlocksAt: epochMs(row.unlocks_at),
    orderNo: row.order_no as OrderNo | null,
  };
}
