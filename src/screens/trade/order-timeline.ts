/** The life of an order, moment by moment: from its fields, its fills, its facts, what guarded it, and what corporate actions made of it. */
import type { Condition } from "#contract/condition.ts";
import { price } from "#contract/kernel/money.ts";
import type { Price } from "#contract/kernel/money.ts";
import type { Adjustment, Fill, OrderDetail, OrderEvent, OrderStatus } from "#contract/order.ts";

/** Something that happened, and when. */
export type Moment = { at: number } & (
  | { kind: "placed" }
  | { kind: "event"; event: OrderEvent }
  | { kind: "filled"; side: Fill["side"]; lots: number; each: Price }
  | { kind: "set" | "fired" | "failed"; condition: Condition }
  | { kind: "adjusted"; adjustment: Adjustment }
);

/** Fills of one side at one moment, together, at their average. */
function filledOf(fills: readonly Fill[]): Moment[] {
  const together = new Map<string, Fill[]>();
  for (const fill of fills) {
    const key = `${fill.at} ${fill.side}`;
    together.set(key, [...(together.get(key) ?? []), fill]);
  }
  return [...together.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const lots = some.reduce((sum, fill) => sum + fill.lots, 0);
    const value = some.reduce((sum, fill) => sum + fill.price * fill.lots, 0);
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

/** What comes before what at one moment: nobody fills an order before it is placed. */
const TURN = { placed: 0, set: 1, event: 2, fired: 1, failed: 3, filled: 3, adjusted: 4 } as const;

/** Everything that happened, oldest first. */
export function timelineOf({ order, fills, adjustments, events }: OrderDetail, conditions: readonly Condition[]): Moment[] {
  const moments: Moment[] = [
    { kind: "placed", at: order.placedAt },
    ...events.map((event) => ({ kind: "event" as const, at: event.at, event })),
    ...filledOf(fills),
    ...exitsOf(conditions),
    ...adjustments.map((adjustment) => ({ kind: "adjusted" as const, at: adjustment.at, adjustment })),
  ];
  return moments.toSorted((a, b) => a.at - b.at || TURN[a.kind] - TURN[b.kind]);
}

/** The statuses that are still to come on the ordinary way; none of an order that has ended. */
export function aheadOf(status: OrderStatus): OrderStatus[] {
  if (status === "pending") return ["holding", "closed"];
  return status === "holding" || status === "readyToClose" ? ["closed"] : [];
}
