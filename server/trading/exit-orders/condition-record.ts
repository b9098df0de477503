/** An exit order as its row and as the contract shows it, and the only function that changes its status. */
import type { Condition, ConditionFactType, ConditionNo, ConditionStatus } from "#contract/condition.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { price } from "#contract/kernel/money.ts";
import { epochMs } from "#contract/kernel/time.ts";
import { advance } from "#machines/advance.ts";
import { conditionMachine } from "#machines/condition.ts";
import type { ConditionTable } from "#server/db/schema.ts";

export type ConditionRecord = ConditionTable;

/** Converts a condition to the contract's type. */
export function toCondition(record: ConditionRecord): Condition {
  return {
    conditionNo: record.condition_no as ConditionNo,
    orderNo: record.order_no as OrderNo,
    code: record.code as Code,
    kind: record.kind,
    price: price(record.price),
    best: record.best === null ? null : price(record.best),
    status: record.status,
    setAt: epochMs(record.set_at),
    endedAt: record.ended_at === null ? null : epochMs(record.ended_at),
    firedPrice: record.fired_price === null ? null : price(record.fired_price),
    refusal: record.refusal,
    version: record.version,
  };
}

/** The status a fact leads to; null if the machine forbids it. */
export function nextConditionStatus(status: ConditionStatus, fact: ConditionFactType): ConditionStatus | null {
  return advance(conditionMachine, status, fact);
}

/** The better of two prices for a position: the higher for a long, the lower for a short. Either may be missing. */
export function better(direction: "rise" | "fall", one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return direction === "rise" ? Math.max(one, other) : Math.min(one, other);
}
