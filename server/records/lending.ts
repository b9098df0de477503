/** Securities loans: conversion of table rows to the contract's type. */
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Lending, LendingEnd, LendingStatus } from "#contract/lending.ts";

/** A row of `lending`. */
export interface LendingRecord {
  lending_no: string;
  id: number;
  member_id: number;
  order_no: string;
  code: string;
  status: LendingStatus;
  lots: number;
  lot_shares: number;
  rate_per_million: number;
  broker_per_million: number;
  days: number;
  notice_days: number;
  demand_id: string | null;
  reference_price: number;
  value_cents: number;
  offered_at: number;
  started_at: number | null;
  due_day: number | null;
  fee_day: number;
  recalled_at: number | null;
  ended_at: number | null;
  reason: LendingEnd | null;
  fee_cents: number;
  paid_cents: number;
  version: number;
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

export function toLending(row: LendingRecord): Lending {
  return {
    lendingNo: row.lending_no,
    orderNo: row.order_no as OrderNo,
    code: row.code as Code,
    status: row.status,
    lots: row.lots,
    lotShares: row.lot_shares,
    ratePerMillion: row.rate_per_million,
    brokerPerMillion: row.broker_per_million,
    days: row.days,
    noticeDays: row.notice_days,
    referencePrice: price(row.reference_price),
    valueCents: cents(row.value_cents),
    offeredAt: epochMs(row.offered_at),
    startedAt: timeOf(row.started_at),
    dueDay: row.due_day,
    recalledAt: timeOf(row.recalled_at),
    endedAt: timeOf(row.ended_at),
    reason: row.reason,
    feeCents: cents(row.fee_cents),
    paidCents: cents(row.paid_cents),
    version: row.version,
  };
}
