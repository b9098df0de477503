/** Withdrawals: everything that may keep one back, its lifecycle, and the member's commands. */
import * as z from "zod/mini";
import { BankCard, CardId } from "./bank-card.ts";
import { eligibilityRefusals, MemberFacts, missingFor } from "./eligibility.ts";
import type { Missing } from "./eligibility.ts";
import { minuteText } from "./funding.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { Code, OrderNo, RequestId } from "./kernel/id.ts";
import { Cents } from "./kernel/money.ts";
import { Cursor, pageOf } from "./kernel/page.ts";
import { EpochMs } from "./kernel/time.ts";
import { FundPassword } from "./secret.ts";

/** The lifecycle of a withdrawal; the same in SQL, machine, locale (`withdrawal.status.*`) and CSS. */
export const WITHDRAWAL_STATUSES = ["requested", "underReview", "processing", "paid", "failed", "cancelled"] as const;
export const WithdrawalStatus = z.enum(WITHDRAWAL_STATUSES);
export type WithdrawalStatus = z.infer<typeof WithdrawalStatus>;

/** What happens to a withdrawal: the member requests and may cancel it, the broker reviews it, the bank pays it. */
export const WITHDRAWAL_FACTS = [
  "withdrawal.requested",
  "withdrawal.reviewed",
  "withdrawal.approved",
  "withdrawal.paid",
  "withdrawal.failed",
  "withdrawal.cancelled",
] as const;
export const WithdrawalFactType = z.enum(WITHDRAWAL_FACTS);
export type WithdrawalFactType = z.infer<typeof WithdrawalFactType>;

/** Why a withdrawal failed: the member was restricted, or came to owe money. */
export const WITHDRAWAL_REASONS = ["restricted", "debt", "operator"] as const;
export const WithdrawalReason = z.enum(WITHDRAWAL_REASONS);
export type WithdrawalReason = z.infer<typeof WithdrawalReason>;

export const WithdrawalNo = z.string().check(z.regex(/^W\d{1,12}$/, "GEN_NOT_FOUND"));

export const Withdrawal = z.object({
  withdrawalNo: WithdrawalNo,
  status: WithdrawalStatus,
  amountCents: Cents,
  bankCode: z.string(),
  /** Masked. */
  number: z.string(),
  reason: z.nullable(WithdrawalReason),
  requestedAt: EpochMs,
  /** When its review began, and when it was approved; null before. */
  reviewedAt: z.nullable(EpochMs),
  approvedAt: z.nullable(EpochMs),
  /** When it was paid, failed or cancelled. */
  endedAt: z.nullable(EpochMs),
  /** When it is usually paid, and when at the latest. */
  usualAt: EpochMs,
  latestAt: EpochMs,
});
export type Withdrawal = z.infer<typeof Withdrawal>;

/** Whether a withdrawal is still on its way. */
export const isOpenWithdrawal = ({ status }: Pick<Withdrawal, "status">): boolean =>
  status === "requested" || status === "underReview" || status === "processing";

/** A position that keeps withdrawals back. */
export const BlockingHolding = z.object({ orderNo: OrderNo, code: Code });
export type BlockingHolding = z.infer<typeof BlockingHolding>;

/** Everything that decides whether money may be withdrawn, read at one moment. */
export const WithdrawalFacts = z.object({
  member: MemberFacts,
  hours: z.enum(["open", "notWorking", "outside"]),
  opensMinute: z.int(),
  closesMinute: z.int(),
  creditScore: z.int(),
  minimumScore: z.int(),
  /** Owed on a credit loan. */
  loanCents: Cents,
  /** What is open and can be closed. */
  holdings: z.array(BlockingHolding),
  /** The withdrawal on its way. */
  pendingNo: z.nullable(WithdrawalNo),
  /** Available less what is due and not settled. */
  withdrawableCents: Cents,
  minimumCents: Cents,
  maximumCents: Cents,
});
export type WithdrawalFacts = z.infer<typeof WithdrawalFacts>;

/** Everything that keeps a withdrawal back, in the order the server checks it; empty when one may be requested. */
export function withdrawalBlocks(facts: WithdrawalFacts): Missing[] {
  const { opensMinute, closesMinute, hours } = facts;
  const range = { n1: minuteText(opensMinute), n2: minuteText(closesMinute) };
  const further: (Missing | false)[] = [
    facts.creditScore < facts.minimumScore && { code: "FUND_CREDIT_SCORE_LOW_WITHDRAW", params: {}, remedy: "/information/credit" },
    facts.loanCents > 0 && { code: "FUND_LOAN_BLOCKS_WITHDRAW", params: {}, remedy: "/home/loanRe" },
    facts.holdings.length > 0 && { code: "FUND_HOLDING_BLOCKS_WITHDRAW", params: {}, remedy: "/trade/index" },
    facts.pendingNo !== null && { code: "FUND_WITHDRAW_PENDING", params: {}, remedy: null },
    hours === "notWorking" && { code: "FUND_WITHDRAW_HOURS", params: {}, remedy: null },
    hours === "outside" && { code: "FUND_WITHDRAW_HOURS_RANGE", params: range, remedy: null },
    facts.withdrawableCents < facts.minimumCents && {
      code: "FUND_WITHDRAWABLE_INSUFFICIENT",
      params: {},
      remedy: "/information/settlements",
    },
  ];
  return [...missingFor("withdraw", facts.member), ...further.filter((one) => one !== false)];
}

const BLOCK_REFUSALS = [
  ...eligibilityRefusals("withdraw"),
  "FUND_CREDIT_SCORE_LOW_WITHDRAW",
  "FUND_LOAN_BLOCKS_WITHDRAW",
  "FUND_HOLDING_BLOCKS_WITHDRAW",
  "FUND_WITHDRAW_PENDING",
  "FUND_WITHDRAW_HOURS",
  "FUND_WITHDRAW_HOURS_RANGE",
  "FUND_WITHDRAWABLE_INSUFFICIENT",
] as const;

/** Why an amount cannot be withdrawn; null when it can. */
export function amountRefusal(
  amountCents: number,
  { withdrawableCents, minimumCents, maximumCents }: Pick<WithdrawalFacts, "withdrawableCents" | "minimumCents" | "maximumCents">,
): { code: "FUND_WITHDRAW_MIN" | "FUND_WITHDRAW_MAX" | "FUND_WITHDRAWABLE_INSUFFICIENT"; params: { n?: number } } | null {
  if (amountCents < minimumCents) return { code: "FUND_WITHDRAW_MIN", params: { n: minimumCents / 100 } };
  if (amountCents > maximumCents) return { code: "FUND_WITHDRAW_MAX", params: { n: maximumCents / 100 } };
  return amountCents > withdrawableCents ? { code: "FUND_WITHDRAWABLE_INSUFFICIENT", params: {} } : null;
}

/** Whole NT$, as typed; the bounds are the rule's. */
const WithdrawalAmount = z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(1_000_000_000, "VAL_AMOUNT_EMPTY"));

export const withdrawalEndpoints = {
  readWithdrawing: endpoint({
    path: "/withdrawal/terms",
    access: "member",
    does: "Read everything that decides whether money may be withdrawn, the cards it may go to, and the withdrawal on its way.",
    body: z.object({}),
    data: z.object({ facts: WithdrawalFacts, cards: z.array(BankCard), pending: z.nullable(Withdrawal) }),
    refusals: [],
  }),
  requestWithdrawal: endpoint({
    path: "/withdrawal/request",
    access: "member",
    does: "Request that money is paid to one of the member's own cards; it is held at once.",
    body: z.object({ requestId: RequestId, amount: WithdrawalAmount, cardId: CardId, fundPassword: FundPassword }),
    data: Withdrawal,
    refusals: [
      "VAL_AMOUNT_EMPTY",
      "VAL_CARD_REQUIRED",
      "VAL_FUND_DIGITS",
      "PWD_FUND_LOCKED",
      "PWD_FUND_WRONG",
      "GEN_REQUEST_REUSED",
      "GEN_TOO_FREQUENT",
      "FUND_OP_IN_PROGRESS",
      ...BLOCK_REFUSALS,
      "CARD_NOT_FOUND",
      "CARD_NOT_OWNED",
      "FUND_WITHDRAW_MIN",
      "FUND_WITHDRAW_MAX",
    ],
  }),
  cancelWithdrawal: endpoint({
    path: "/withdrawal/cancel",
    access: "member",
    does: "Cancel a withdrawal whose review has not begun; its money is available again.",
    body: z.object({ requestId: RequestId, withdrawalNo: WithdrawalNo }),
    data: Withdrawal,
    refusals: ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT", "GEN_NOT_FOUND", "TRD_ORDER_NOT_REVIEW"],
  }),
  listWithdrawals: endpoint({
    path: "/withdrawal/list",
    access: "member",
    does: "List the member's withdrawals, newest first.",
    body: z.object({ cursor: Cursor }),
    data: pageOf(Withdrawal),
    refusals: [],
  }),
  readWithdrawal: endpoint({
    path: "/withdrawal/read",
    access: "member",
    does: "Read one withdrawal.",
    body: z.object({ withdrawalNo: WithdrawalNo }),
    data: Withdrawal,
    refusals: ["GEN_NOT_FOUND"],
  }),
};
