/** Savings plans and their months: conversion of table rows to the contract's types. */
import { cents } from "#contract/kernel/money.ts";
import type { Code } from "#contract/kernel/id.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import type { SavingsPlan, SavingsPlanStatus, SavingsRun, SavingsSkip } from "#contract/savings-plan.ts";

/** A row of `savings_plan`. */
export interface SavingsPlanRecord {
  plan_no: string;
  id: number;
  member_id: number;
  code: string;
  status: SavingsPlanStatus;
  amount_cents: number;
  day: number;
  next_at: number | null;
  next_month: string | null;
  last_month: string | null;
  ordered_runs: number;
  skipped_runs: number;
  started_at: number;
  ended_at: number | null;
  version: number;
}

/** A row of `savings_run` without its number. */
export interface SavingsRunRecord {
  plan_no: string;
  month: string;
  member_id: number;
  due_at: number;
  at: number;
  amount_cents: number;
  skipped: SavingsSkip | null;
  order_nos: string[];
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

export function toSavingsPlan(row: SavingsPlanRecord): SavingsPlan {
  return {
    planNo: row.plan_no,
    code: row.code as Code,
    status: row.status,
    amountCents: cents(row.amount_cents),
    day: row.day,
    nextAt: timeOf(row.next_at),
    startedAt: epochMs(row.started_at),
    endedAt: timeOf(row.ended_at),
    orderedRuns: row.ordered_runs,
    skippedRuns: row.skipped_runs,
    version: row.version,
  };
}

/** A month with the code of its plan and its orders. */
export function toSavingsRun(row: SavingsRunRecord, code: string, orders: Order[]): SavingsRun {
  return {
    planNo: row.plan_no,
    code: code as Code,
    month: row.month,
    dueAt: epochMs(row.due_at),
    at: epochMs(row.at),
    amountCents: cents(row.amount_cents),
    skipped: row.skipped,
    orders,
  };
}
