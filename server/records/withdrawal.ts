/** Bank cards and withdrawals: conversion of table rows to the contract's types. */
import { maskNumber } from "#contract/bank-card.ts";
import type { BankCard } from "#contract/bank-card.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Withdrawal, WithdrawalReason, WithdrawalStatus } from "#contract/withdrawal.ts";

/** A row of `bank_card`, with whether a withdrawal is on its way to it. */
export interface CardRecord {
  id: number;
  member_id: number;
  bank_code: string;
  branch: string;
  branch_code: string;
  number: string;
  is_default: boolean;
  added_at: number;
  removed_at: number | null;
  in_use: boolean;
}

/** A row of `withdrawal`. */
export interface WithdrawalRecord {
  withdrawal_no: string;
  id: number;
  member_id: number;
  card_id: number;
  status: WithdrawalStatus;
  amount_cents: number;
  bank_code: string;
  number: string;
  reason: WithdrawalReason | null;
  requested_at: number;
  reviewed_at: number | null;
  approved_at: number | null;
  ended_at: number | null;
  usual_at: number;
  latest_at: number;
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

/** `holder` is the member's masked name. */
export function toCard(row: CardRecord, holder: string): BankCard {
  return {
    cardId: `B${row.id}`,
    bankCode: row.bank_code,
    branch: row.branch,
    branchCode: row.branch_code,
    holder,
    number: maskNumber(row.number),
    isDefault: row.is_default,
    isInUse: row.in_use,
    addedAt: epochMs(row.added_at),
  };
}

export function toWithdrawal(row: WithdrawalRecord): Withdrawal {
  return {
    withdrawalNo: row.withdrawal_no,
    status: row.status,
    amountCents: cents(row.amount_cents),
    bankCode: row.bank_code,
    number: maskNumber(row.number),
    reason: row.reason,
    requestedAt: epochMs(row.requested_at),
    reviewedAt: timeOf(row.reviewed_at),
    approvedAt: timeOf(row.approved_at),
    endedAt: timeOf(row.ended_at),
    usualAt: epochMs(row.usual_at),
    latestAt: epochMs(row.latest_at),
  };
}
