/** Execution reports: what the market or the broker did with a member's order, in the terms of FIX. */
import * as z from "zod/mini";
import { Code, OrderNo } from "./kernel/id.ts";
import { Price, price } from "./kernel/money.ts";
import { CancelCause, CancelRefusal } from "./cancel-cause.ts";
import { CloseCause, OrderOrigin, TriggerKind } from "./order.ts";

/**
 * What happened: a complete or a partial fill, a trigger that was reached, the end of what was not filled, or an exit order that waits again
 * because its close ended unfilled.
 */
export const REPORT_KINDS = ["filled", "partlyFilled", "triggered", "ended", "rearmed"] as const;

/** The side as a broker prints it: 買進, 賣出, 放空, 回補. */
export const REPORT_SIDES = ["buy", "sell", "short", "cover"] as const;
export type ReportSide = (typeof REPORT_SIDES)[number];

export const ExecutionReport = z.object({
  kind: z.enum(REPORT_KINDS),
  orderNo: OrderNo,
  code: Code,
  /** Of a position that was not bought in the market. */
  origin: z.optional(OrderOrigin),
  /** Null for an exit order that was triggered or waits again: the close it sends is reported on its own. */
  side: z.nullable(z.enum(REPORT_SIDES)),
  /** The units filled, or those that ended or were triggered. */
  lots: z.int(),
  /** The units still in the market. */
  left: z.int(),
  lotShares: z.int(),
  /** As in `Order`. */
  unitsPerWhole: z.optional(z.int()),
  /** Average price of the fills, the price that reached a trigger, or the trigger that waits again; null for none. */
  price: z.nullable(Price),
  /** Why a position was closed, or why an order ended; null for an opening order. */
  cause: z.nullable(z.union([CloseCause, CancelCause])),
  /** Of a reserved order that was not accepted: why. */
  refusal: z.optional(CancelRefusal),
  /** Of an exit order that was triggered or waits again: its kind. */
  exit: z.nullable(TriggerKind),
});
export type ExecutionReport = z.infer<typeof ExecutionReport>;

/** Tells whether the broker closed the position. */
export function isForced(cause: ExecutionReport["cause"]): cause is Exclude<CloseCause, "member" | "condition"> {
  return cause === "squareOff" || cause === "marginCall" || cause === "liquidation" || cause === "debt" || cause === "shortCover";
}

/** Tells whether what was subscribed for was delivered: nothing was bought in the market. */
export function isDelivery({ origin, side }: ExecutionReport): boolean {
  return side === "buy" && (origin === "subscription" || origin === "bid" || origin === "raise");
}

/** Tells whether a report adds to an earlier one: another fill of the same order on the same side. */
export function continues(earlier: ExecutionReport, later: ExecutionReport): boolean {
  return earlier.kind === "partlyFilled" && later.side === earlier.side && later.orderNo === earlier.orderNo && isFill(later);
}

const isFill = ({ kind }: ExecutionReport): boolean => kind === "filled" || kind === "partlyFilled";

/**
 * Two reports of one order as one: the lots of both at their average price, and the later one's state. Also of two closes of one order, one
 * after the other: nothing that was filled is left out, nor that one of them was forced.
 */
export function joinReports(earlier: ExecutionReport, later: ExecutionReport): ExecutionReport {
  if (!(isFill(earlier) && isFill(later) && later.side === earlier.side && later.orderNo === earlier.orderNo)) return later;
  const lots = earlier.lots + later.lots;
  const value = BigInt(earlier.lots) * BigInt(earlier.price ?? 0) + BigInt(later.lots) * BigInt(later.price ?? 0);
  return {
    ...later,
    cause: isForced(earlier.cause) ? earlier.cause : later.cause,
    lots,
    price: price(Number((value + BigInt(lots) / 2n) / BigInt(lots))),
  };
}
