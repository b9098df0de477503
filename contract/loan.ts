/** Credit loans: the offer, its signature, drawing, daily interest, repayment, and what a member may borrow. */
import * as z from "zod/mini";
import { bandOf, CreditRule, lendingScore } from "./credit.ts";
import { eligibilityRefusals, missingFor } from "./eligibility.ts";
import type { MemberFacts, Missing } from "./eligibility.ts";
import { interestOf } from "./fee.ts";
import { endpoint } from "./kernel/endpoint.ts";
import { RequestId } from "./kernel/id.ts";
import { Cents, cents, formatMoney } from "./kernel/money.ts";
import { EpochMs } from "./kernel/time.ts";

/** `lapsed`: an offer that was replaced or not drawn in time. */
export const LOAN_STATUSES = ["offered", "signed", "drawn", "overdue", "repaid", "lapsed"] as const;
export const LoanStatus = z.enum(LOAN_STATUSES);
export type LoanStatus = z.infer<typeof LoanStatus>;

export const LOAN_FACTS = [
  "loan.offered",
  "loan.signed",
  "loan.drawn",
  /** Interest of a day. */
  "loan.accrued",
  /** A part was paid back, by the member or, after the due day, by the broker from the member's money. */
  "loan.partlyRepaid",
  "loan.overdue",
  "loan.repaid",
  "loan.lapsed",
] as const;
export const LoanFactType = z.enum(LOAN_FACTS);
export type LoanFactType = z.infer<typeof LoanFactType>;

export const LoanNo = z.string().check(z.regex(/^L\d{1,12}$/, "GEN_NOT_FOUND"));

export const Loan = z.object({
  loanNo: LoanNo,
  status: LoanStatus,
  /** The amount that was offered. */
  amountCents: Cents,
  termDays: z.int(),
  interestPerMillion: z.int(),
  offeredAt: EpochMs,
  /** An offer can be drawn until then. */
  offerEndsAt: EpochMs,
  drawnAt: z.nullable(EpochMs),
  /** The last day to pay it back, as a `taipeiDay` number; null before it is drawn. */
  dueDay: z.nullable(z.int()),
  /** Still owed: of the amount, and interest up to today. */
  principalCents: Cents,
  interestCents: Cents,
  /** Interest paid so far. */
  paidInterestCents: Cents,
  repaidAt: z.nullable(EpochMs),
  /** Points of the credit score that it brought or cost. */
  points: z.int(),
  version: z.int(),
});
export type Loan = z.infer<typeof Loan>;

/** What an inbox message says about a loan: what happened, the amount that moved or became overdue, and the loan after it. */
export const LoanNotice = z.object({ event: LoanFactType, amountCents: Cents, loan: Loan });
export type LoanNotice = z.infer<typeof LoanNotice>;

/** Tells whether something is owed on a loan. */
export const isUnpaid = ({ status }: Pick<Loan, "status">): boolean => status === "drawn" || status === "overdue";

/** What is owed on a loan. */
export const owedOn = ({ principalCents, interestCents }: Pick<Loan, "principalCents" | "interestCents">): Cents =>
  cents(principalCents + interestCents);

/** What decides how much a member may borrow. */
export const Borrowing = z.object({
  score: z.int(),
  /** The account's value at the newest prices, loans deducted. */
  ownCents: Cents,
  /** By score and own net assets, for all loans together. */
  limitCents: Cents,
  /** Borrowed and not paid back, without interest. */
  borrowedCents: Cents,
  /** What may still be borrowed. */
  freeCents: Cents,
});
export type Borrowing = z.infer<typeof Borrowing>;

/** How much a member may borrow. Amounts in cents, `freeCents` in whole NT$. */
export function borrowingOf(rule: CreditRule, score: number, ownCents: number, borrowedCents: number): Borrowing {
  const { percent, mostCents } = bandOf(rule, score);
  const part = Number((BigInt(Math.max(0, ownCents)) * BigInt(percent)) / 100n);
  const limit = Math.min(part - (part % 100), mostCents);
  const free = Math.max(0, limit - borrowedCents);
  const [ownSaid, borrowed] = [cents(ownCents), cents(borrowedCents)];
  return { score, ownCents: ownSaid, limitCents: cents(limit), borrowedCents: borrowed, freeCents: cents(free - (free % 100)) };
}

/** Why nothing can be borrowed at all; null where something can. */
export function noLoanBecause(
  rule: CreditRule,
  score: number,
  loans: readonly Pick<Loan, "status">[],
): "FUND_CREDIT_SCORE_LOW" | "FUND_LOAN_UNPAID" | null {
  if (loans.some(({ status }) => status === "overdue")) return "FUND_LOAN_UNPAID";
  return score < lendingScore(rule) ? "FUND_CREDIT_SCORE_LOW" : null;
}

/**
 * Everything that keeps a member from a new loan, in the order the server checks it; empty when one may be asked for. The agreement is not
 * part of it: it is signed once the offer is known.
 */
export function loanBlocks(
  facts: MemberFacts,
  { rule, borrowing, loans }: { rule: CreditRule; borrowing: Borrowing; loans: readonly Pick<Loan, "status">[] },
): Missing[] {
  const missing = missingFor("borrow", facts).filter(({ code }) => code !== "ACC_AGREEMENT_UNSIGNED");
  const none = noLoanBecause(rule, borrowing.score, loans);
  if (none) missing.push({ code: none, params: {}, remedy: none === "FUND_LOAN_UNPAID" ? "/home/loanRe" : "/information/credit" });
  else if (borrowing.freeCents < rule.leastCents) {
    const code = "FUND_LOAN_LIMIT_INSUFFICIENT";
    missing.push({ code, params: { n: formatMoney(borrowing.freeCents) }, remedy: borrowing.borrowedCents > 0 ? "/home/loanRe" : null });
  }
  return missing;
}

/** Why an amount cannot be borrowed, where something can be; null when it can. */
export function loanAmountRefusal(
  amountCents: number,
  { leastCents }: Pick<CreditRule, "leastCents">,
  { freeCents }: Pick<Borrowing, "freeCents">,
): { code: "FUND_LOAN_MIN" | "FUND_LOAN_LIMIT_INSUFFICIENT"; params: { n: string } } | null {
  if (amountCents < leastCents) return { code: "FUND_LOAN_MIN", params: { n: formatMoney(leastCents) } };
  return amountCents > freeCents ? { code: "FUND_LOAN_LIMIT_INSUFFICIENT", params: { n: formatMoney(freeCents) } } : null;
}

/** Why an amount cannot be paid back; null when it can. */
export function repaymentRefusal(
  amountCents: number,
  owedCents: number,
  availableCents: number,
): { code: "FUND_REPAY_OVER_LOAN" | "FUND_AVAILABLE_INSUFFICIENT"; params: { n?: string } } | null {
  if (amountCents > owedCents) return { code: "FUND_REPAY_OVER_LOAN", params: { n: formatMoney(owedCents) } };
  return amountCents > availableCents ? { code: "FUND_AVAILABLE_INSUFFICIENT", params: {} } : null;
}

/** Interest of a loan for whole days; the day it is drawn counts as one. */
export function loanInterest(loan: Pick<Loan, "interestPerMillion">, principalCents: number, days: number): Cents {
  return interestOf(loan, principalCents, days);
}

const Amount = z.int("VAL_AMOUNT_EMPTY").check(z.minimum(1, "VAL_AMOUNT_EMPTY"), z.maximum(10_000_000_000_000, "VAL_AMOUNT_EMPTY"));
const COMMAND = ["GEN_REQUEST_REUSED", "GEN_TOO_FREQUENT"] as const;
const withoutAgreement = eligibilityRefusals("borrow").filter((code) => code !== "ACC_AGREEMENT_UNSIGNED");

export const loanEndpoints = {
  readLoans: endpoint({
    path: "/loans/read",
    access: "member",
    does: "Read what the member may borrow, and 100 of their loans: unpaid ones first, then the newest.",
    body: z.object({}),
    data: z.object({ rule: CreditRule, borrowing: Borrowing, loans: z.array(Loan) }),
    refusals: [],
  }),
  offerLoan: endpoint({
    path: "/loans/offer",
    access: "member",
    does: "Ask for a loan: its terms are fixed for some minutes. It replaces an earlier offer that was not drawn.",
    body: z.object({ requestId: RequestId, amount: Amount, termDays: z.int() }),
    data: Loan,
    refusals: [
      "VAL_AMOUNT_EMPTY",
      ...COMMAND,
      ...withoutAgreement,
      "GEN_PARAM_ERROR",
      "FUND_LOAN_UNPAID",
      "FUND_CREDIT_SCORE_LOW",
      "FUND_LOAN_MIN",
      "FUND_LOAN_LIMIT_INSUFFICIENT",
    ],
  }),
  drawLoan: endpoint({
    path: "/loans/draw",
    access: "member",
    does: "Draw an offered loan under the signed loan agreement: the amount is in the securities wallet at once.",
    body: z.object({ requestId: RequestId, loanNo: LoanNo }),
    data: Loan,
    refusals: [
      "GEN_NOT_FOUND",
      ...COMMAND,
      "FUND_OP_IN_PROGRESS",
      ...eligibilityRefusals("borrow"),
      "FUND_LOAN_OFFER_ENDED",
      "FUND_LOAN_UNPAID",
      "FUND_CREDIT_SCORE_LOW",
      "FUND_LOAN_LIMIT_INSUFFICIENT",
    ],
  }),
  repayLoan: endpoint({
    path: "/loans/repay",
    access: "member",
    does: "Pay a loan back, in whole or in part, from the securities wallet; interest is paid first.",
    body: z.object({ requestId: RequestId, loanNo: LoanNo, amount: Amount }),
    data: Loan,
    refusals: [
      "VAL_AMOUNT_EMPTY",
      "GEN_NOT_FOUND",
      ...COMMAND,
      "FUND_OP_IN_PROGRESS",
      "FUND_REPAY_OVER_LOAN",
      "FUND_AVAILABLE_INSUFFICIENT",
    ],
  }),
};
