/** Margin call: conversion of a table row to the contract's type. */
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { MarginCall } from "#contract/margin.ts";
import type { MarginCallTable } from "#server/db/schema.ts";

export function toCall(record: MarginCallTable): MarginCall {
  return {
    callNo: record.call_no,
    status: record.status,
    calledAt: epochMs(record.called_at),
    dueAt: epochMs(record.due_at),
    endedAt: record.ended_at === null ? null : epochMs(record.ended_at),
    requiredCents: cents(record.required_cents),
    paidCents: cents(record.paid_cents),
  };
}
