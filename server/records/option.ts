/** Option positions and trades: conversion of table rows to the contract's types. */
import type { OptionRight } from "#contract/option-price.ts";
import type { OptionCause, OptionPosition, OptionSide, OptionStatus, OptionTrade } from "#contract/option.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";

/** A row of `option_position`. */
export interface OptionRecord {
  position_no: string;
  id: number;
  member_id: number;
  code: string;
  month: string;
  option_right: OptionRight;
  strike: number;
  status: OptionStatus;
  lots: number;
  cost_tenths: number;
  marked_tenths: number;
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

/** A row of `option_trade`. */
export interface OptionTradeRecord {
  id: number;
  member_id: number;
  position_no: string;
  code: string;
  side: OptionSide;
  lots: number;
  price: number;
  cause: OptionCause;
  /** The other trade of an order that closed two positions. */
  with_id: number | null;
  gain_cents: number;
  fee_cents: number;
  tax_cents: number;
  at: number;
  fee_day: number;
}

export const toOptionPosition = (row: OptionRecord): OptionPosition => ({
  positionNo: row.position_no,
  code: row.code,
  month: row.month,
  right: row.option_right,
  strike: row.strike,
  status: row.status,
  lots: row.lots,
  costTenths: row.cost_tenths,
  markedTenths: row.marked_tenths,
  paidCents: cents(row.paid_cents),
  feeCents: cents(row.fee_cents),
  taxCents: cents(row.tax_cents),
  openedAt: epochMs(row.opened_at),
  endedAt: row.ended_at === null ? null : epochMs(row.ended_at),
  version: row.version,
});

export const toOptionTrade = (row: OptionTradeRecord): OptionTrade => ({
  tradeNo: `U${row.id}`,
  positionNo: row.position_no,
  code: row.code,
  side: row.side,
  lots: row.lots,
  price: row.price,
  cause: row.cause,
  withNo: row.with_id === null ? null : `U${row.with_id}`,
  gainCents: cents(row.gain_cents),
  feeCents: cents(row.fee_cents),
  taxCents: cents(row.tax_cents),
  at: epochMs(row.at),
});
