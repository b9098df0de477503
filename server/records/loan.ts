/** Credit loan: the table row and its conversion to the contract's type. */
import { cents } from "#contract/kernel/money.ts";
import { MINUTE_MS, epochMs } from "#contract/kernel/time.ts";
import type { CreditRule } from "#contract/credit.ts";
import type { Loan, LoanStatus } from "#contract/loan.ts";

export interface LoanRecord {
  loan_no: string;
  id: number;
  member_id: number;
  status: LoanStatus;
  amount_cents: number;
  term_days: number;
  interest_per_million: number;
  offered_at: number;
  signed_at: number | null;
  drawn_at: number | null;
  due_day: number | null;
  principal_cents: number;
  interest_cents: number;
  paid_interest_cents: number;
  interest_day: number | null;
  cent_days: number;
  overdue_at: number | null;
  repaid_at: number | null;
  points: number;
  version: number;
}

/** Until when an offer can be drawn. */
export const offerEndOf = ({ offered_at }: Pick<LoanRecord, "offered_at">, { offerMinutes }: Pick<CreditRule, "offerMinutes">): number =>
  offered_at + offerMinutes * MINUTE_MS;

const timeOf = (at: number | null) => (at === null ? null : epochMs(at));

export function toLoan(row: LoanRecord, rule: Pick<CreditRule, "offerMinutes">): Loan {
  return {
    loanNo: row.loan_no,
    status: row.status,
    amountCents: cents(row.amount_cents),
    termDays: row.term_days,
    interestPerMillion: row.interest_per_million,
    offeredAt: epochMs(row.offered_at),
    offerEndsAt: epochMs(offerEndOf(row, rule)),
    drawnAt: timeOf(row.drawn_at),
    dueDay: row.due_day,
    principalCents: cents(row.principal_cents),
    interestCents: cents(row.interest_cents),
    paidInterestCents: cents(row.paid_interest_cents),
    repaidAt: timeOf(row.repaid_at),
    points: row.points,
    version: row.version,
  };
}
