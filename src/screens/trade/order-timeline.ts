/** The timeline of an order, from its fields, fills, events, exit orders and corporate actions. */
import type { Condition } from "#contract/condition.ts";
import { price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Adjustment, Fill, OrderDetail, OrderEvent, OrderStatus } from "#contract/order.ts";

/** One entry of the timeline, with its time. */
export type Moment = { at: number } & (
  | { kind: "placed" }
  | { kind: "event"; event: OrderEvent }
  | { kind: "filled"; side: Fill["side"]; lots: number; each: Price }
  | { kind: "set" | "fired" | "failed"; condition: Condition }
  | { kind: "adjusted"; adjustment: Adjustment }
);

/** Groups fills of one side at the same time, at their average price. */
function filledOf(fills: readonly Fill[]): Moment[] {
  const groups = new Map<string, Fill[]>();
  for (const fill of fills) {
    const key = `${fill.at} ${fill.side}`;
    groups.set(key, [...(groups.get(key) ?? []), fill]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const lots = group.reduce((sum, fill) => sum + fill.lots, 0);
    const value = group.reduce((sum, fill) => sum + fill.price * fill.lots, 0);
    return [{ kind: "filled" as const, at: first.at, side: first.side, lots, each: price(Math.round(value / lots)) }];
  });
}

function exitsOf(conditions: readonly Condition[]): Moment[] {
  return conditions.flatMap((condition) => {
    const set = { kind: "set" as const, at: condition.setAt, condition };
    const ended = condition.status === "fired" || condition.status === "failed" ? condition.status : null;
    return ended && condition.endedAt !== null ? [set, { kind: ended, at: condition.endedAt, condition }] : [set];
  });
}

/** The order of entries with equal times: an order is placed before it is filled. */
const SAME_TIME_ORDER = { placed: 0, set: 1, event: 2, fired: 1, failed: 3, filled: 3, adjusted: 4 } as const;

/** The timeline, oldest first. */
export function timelineOf({ order, fills, adjustments, events }: OrderDetail, conditions: readonly Condition[]): Moment[] {
  const moments: Moment[] = [
    { kind: "placed", at: order.placedAt },
    ...events.map((event) => ({ kind: "event" as const, at: event.at, event })),
    ...filledOf(fills),
    ...exitsOf(conditions),
    ...adjustments.map((adjustment) => ({ kind: "adjusted" as const, at: adjustment.at, adjustment })),
  ];
  return moments.toSorted((a, b) => a.at - b.at || SAME_TIME_ORDER[a.kind] - SAME_TIME_ORDER[b.kind]);
}

/** The statuses normally still to come; empty for an order that has ended. */
export function aheadOf(status: OrderStatus): OrderStatus[] {
  if (status === "pending") return ["holding", "closed"];
  return status === "holding" || status === "readyToClose" ? ["closed"] : [];
}
