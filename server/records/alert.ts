/** Price alert: table row, conversion to the contract's type, and status transitions. */
import type { ALERT_FACTS, Alert, AlertStatus } from "#contract/alert.ts";
import type { Code, RequestId } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { advance } from "#machines/advance.ts";
import { alertMachine } from "#machines/alert.ts";
import type { AlertTable } from "#server/db/alert-schema.ts";

export type AlertRecord = AlertTable;

/** Converts a row to the contract's type. */
export function toAlert(record: AlertRecord): Alert {
  return {
    id: record.id as RequestId,
    code: record.code as Code,
    kind: record.kind,
    level: record.level,
    status: record.status,
    setAt: epochMs(record.set_at),
    firedAt: record.fired_at === null ? null : epochMs(record.fired_at),
    firedPrice: record.fired_price === null ? null : price(record.fired_price),
  };
}

/** In-memory key of an alert: ids are unique per member only. */
export const alertKey = (memberId: number, id: string): string => `${memberId} ${id}`;

/** The status after a fact; null when the transition is not allowed. */
export function nextAlertStatus(status: AlertStatus, fact: (typeof ALERT_FACTS)[number]): AlertStatus | null {
  return advance(alertMachine, status, fact);
}
