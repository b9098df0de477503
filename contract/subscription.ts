/** Subscriptions: a member's application for new shares, bonds or a placement, its lifecycle and commands. */
import * as z from "zod/mini";
import { endpoint } from "./kernel/endpoint.ts";
import { eligibilityRefusals } from "./eligibility.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { OfferingKind, OfferingNo, OfferingPhase } from "./offering-kind.ts";
import { FundPassword } from "./secret.ts";

/** The ten words of the specification: what an offering is to a member at a moment (`subscriptionState`). */
export const SUBSCRIPTION_STATES = [
  "toBeSubscribed",
  "subscribing",
  "ended",
  "awaitingDraw",
  "won",
  "notWon",
  "toBePaid",
  "paid",
  "paymentFailed",
  "waived",
] as const;
export const SubscriptionState = z.enum(SUBSCRIPTION_STATES);
export type SubscriptionState = z.infer<typeof SubscriptionState>;

/** The lifecycle of an application as it is stored; the same words in SQL and machine. */
export const SUBSCRIPTION_STATUSES = ["subscribing", "withdrawn", "won", "notWon", "paid", "paymentFailed", "waived", "voided"] as const;
export const SubscriptionStatus = z.enum(SUBSCRIPTION_STATUSES);
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

/** What happens to an application. `allotted`: the shares are delivered. */
export const SUBSCRIPTION_FACTS = [
  "subscription.applied",
  "subscription.withdrawn",
  "subscription.won",
  "subscription.reminded",
  "subscription.notWon",
  "subscription.paid",
  "subscription.paymentFailed",
  "subscription.waived",
  "subscription.allotted",
  "subscription.voided",
] as const;
export const SubscriptionFactType = z.enum(SUBSCRIPTION_FACTS);
export type SubscriptionFactType = z.infer<typeof SubscriptionFactType>;

export const SubscriptionNo = z.string().check(z.regex(/^U[0-9a-f]{1,12}$/, "GEN_NOT_FOUND"));

/** A member's application, with what of its offering decides its state. */
export const Subscription = z.object({
  subscriptionNo: SubscriptionNo,
  offeringNo: OfferingNo,
  code: Code,
  kind: OfferingKind,
  status: SubscriptionStatus,
  lots: z.int(),
  /** Null before the draw. */
  wonLots: z.nullable(z.int()),
  price: Price,
  /** Its number in the published list: SHA-256 of `offeringNo:requestId`. */
  receipt: z.string(),
  /** Paid at the application and never returned. */
  feeCents: Cents,
  /** Held for delivery, and as a deposit, at the application. */
  deliveryCents: Cents,
  depositCents: Cents,
  /** Of it and of the payment: what is held now. */
  reservedCents: Cents,
  /** The value of what was won, null before the draw; what of it is paid, and what is still to be paid: it includes the deposit. */
  dueCents: z.nullable(Cents),
  paidCents: Cents,
  restCents: Cents,
  /** What waiving or not paying costs: the deposit for what was won; 0 before the draw. */
  forfeitCents: Cents,
  appliedAt: EpochMs,
  resultAt: z.nullable(EpochMs),
  paidAt: z.nullable(EpochMs),
  endedAt: z.nullable(EpochMs),
  /** The position it became. */
  orderNo: z.nullable(OrderNo),
  phase: OfferingPhase,
  closesAt: EpochMs,
  payableFrom: z.nullable(EpochMs),
  payableUntil: EpochMs,
  allottedAt: EpochMs,
  tradesFrom: EpochMs,
});
export type Subscription = z.infer<typeof Subscription>;

/** What of an offering decides the state of an application. */
interface Moments {
  phase: OfferingPhase;
  closesAt: number;
  payableFrom: number | null;
}

/** Whether an offering takes applications, now or later. */
const isToCome = ({ phase, closesAt }: Moments, now: number): boolean => (phase === "upcoming" || phase === "open") && now < closesAt;

/**
 * The specification's word for an offering and a member's application (null for none), at a moment. An application that was withdrawn or
 * voided is none.
 */
export function subscriptionState(offering: Moments, status: SubscriptionStatus | null, now: number): SubscriptionState {
  if (status === null || status === "withdrawn" || status === "voided") return isToCome(offering, now) ? "toBeSubscribed" : "ended";
  if (status === "subscribing") return isToCome(offering, now) ? "subscribing" : "awaitingDraw";
  if (status !== "won") return status;
  return offering.payableFrom !== null && now >= offering.payableFrom ? "toBePaid" : "won";
}

/** Lots of an application, in a capital increase single shares; the bounds are the offering's, or those of the member's right. */
const Lots = z.int("VAL_LOTS_INTEGER").check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(100_000_000, "TRD_LOTS_MAX"));
const COMMAND = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const FUND_PASSWORD = ["VAL_FUND_DIGITS", "PWD_FUND_LOCKED", "PWD_FUND_WRONG"] as const;
const Chosen = z.object({ requestId: RequestId, subscriptionNo: SubscriptionNo });

export const subscriptionEndpoints = {
  bookOffering: endpoint({
    path: "/subscription/book",
    access: "member",
    does: "Book a reminder of an upcoming offering: no money, a message when it opens.",
    body: z.object({ requestId: RequestId, offeringNo: OfferingNo }),
    data: z.object({ offeringNo: OfferingNo }),
    refusals: [...COMMAND, "TRD_NO_SUBSCRIBABLE", "TRD_NOT_SUBSCRIBE_TIME", "TRD_ALREADY_BOOKED"],
  }),
  applySubscription: endpoint({
    path: "/subscription/apply",
    access: "member",
    does: "Apply for an offering: the fee is paid, delivery fee and deposit are held. It can be withdrawn until the close.",
    body: z.object({ requestId: RequestId, offeringNo: OfferingNo, lots: Lots, fundPassword: FundPassword }),
    data: Subscription,
    refusals: [
      "VAL_LOTS_INTEGER",
      ...FUND_PASSWORD,
      ...COMMAND,
      ...eligibilityRefusals("subscribe"),
      "TRD_NO_SUBSCRIBABLE",
      "TRD_NEW_SHARE_CLOSED",
      "TRD_NEW_BOND_CLOSED",
      "TRD_NOT_SUBSCRIBE_TIME",
      "TRD_ALREADY_SUBSCRIBED",
      "TRD_SINGLE_SUBSCRIPTION",
      "TRD_SUBSCRIBE_BARRED",
      "TRD_MIN_SUBSCRIPTION",
      "TRD_LOTS_MAX",
      "RSK_TRADING_LOCKED",
      "RSK_DAILY_LOSS",
      "RSK_ORDER_MAX",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  withdrawSubscription: endpoint({
    path: "/subscription/withdraw",
    access: "member",
    does: "Withdraw an application before the close: delivery fee and deposit are available again, the handling fee is not.",
    body: Chosen,
    data: Subscription,
    refusals: [...COMMAND, "GEN_NOT_FOUND", "TRD_NOT_SUBSCRIBE_TIME"],
  }),
  paySubscription: endpoint({
    path: "/subscription/pay",
    access: "member",
    does: "Pay for what was won, before it is debited at the deadline.",
    body: z.extend(Chosen, { fundPassword: FundPassword }),
    data: Subscription,
    refusals: [
      ...FUND_PASSWORD,
      ...COMMAND,
      "GEN_NOT_FOUND",
      "PWD_FUND_NOT_SET",
      "ACC_FROZEN",
      "TRD_ORDER_NOT_PAYMENT",
      "TRD_NOT_PURCHASE_TIME",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
  waiveSubscription: endpoint({
    path: "/subscription/waive",
    access: "member",
    does: "Waive what was won: the deposit for it is lost.",
    body: z.extend(Chosen, { fundPassword: FundPassword }),
    data: Subscription,
    refusals: [
      ...FUND_PASSWORD,
      ...COMMAND,
      "GEN_NOT_FOUND",
      "PWD_FUND_NOT_SET",
      "ACC_FROZEN",
      "TRD_ORDER_NOT_PAYMENT",
      "TRD_NOT_PURCHASE_TIME",
    ],
  }),
  listSubscriptions: endpoint({
    path: "/subscription/list",
    access: "member",
    does: "List the member's applications, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Subscription),
    refusals: [],
  }),
};
