/** Conditions: what guards a position while nobody looks. The server watches them and closes the position when one comes true. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { Order, TRIGGERS, Trigger, TriggerKind } from "./order.ts";

/** The lifecycle; the same in SQL, machine, locale (`status.condition.*`) and CSS. `failed`: it came true, and the close was refused. */
export const CONDITION_STATUSES = ["waiting", "fired", "cancelled", "failed"] as const;
export const ConditionStatus = z.enum(CONDITION_STATUSES);
export type ConditionStatus = z.infer<typeof ConditionStatus>;

export const ConditionNo = z
  .string("GEN_NOT_FOUND")
  .check(z.regex(/^C\d{12}$/, "GEN_NOT_FOUND"))
  .brand<"ConditionNo">();
export type ConditionNo = z.infer<typeof ConditionNo>;

/** One condition on an order; all that wait on one order are one-cancels-the-other. It closes, at market, whatever of the order is held then. */
export const Condition = z.object({
  conditionNo: ConditionNo,
  orderNo: OrderNo,
  code: Code,
  kind: TriggerKind,
  /** The price it waits for; of a trailing one how far it may fall back. */
  price: Price,
  /** Of a trailing one the best price since it was set; null before any, and for the others. */
  best: z.nullable(Price),
  status: ConditionStatus,
  setAt: EpochMs,
  /** When it came true or was cancelled. */
  endedAt: z.nullable(EpochMs),
  /** The price that set it off. */
  firedPrice: z.nullable(Price),
  /** Why the close was refused, as a catalogue code. */
  refusal: z.nullable(z.string()),
  version: z.int(),
});
export type Condition = z.infer<typeof Condition>;

/** What happens to a condition; the events its machine takes. `condition.adjusted`: a corporate action moved its price along. */
export const CONDITION_FACTS = [
  "condition.set",
  "condition.adjusted",
  "condition.fired",
  "condition.cancelled",
  "condition.failed",
] as const;
export const ConditionFactType = z.enum(CONDITION_FACTS);
export type ConditionFactType = z.infer<typeof ConditionFactType>;

/** What decides whether a trigger has come true: the prices traded since somebody looked last. */
export interface TriggerRange {
  last: number;
  high: number;
  low: number;
}

/** The price a trigger waits for now: its own, or of a trailing one the best since less (or, of a fall, more) what it may fall back. */
export function triggerLevel(kind: TriggerKind, direction: "rise" | "fall", at: number, best: number | null): number | null {
  if (kind !== "trailing") return at;
  if (best === null) return null;
  return direction === "rise" ? best - at : best + at;
}

/**
 * Whether an exit has come true. Of a rise a stop waits below and a take-profit above; of a fall the other way round.
 * A trailing one is measured against the best price before this look.
 */
export function exitReached(kind: TriggerKind, direction: "rise" | "fall", at: number, best: number | null, sight: TriggerRange): boolean {
  const level = triggerLevel(kind, direction, at, best);
  if (level === null) return false;
  const below = (kind === "takeProfit") === (direction === "fall");
  return below ? sight.low <= level : sight.high >= level;
}

/** Whether a waiting order's trigger has come true: a stop buys the break-out, a take-profit price the setback; of a fall the other way round. */
export function entryReached(kind: "stop" | "takeProfit", direction: "rise" | "fall", at: number, sight: TriggerRange): boolean {
  const below = (kind === "takeProfit") === (direction === "rise");
  return below ? sight.low <= at : sight.high >= at;
}

export const conditionEndpoints = {
  setConditions: endpoint({
    path: "/conditions/set",
    access: "member",
    does: "Guard an order's position: these conditions replace those that wait on it; none of them cancels all.",
    body: z.object({ requestId: RequestId, orderNo: OrderNo, exits: z.array(Trigger).check(z.maxLength(TRIGGERS.length)) }),
    data: z.object({ order: Order, conditions: z.array(Condition) }),
    refusals: [
      "VAL_TRIGGER_POSITIVE",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "TRD_ORDER_NOT_FOUND",
      "TRD_ALREADY_CLOSED",
      "TRD_ALREADY_CANCELLED",
      "TRD_TRIGGER_TWICE",
      "TRD_PRICE_OFF_TICK",
      "TRD_TRIGGER_PASSED",
    ],
  }),
  listConditions: endpoint({
    path: "/conditions/list",
    access: "member",
    does: "List the member's conditions that wait, and those that ended lately, newest first; of one order or (null) of all.",
    body: z.object({ orderNo: z.nullable(OrderNo) }),
    data: z.object({ conditions: z.array(Condition) }),
    refusals: ["TRD_ORDER_NOT_FOUND"],
  }),
};
