/** Futures positions and trades: conversion of table rows to the contract's types. */
import type { FuturesProduct } from "#contract/futures-price.ts";
import type { FuturesCause, FuturesPosition, FuturesSide, FuturesStatus, FuturesTrade } from "#contract/futures.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";

/** A row of `futures_position`. */
export interface FuturesRecord {
  position_no: string;
  id: number;
  member_id: number;
  code: string;
  product: FuturesProduct;
  status: FuturesStatus;
  lots: number;
  cost_points: number;
  marked_points: number;
  paid_cents: number;
  fee_cents: number;
  tax_cents: number;
  mark_day: number;
  expiry_day: number;
  expiry_opens_at: number;
  expiry_closes_at: number;
  called_day: number | null;
  opened_at: number;
  ended_at: number | null;
  version: number;
}

/** A row of `futures_trade`. */
export interface FuturesTradeRecord {
  id: number;
  member_id: number;
  position_no: string;
  code: string;
  side: FuturesSide;
  lots: number;
  price: number;
  cause: FuturesCause;
  gain_cents: number;
  fee_cents: number;
  tax_cents: number;
  at: number;
  fee_day: number;
}

export const toFuturesPosition = (row: FuturesRecord): FuturesPosition => ({
  positionNo: row.position_no,
  code: row.code,
  product: row.product,
  status: row.status,
  lots: row.lots,
  costPoints: row.cost_points,
  markedPoints: row.marked_points,
  paidCents: cents(row.paid_cents),
  feeCents: cents(row.fee_cents),
  taxCents: cents(row.tax_cents),
  openedAt: epochMs(row.opened_at),
  endedAt: row.ended_at === null ? null : epochMs(row.ended_at),
  version: row.version,
});

export const toFuturesTrade = (row: FuturesTradeRecord): FuturesTrade => ({
  tradeNo: `Y${row.id}`,
  positionNo: row.position_no,
  code: row.code,
  side: row.side,
  lots: row.lots,
  price: row.price,
  cause: row.cause,
  gainCents: cents(row.gain_cents),
  feeCents: cents(row.fee_cents),
  taxCents: cents(row.tax_cents),
  at: epochMs(row.at),
});
