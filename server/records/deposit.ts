/** Deposits and their channels: conversion of table rows to the contract's types. */
import type { ChannelKind, Deposit, DepositChannel, DepositReason, DepositStatus, PaidCurrency } from "#contract/deposit.ts";
import type { Currency } from "#contract/kernel/currency.ts";
import { cents } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Network, WalletAddress } from "#contract/wallet-address.ts";

/** A row of `deposit`. */
export interface DepositRecord {
  deposit_no: string;
  id: number;
  member_id: number;
  channel_id: string;
  channel: ChannelKind;
  status: DepositStatus;
  paid: PaidCurrency;
  amount: number;
  currency: Currency;
  credit_cents: number;
  home_cents: number;
  pay_to: string;
  sender: string | null;
  tx_hash: string | null;
  proof_id: string | null;
  proof_hash: string | null;
  reason: DepositReason | null;
  submitted_at: number;
  received_at: number | null;
  ended_at: number | null;
  expires_at: number;
}

/** A row of `deposit_channel`. */
export interface ChannelRecord {
  id: string;
  kind: ChannelKind;
  paid: PaidCurrency;
  currency: Currency;
  minimum: number;
  maximum: number;
  opens_minute: number;
  closes_minute: number;
  needs_proof: boolean;
  needs_password: boolean;
  address: string | null;
}

/** A row of `wallet_address`. */
export interface AddressRecord {
  id: number;
  member_id: number;
  network: Network;
  address: string;
  added_at: number;
  removed_at: number | null;
}

export function toAddress({ id, network, address, added_at: addedAt }: AddressRecord): WalletAddress {
  return { addressId: `A${id}`, network, address, addedAt: epochMs(addedAt) };
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

export function toDeposit(row: DepositRecord): Deposit {
  return {
    depositNo: row.deposit_no,
    channel: row.channel,
    status: row.status,
    paid: row.paid,
    amount: row.amount,
    currency: row.currency,
    creditCents: cents(row.credit_cents),
    payTo: row.pay_to,
    sender: row.sender,
    txHash: row.tx_hash,
    proofId: row.proof_id,
    reason: row.reason,
    submittedAt: epochMs(row.submitted_at),
    receivedAt: timeOf(row.received_at),
    endedAt: timeOf(row.ended_at),
    expiresAt: epochMs(row.expires_at),
  };
}

/** A channel as one member sees it. */
export function toChannel(row: ChannelRecord, hours: DepositChannel["hours"], payTo: string): DepositChannel {
  return {
    id: row.id,
    kind: row.kind,
    paid: row.paid,
    currency: row.currency,
    minimum: row.minimum,
    maximum: row.maximum,
    opensMinute: row.opens_minute,
    closesMinute: row.closes_minute,
    hours,
    needsProof: row.needs_proof,
    needsPassword: row.needs_password,
    payTo,
  };
}
