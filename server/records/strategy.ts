/** Strategies: conversion of table rows to the contract's types. */
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { RunEnd, RunOmission, RunStatus, RunTrade, Strategy, StrategyRun, Weight } from "#contract/strategy.ts";

/** A row of `strategy_run`. */
export interface RunRecord {
  run_no: string;
  id: number;
  member_id: number;
  strategy: Strategy;
  code: string | null;
  status: RunStatus;
  amount_cents: number;
  stop_percent: number;
  started_at: number;
  ended_at: number | null;
  reason: RunEnd | null;
  kept: boolean;
  /** Thousandths of the amount by code; null where the next decision brings everything to what is wanted. */
  wanted: Record<string, number> | null;
  decided_day: number | null;
  decided_at: number | null;
  bought: number;
  sold: number;
  left_out: number;
  version: number;
}

/** A row of `strategy_trade`; the database numbers it. */
export interface RunTradeRecord {
  run_no: string;
  member_id: number;
  at: number;
  side: "buy" | "sell";
  code: string;
  wanted_lots: number;
  lots: number;
  order_no: string | null;
  left_out: RunOmission | null;
}

export function toRun(row: RunRecord): StrategyRun {
  const wanted = Object.entries(row.wanted ?? {}).map(([code, perMille]): Weight => ({ code: code as Code, perMille }));
  return {
    runNo: row.run_no,
    strategy: row.strategy,
    code: row.code as Code | null,
    status: row.status,
    amountCents: cents(row.amount_cents),
    stopPercent: row.stop_percent,
    startedAt: epochMs(row.started_at),
    endedAt: row.ended_at === null ? null : epochMs(row.ended_at),
    reason: row.reason,
    kept: row.kept,
    wanted: wanted.filter(({ perMille }) => perMille > 0).toSorted((a, b) => (a.code < b.code ? -1 : 1)),
    decidedAt: row.decided_at === null ? null : epochMs(row.decided_at),
    bought: row.bought,
    sold: row.sold,
    leftOut: row.left_out,
    version: row.version,
  };
}

export function toRunTrade(row: RunTradeRecord & { id: number }): RunTrade {
  return {
    id: row.id,
    runNo: row.run_no,
    at: epochMs(row.at),
    side: row.side,
    code: row.code as Code,
    wantedLots: row.wanted_lots,
    lots: row.lots,
    orderNo: row.order_no as OrderNo | null,
    leftOut: row.left_out,
  };
}
