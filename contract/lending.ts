/** Securities lending: what borrowers ask for, and the lifecycle and the commands of a member's loans. */
import * as z from "zod/mini";
import { eligibilityRefusals } from "./eligibility.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents, Price } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { LendingRule } from "./lending-rule.ts";

/** The lifecycle of a loan; the same words in SQL, machine and locale (`lending.status.*`). A recalled loan is still in progress. */
export const LENDING_STATUSES = ["offered", "inProgress", "recalled", "completed", "withdrawn"] as const;
export const LendingStatus = z.enum(LENDING_STATUSES);
export type LendingStatus = z.infer<typeof LendingStatus>;

/**
 * What happens to a loan: offered at the member's own rate, and withdrawn; lent to a borrower; its fee accrued for days that ended; recalled
 * by the member; returned.
 */
export const LENDING_FACTS = [
  "lending.offered",
  "lending.withdrawn",
  "lending.lent",
  "lending.accrued",
  "lending.recalled",
  "lending.returned",
] as const;
export const LendingFactType = z.enum(LENDING_FACTS);
export type LendingFactType = z.infer<typeof LendingFactType>;

/** Why a loan ended: its term, the member's recall, a sale by the broker, or an ex-event that left no whole lot. */
export const LENDING_ENDS = ["term", "recall", "broker", "exEvent"] as const;
export const LendingEnd = z.enum(LENDING_ENDS);
export type LendingEnd = z.infer<typeof LendingEnd>;

/** The terms in days that can be offered, and the notices that borrowers grant. */
export const LENDING_DAYS = [7, 14, 30, 60, 90, 180] as const;
export const LENDING_NOTICES = [1, 3, 10] as const;

export const LendingNo = z.string().check(z.regex(/^Q\d{1,12}$/, "GEN_NOT_FOUND"));
export const LendingDemandId = z.string().check(z.regex(/^\d{1,9}-\d{1,6}$/, "TRD_LEND_CLOSED"));

/** What one borrower asks for. */
export const LendingDemand = z.object({
  demandId: z.string(),
  code: Code,
  lots: z.int(),
  left: z.int(),
  days: z.int(),
  noticeDays: z.int(),
  /** A year, per million of the value at each close. */
  ratePerMillion: z.int(),
  /** The latest close, by which the amount is counted, and the least amount. */
  referencePrice: Price,
  minimumCents: Cents,
});
export type LendingDemand = z.infer<typeof LendingDemand>;

/** A member's loan of lots of one order, or the offer of one. */
export const Lending = z.object({
  lendingNo: LendingNo,
  orderNo: OrderNo,
  code: Code,
  status: LendingStatus,
  lots: z.int(),
  lotShares: z.int(),
  ratePerMillion: z.int(),
  brokerPerMillion: z.int(),
  days: z.int(),
  noticeDays: z.int(),
  /** The close by which the amount was counted, and that amount. */
  referencePrice: Price,
  valueCents: Cents,
  offeredAt: EpochMs,
  startedAt: z.nullable(EpochMs),
  /** The fee day at whose beginning the shares are back; null for an offer. */
  dueDay: z.nullable(z.int()),
  recalledAt: z.nullable(EpochMs),
  endedAt: z.nullable(EpochMs),
  reason: z.nullable(LendingEnd),
  /** The fee so far, and what the member was paid of it at the end. */
  feeCents: Cents,
  paidCents: Cents,
  /** Increases with every change, to tell which of two copies is newer. */
  version: z.int(),
});
export type Lending = z.infer<typeof Lending>;

/** Whether shares are offered or on loan. */
export const isOpenLending = ({ status }: Pick<Lending, "status">): boolean =>
  status === "offered" || status === "inProgress" || status === "recalled";

const Lots = z.int("VAL_LOTS_INTEGER").check(z.minimum(1, "VAL_LOTS_INTEGER"), z.maximum(1_000_000, "TRD_SELL_EXCEEDS"));
const LendingBody = z.object({ requestId: RequestId, lendingNo: LendingNo });
const COMMAND_REFUSALS = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const SHARE_REFUSALS = [
  "TRD_ORDER_NOT_FOUND",
  "TRD_ORDER_NOT_HOLDING",
  "TRD_POSITION_LOCKED",
  "TRD_LEND_INELIGIBLE",
  "TRD_LEND_SHORT",
  "TRD_SHARES_LENT",
  "TRD_SELL_EXCEEDS",
  "TRD_STOCK_PRICE_UNAVAILABLE",
] as const;

export const lendingEndpoints = {
  readLendingMarket: endpoint({
    path: "/lending/market",
    access: "member",
    does: "Read what borrowers ask for: of the instruments the member holds first, then the highest rates; with the rule, the day, and what lending has earned.",
    body: z.object({}),
    data: z.object({
      open: z.boolean(),
      /** The day as fees count days: a loan has `dueDay - today` days left. */
      today: z.int(),
      demands: z.array(LendingDemand),
      /** Of the instruments of the member's positions, by code: the highest rate they are lent at, and the latest close. */
      held: z.record(z.string(), z.object({ mostPerMillion: z.int(), referencePrice: Price })),
      rule: LendingRule,
      /** Paid by loans that ended, and accrued by those in progress, both after the broker's part. */
      paidCents: Cents,
      accruedCents: Cents,
    }),
    refusals: [],
  }),
  lendShares: endpoint({
    path: "/lending/lend",
    access: "member",
    does: "Lend lots of an order to a borrower, at once.",
    body: z.object({ requestId: RequestId, demandId: LendingDemandId, orderNo: OrderNo, lots: Lots }),
    data: Lending,
    refusals: [
      "VAL_LOTS_INTEGER",
      ...COMMAND_REFUSALS,
      ...eligibilityRefusals("lend"),
      "TRD_LEND_CLOSED",
      ...SHARE_REFUSALS,
      "TRD_LEND_QUOTA_FULL",
      "TRD_LEND_MIN",
    ],
  }),
  offerShares: endpoint({
    path: "/lending/offer",
    access: "member",
    does: "Offer lots of an order at a rate of one's own: lent to the first borrower who pays as much, for at most so many days.",
    body: z.object({
      requestId: RequestId,
      orderNo: OrderNo,
      lots: Lots,
      /** Its bounds are the instrument's, which the refusal names. */
      ratePerMillion: z.int(),
      days: z.literal(LENDING_DAYS),
    }),
    data: Lending,
    refusals: [
      "VAL_LOTS_INTEGER",
      "VAL_LEND_RATE",
      ...COMMAND_REFUSALS,
      ...eligibilityRefusals("lend"),
      "TRD_LEND_CLOSED",
      ...SHARE_REFUSALS,
    ],
  }),
  withdrawLendingOffer: endpoint({
    path: "/lending/withdraw",
    access: "member",
    does: "Withdraw an offer that no borrower has taken.",
    body: LendingBody,
    data: Lending,
    refusals: [...COMMAND_REFUSALS, "GEN_NOT_FOUND", "TRD_LEND_NOT_OFFERED"],
  }),
  recallShares: endpoint({
    path: "/lending/recall",
    access: "member",
    does: "Ask for lent shares back: they return after the loan's days of notice, or at the end of its term if that is earlier.",
    body: LendingBody,
    data: Lending,
    refusals: [...COMMAND_REFUSALS, "GEN_NOT_FOUND", "TRD_LEND_NOT_LENT"],
  }),
  listLendings: endpoint({
    path: "/lending/list",
    access: "member",
    does: "List the member's loans and offers, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Lending),
    refusals: [],
  }),
};
