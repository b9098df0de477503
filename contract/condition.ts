/** Exit orders ("conditions" on the wire): stop, take-profit and trailing triggers the server watches, closing the position when one is met. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { Order, PositionBody, TRIGGERS, Trigger, TriggerKind } from "./order.ts";

/** The lifecycle; the same words in SQL, machine, locale (`status.condition.*`) and CSS. `failed`: triggered, but the close was refused. */
export const CONDITION_STATUSES = ["waiting", "fired", "cancelled", "failed"] as const;
export const ConditionStatus = z.enum(CONDITION_STATUSES);
export type ConditionStatus = z.infer<typeof ConditionStatus>;

export const ConditionNo = z
  .string("GEN_NOT_FOUND")
  .check(z.regex(/^C\d{12}$/, "GEN_NOT_FOUND"))
  .brand<"ConditionNo">();
export type ConditionNo = z.infer<typeof ConditionNo>;

/**
 * One exit order. All waiting exits of an order are one-cancels-the-other (OCO). A triggered exit closes, at market, all lots still held; what
 * could not be closed by the day's end is protected again by the same exits from the next day on.
 */
export const Condition = z.object({
  conditionNo: ConditionNo,
  orderNo: OrderNo,
  code: Code,
  kind: TriggerKind,
  /** The trigger price; for a trailing stop, the trailing distance. */
  price: Price,
  /** For a trailing stop, the best price since it was set; null before the first price and for other kinds. */
  best: z.nullable(Price),
  status: ConditionStatus,
  setAt: EpochMs,
  /** When it was triggered or cancelled; null again when it waits again. */
  endedAt: z.nullable(EpochMs),
  /** The price that triggered it. */
  firedPrice: z.nullable(Price),
  /** Why the close was refused, as a refusal code. */
  refusal: z.nullable(z.string()),
  version: z.int(),
});
export type Condition = z.infer<typeof Condition>;

/**
 * What can happen to an exit order. `condition.adjusted`: a corporate action adjusted its price; `condition.rearmed`: its close, or that of
 * the exit that cancelled it, ended unfilled with the day. Two are no steps of its machine:
 * `condition.set`, and `condition.trailed`, the best price of a trailing stop has moved, which keeps the version.
 */
export const CONDITION_FACTS = [
  "condition.set",
  "condition.adjusted",
  "condition.fired",
  "condition.cancelled",
  "condition.failed",
  "condition.rearmed",
  "condition.trailed",
] as const;
export const ConditionFactType = z.enum(CONDITION_FACTS);
export type ConditionFactType = z.infer<typeof ConditionFactType>;

/** The prices traded since the trigger was last checked, in ten-thousandths. */
export interface TriggerRange {
  last: number;
  high: number;
  low: number;
}

/** The current trigger price: `at`, or for a trailing stop the best price minus (for a short, plus) the distance `at`; null before a best exists. */
export function triggerLevel(kind: TriggerKind, direction: "rise" | "fall", at: number, best: number | null): number | null {
  if (kind !== "trailing") return at;
  if (best === null) return null;
  return direction === "rise" ? best - at : best + at;
}

/**
 * Tells whether an exit order is triggered. For a long, a stop triggers below and a take-profit above; for a short, the reverse.
 * A trailing stop is measured against the best price before this check.
 */
export function exitReached(kind: TriggerKind, direction: "rise" | "fall", at: number, best: number | null, range: TriggerRange): boolean {
  const level = triggerLevel(kind, direction, at, best);
  if (level === null) return false;
  const below = (kind === "takeProfit") === (direction === "fall");
  return below ? range.low <= level : range.high >= level;
}

/**
 * Tells whether a conditional order is triggered. For a long, `stop` buys the breakout above and `takeProfit` the pullback below; for
 * a short, the reverse.
 */
export function entryReached(kind: "stop" | "takeProfit", direction: "rise" | "fall", at: number, range: TriggerRange): boolean {
  const below = (kind === "takeProfit") === (direction === "rise");
  return below ? range.low <= at : range.high >= at;
}

const Exits = z.array(Trigger).check(z.maxLength(TRIGGERS.length));

/** Refusals of exit orders, in the order checked. */
const EXIT_REFUSALS = [
  "VAL_TRIGGER_POSITIVE",
  "GEN_REQUEST_REUSED",
  "GEN_TOO_FREQUENT",
  "TRD_ORDER_NOT_FOUND",
  "TRD_ALREADY_CLOSED",
  "TRD_ALREADY_CANCELLED",
  "TRD_TRIGGER_TWICE",
  "TRD_PRICE_OFF_TICK",
  "TRD_TRIGGER_PASSED",
] as const;

export const conditionEndpoints = {
  setConditions: endpoint({
    path: "/conditions/set",
    access: "member",
    does: "Set the exit orders of an order: they replace all waiting ones; an empty list cancels them.",
    body: z.object({ requestId: RequestId, orderNo: OrderNo, exits: Exits }),
    data: z.object({ order: Order, conditions: z.array(Condition) }),
    refusals: EXIT_REFUSALS,
  }),
  setPositionConditions: endpoint({
    path: "/positions/conditions",
    access: "member",
    does: "Set the same exit orders for every order of a position: they replace all waiting ones; all of them are set or none.",
    body: z.extend(PositionBody, { exits: Exits }),
    data: z.object({ orders: z.array(Order), conditions: z.array(Condition) }),
    refusals: ["VAL_STOCK_CODE_REQUIRED", ...EXIT_REFUSALS],
  }),
  listConditions: endpoint({
    path: "/conditions/list",
    access: "member",
    does: "List the member's waiting and recently ended exit orders, newest first, of one order or (null) of all.",
    body: z.object({ orderNo: z.nullable(OrderNo) }),
    data: z.object({ conditions: z.array(Condition) }),
    refusals: ["TRD_ORDER_NOT_FOUND"],
  }),
};
