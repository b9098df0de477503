/** Margin: the margin account, its maintenance ratio and margin calls. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, cents, price, worth } from "./kernel/money.ts";
import type { Price } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";
import { Order } from "./order.ts";
import type { MarginRule } from "./rule.ts";

/** Status of a member's margin application, in the specification's words for a review. */
export const MARGIN_STATUSES = ["none", "pendingReview", "approved", "rejected"] as const;
export const MarginStatus = z.enum(MARGIN_STATUSES);
export type MarginStatus = z.infer<typeof MarginStatus>;

/** The lifecycle of a margin call; the same in SQL, machine, locale (`status.marginCall.*`) and CSS. */
export const MARGIN_CALL_STATUSES = ["due", "paused", "overdue", "cleared", "liquidated"] as const;
export const MarginCallStatus = z.enum(MARGIN_CALL_STATUSES);
export type MarginCallStatus = z.infer<typeof MarginCallStatus>;

/** What can happen to a margin call: the events its machine accepts. `recovered`: above the call line again, but below the clearing line. */
export const MARGIN_FACTS = [
  "margin.applied",
  "margin.withdrawn",
  "margin.approved",
  "margin.rejected",
  "margin.called",
  "margin.recovered",
  "margin.fell",
  "margin.paid",
  "margin.overdue",
  "margin.cleared",
  "margin.liquidated",
] as const;
export const MarginFactType = z.enum(MARGIN_FACTS);
export type MarginFactType = z.infer<typeof MarginFactType>;

export const MarginCall = z.object({
  callNo: z.string(),
  status: MarginCallStatus,
  calledAt: EpochMs,
  /** The deadline to meet the call; the broker liquidates after it, or earlier if the ratio falls below the liquidation line. */
  dueAt: EpochMs,
  endedAt: z.nullable(EpochMs),
  /** The amount that would have restored the clearing line at the time of the call, and the amount paid so far. */
  requiredCents: Cents,
  paidCents: Cents,
});
export type MarginCall = z.infer<typeof MarginCall>;

/** The margin account. The ratio is `(value of financed shares + collateral of shorts) / (loans + interest + value of shorted shares)`. */
export const MarginAccount = z.object({
  status: MarginStatus,
  appliedAt: z.nullable(EpochMs),
  approvedAt: z.nullable(EpochMs),
  loanCents: Cents,
  interestCents: Cents,
  /** Margin deposited beyond what the orders hold. */
  addedCents: Cents,
  /** In hundredths of a percent at the newest prices; null while nothing is owed. */
  ratioBasisPoints: z.nullable(z.int()),
  /** The active call; in the fact that ends a call, the ended call; null if none. */
  call: z.nullable(MarginCall),
  version: z.int(),
});
export type MarginAccount = z.infer<typeof MarginAccount>;

/** The fields of a margin order that count towards the ratio, and the price `at` which it is valued. */
export type Covered = Pick<
  Order,
  "direction" | "filledLots" | "closedLots" | "lotShares" | "loanCents" | "interestCents" | "collateralCents"
> & { at: Price };

/**
 * Tells whether a position counts towards the margin account: every position on a margin loan and every short except a leveraged
 * one, which has its own liquidation price. A cash short holds 190 % of its value like a margin short, and can lose as much.
 */
export function isOnMargin({ funding, direction }: Pick<Order, "funding" | "direction">): boolean {
  return funding === "margin" || (funding === "cash" && direction === "fall");
}

/** An account's assets, liabilities and their ratio in hundredths of a percent; the ratio is null when nothing is owed. */
export interface Cover {
  assetsCents: Cents;
  owedCents: Cents;
  ratioBasisPoints: number | null;
}

/** The combined cover of all margin orders and the added margin. */
export function coverOf(orders: readonly Covered[], addedCents: number): Cover {
  let assets = addedCents;
  let owed = 0;
  for (const order of orders) {
    const value = worth(order.at, (order.filledLots - order.closedLots) * order.lotShares);
    assets += order.collateralCents + (order.direction === "rise" ? value : 0);
    owed += order.loanCents + order.interestCents + (order.direction === "fall" ? value : 0);
  }
  const ratio = owed === 0 ? null : Number((BigInt(assets) * 10_000n) / BigInt(owed));
  return { assetsCents: cents(assets), owedCents: cents(owed), ratioBasisPoints: ratio };
}

/** The deposit that brings the ratio to `percent`, rounded up to whole NT$; 0 when it is there already. */
export function lackingTo({ assetsCents, owedCents }: Cover, percent: number): Cents {
  const wanted = (BigInt(owedCents) * BigInt(percent) + 99n) / 100n;
  const lacking = wanted - BigInt(assetsCents);
  return cents(lacking <= 0n ? 0 : Number((lacking + 99n) / 100n) * 100);
}

/** The next automatic margin event, given the ratio and the active call; null for none. */
export function marginFactOf(
  { ratioBasisPoints: ratio }: Cover,
  call: Pick<MarginCall, "status" | "dueAt"> | null,
  rule: Pick<MarginRule, "callPercent" | "clearedPercent" | "liquidationPercent">,
  at: number,
): MarginFactType | null {
  const below = ratio !== null && ratio < rule.callPercent * 100;
  if (call === null) return below ? "margin.called" : null;
  if (ratio === null) return call.status === "overdue" ? "margin.liquidated" : "margin.cleared";
  if (ratio >= rule.clearedPercent * 100) return "margin.cleared";
  if (!below) return call.status === "paused" ? null : "margin.recovered";
  if (call.status === "paused") return "margin.fell";
  // Below the liquidation line the grace period is not waited out: prices may move too far within it.
  const late = at > call.dueAt || ratio < rule.liquidationPercent * 100;
  return call.status === "due" && late ? "margin.overdue" : null;
}

/**
 * The price at which a position, taken alone, reaches a ratio in percent: below the market for a long, above it for a short; null when
 * nothing is owed. Other positions and added margin shift the account's actual price.
 */
export function priceAtRatio(order: Omit<Covered, "at">, percent: number): Price | null {
  const shares = BigInt((order.filledLots - order.closedLots) * order.lotShares);
  if (shares === 0n) return null;
  if (order.direction === "rise") {
    const owed = BigInt(order.loanCents + order.interestCents) * BigInt(percent);
    return owed === 0n ? null : price(Number((owed + shares - 1n) / shares));
  }
  // In ten-thousandths per share: cents times a hundred, and `percent` is in hundredths.
  const covered = BigInt(order.collateralCents) * 10_000n - BigInt(order.loanCents + order.interestCents) * BigInt(percent) * 100n;
  return price(Number(covered / (shares * BigInt(percent))));
}

/** Whole NT$, positive. */
const AddedMargin = z
  .int("VAL_MARGIN_POSITIVE")
  .check(z.minimum(1, "VAL_MARGIN_POSITIVE"), z.maximum(1_000_000_000, "VAL_MARGIN_POSITIVE"));

const COMMAND_REFUSALS = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;

export const marginEndpoints = {
  readMargin: endpoint({
    path: "/margin/read",
    access: "member",
    does: "Read the margin account with its active and earlier margin calls, newest first.",
    body: z.object({}),
    data: z.object({ account: MarginAccount, calls: z.array(MarginCall) }),
    refusals: [],
  }),
  applyMargin: endpoint({
    path: "/margin/apply",
    access: "member",
    does: "Apply for a margin account, having read the risk notice; the broker reviews the application.",
    body: z.object({ requestId: RequestId, agreed: z.literal(true, "VAL_PRIVACY_REQUIRED") }),
    data: MarginAccount,
    refusals: [
      "VAL_PRIVACY_REQUIRED",
      ...COMMAND_REFUSALS,
      ...eligibilityRefusals("openMargin"),
      "FUND_ORDER_UNDER_REVIEW",
      "TRD_MARGIN_ENABLED",
    ],
  }),
  withdrawMargin: endpoint({
    path: "/margin/withdraw",
    access: "member",
    does: "Withdraw an application that is still under review.",
    body: z.object({ requestId: RequestId }),
    data: MarginAccount,
    refusals: [...COMMAND_REFUSALS, "TRD_ORDER_NOT_REVIEW"],
  }),
  payMargin: endpoint({
    path: "/margin/pay",
    access: "member",
    does: "Pay towards the active margin call, in whole NT$.",
    body: z.object({ requestId: RequestId, amount: AddedMargin }),
    data: MarginAccount,
    refusals: [
      "VAL_MARGIN_POSITIVE",
      ...COMMAND_REFUSALS,
      "TRD_MARGIN_DISABLED",
      "TRD_ORDER_NOT_PAYMENT",
      "FUND_AVAILABLE_INSUFFICIENT",
      "FUND_LOAN_NOT_COLLATERAL",
    ],
  }),
  addMargin: endpoint({
    path: "/margin/add",
    access: "member",
    does: "Add margin to a leveraged position, in whole NT$: its loan shrinks (for a short, its collateral grows) and its liquidation price moves away.",
    body: z.object({ requestId: RequestId, orderNo: OrderNo, amount: AddedMargin }),
    data: Order,
    refusals: [
      "VAL_MARGIN_POSITIVE",
      ...COMMAND_REFUSALS,
      "TRD_ORDER_NOT_FOUND",
      "TRD_ALREADY_CLOSED",
      "TRD_ALREADY_CANCELLED",
      "TRD_ORDER_NOT_HOLDING",
      "TRD_NOT_LEVERAGED",
      "TRD_MARGIN_TOO_MUCH",
      "FUND_AVAILABLE_INSUFFICIENT",
      "FUND_LOAN_NOT_COLLATERAL",
    ],
  }),
};
