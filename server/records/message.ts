/** Inbox message: conversion of a table row to the contract's type. */
import type { Selectable } from "kysely";
import { epochMs } from "#contract/kernel/time.ts";
import type { Message } from "#contract/message.ts";
import type { MarginCallTable, MessageTable } from "#server/db/schema.ts";
import { toAlert } from "./alert.ts";
import type { AlertRecord } from "./alert.ts";
import { toCall } from "./margin-call.ts";

export type MessageRecord = Selectable<MessageTable>;
/** Columns of what a message is about, as it was then. */
type About = "debt" | "report" | "identity" | "restriction" | "deposit" | "withdrawal" | "loan" | "notice" | "block" | "auction";

/** Converts a row to the contract's type, with the alert, margin call, debt or execution report it is about. */
export function toMessage(
  record: Omit<MessageRecord, "member_id" | "alert_id" | "call_no" | "untold" | About> & Partial<Pick<MessageRecord, About>>,
  alert: AlertRecord | null,
  call: MarginCallTable | null = null,
): Message {
  return {
    id: `M${record.id}`,
    at: epochMs(record.at),
    kind: record.kind,
    read: record.read,
    alert: alert && toAlert(alert),
    ...(call ? { call: toCall(call) } : {}),
    ...(record.debt ? { debt: record.debt } : {}),
    ...(record.report ? { report: record.report } : {}),
    ...(record.withdrawal ? { withdrawal: record.withdrawal } : {}),
    ...(record.identity ? { identity: record.identity } : {}),
    ...(record.restriction ? { restriction: record.restriction } : {}),
    ...(record.deposit ? { deposit: record.deposit } : {}),
    ...(record.block ? { block: record.block } : {}),
    ...(record.auction ? { auction: record.auction } : {}),
    ...(record.loan ? { loan: record.loan } : {}),
    ...(record.notice ? { notice: record.notice } : {}),
  };
}
