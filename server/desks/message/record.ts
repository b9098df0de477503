/** A message as its row, and as the contract shows it. */
import type { Selectable } from "kysely";
import { epochMs } from "#contract/kernel/time.ts";
import type { Message } from "#contract/message.ts";
import type { MessageTable } from "#server/db/schema.ts";
import { toAlert } from "#server/desks/alert/record.ts";
import type { AlertRecord } from "#server/desks/alert/record.ts";

export type MessageRecord = Selectable<MessageTable>;

/** The message as the contract shows it, with the alert it is about. */
export function toMessage(record: Omit<MessageRecord, "member_id" | "alert_id">, alert: AlertRecord | null): Message {
  return {
    id: `M${record.id}`,
    at: epochMs(record.at),
    kind: record.kind,
    read: record.read,
    alert: alert && toAlert(alert),
  };
}
