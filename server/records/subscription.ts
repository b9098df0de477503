/** Subscriptions: conversion of table rows to the contract's type. */
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents, price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import type { Subscription, SubscriptionStatus } from "#contract/subscription.ts";
import type { OfferingRecord } from "./offering.ts";

/** A row of `subscription`. */
export interface SubscriptionRecord {
  subscription_no: string;
  id: number;
  member_id: number;
  offering_no: string;
  request_id: string;
  receipt: string;
  status: SubscriptionStatus;
  lots: number;
  won_lots: number | null;
  price: number;
  fee_cents: number;
  delivery_cents: number;
  deposit_cents: number;
  reserved_cents: number;
  due_cents: number | null;
  paid_cents: number;
  applied_at: number;
  result_at: number | null;
  paid_at: number | null;
  ended_at: number | null;
  order_no: string | null;
  /** Told once more that the payment is due. */
  reminded_at: number | null;
}

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

/** The deposit for what was won lies in what is reserved, beside the delivery fee. */
export const depositHeld = ({ status, reserved_cents, delivery_cents }: SubscriptionRecord): number =>
  status === "won" ? Math.max(0, reserved_cents - delivery_cents) : 0;

export function toSubscription(row: SubscriptionRecord, offering: OfferingRecord): Subscription {
  // Drawn and not told yet: the draw's result is the member's once the status says so.
  const isTold = row.result_at !== null;
  const held = depositHeld(row);
  return {
    subscriptionNo: row.subscription_no,
    offeringNo: row.offering_no,
    code: offering.code as Code,
    kind: offering.kind,
    status: row.status,
    lots: row.lots,
    wonLots: isTold ? row.won_lots : null,
    price: price(row.price),
    receipt: row.receipt,
    feeCents: cents(row.fee_cents),
    deliveryCents: cents(row.delivery_cents),
    depositCents: cents(row.deposit_cents),
    reservedCents: cents(row.reserved_cents),
    dueCents: row.due_cents === null ? null : cents(row.due_cents),
    paidCents: cents(row.paid_cents),
    restCents: cents(row.status === "won" ? Math.max(0, (row.due_cents ?? 0) - held) : 0),
    forfeitCents: cents(held),
    appliedAt: epochMs(row.applied_at),
    resultAt: timeOf(row.result_at),
    paidAt: timeOf(row.paid_at),
    endedAt: timeOf(row.ended_at),
    orderNo: row.order_no as OrderNo | null,
    phase: offering.phase,
    closesAt: epochMs(offering.closes_at),
    payableFrom: timeOf(offering.payable_from),
    payableUntil: epochMs(offering.payable_until),
    allottedAt: epochMs(offering.allotted_at),
    tradesFrom: epochMs(offering.trades_from),
  };
}
