/** Credit loans in a batch: offers, drawing and repayment, decided on what was read under the member's lock. */
import type { CreditRule } from "#contract/credit.ts";
import type { Body } from "#contract/endpoints.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { borrowingOf, isUnpaid, loanAmountRefusal, loanInterest, noLoanBecause, repaymentRefusal } from "#contract/loan.ts";
import type { LoanFactType } from "#contract/loan.ts";
import { advance } from "#machines/advance.ts";
import { loanMachine } from "#machines/loan.ts";
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { checkEligible } from "#server/kernel/check-eligible.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { offerEndOf, toLoan } from "#server/records/loan.ts";
import type { LoanRecord } from "#server/records/loan.ts";
import { toMessage } from "#server/records/message.ts";
import { valueAccounts } from "#server/trading/clearing/account-value.ts";
import { isMinorIn } from "#server/trading/sequencer/of-age.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { SharedRows } from "#server/trading/sequencer/shared-rows.ts";
import type { Venue } from "#server/venue/venue.ts";
import { readSigned } from "./agreements.ts";
import { changeScore, prepareCredit } from "./credit.ts";
import type { CreditInBatch } from "./credit.ts";

/** What decisions on a member's loans read. */
export interface LoansInBatch {
  credit: CreditInBatch;
  /** Offered, signed and unpaid ones, oldest first. */
  loans: LoanRecord[];
  /** Net assets as they were read, when this much was on its way out. */
  ownCents: number;
  payoutCents: number;
  /** Whether the loan agreement in force is signed. */
  signed: boolean;
}

const OPEN = "SELECT * FROM loan WHERE member_id = $1 AND status IN ('offered', 'signed', 'drawn', 'overdue') ORDER BY id";
const NUMBERS = "SELECT nextval('loan_no') AS loan, array(SELECT nextval('message_no') FROM generate_series(1, $1::integer)) AS messages";

/** A member's net assets, loans deducted; what is held for a withdrawal is on its way out and secures nothing. */
export async function ownAssets(on: Reader, venue: Venue, memberId: number): Promise<number> {
  const [value] = await valueAccounts(on, venue, memberId);
  const { payout } = await readBalances(on, memberId);
  return (value?.totalCents ?? 0) - payout;
}

const loansInBatch = new SharedRows<LoansInBatch>(async (tx, batch, memberId) => {
  const credit = await prepareCredit(tx, batch, memberId);
  const loans = await query<LoanRecord>(tx, OPEN, [memberId]);
  const signed = (await readSigned(tx, memberId)).some(({ kind }) => kind === "loan");
  const ownCents = await ownAssets(tx, batch.venue, memberId);
  const payoutCents = batch.ledger.balance(memberId, "payout");
  return { credit, loans, ownCents, payoutCents, signed };
});

/** Reads a member's loans once a batch; the member is locked. */
export const prepareLoans = (tx: Tx, batch: Batch, memberId: number): Promise<LoansInBatch> => loansInBatch.read(tx, batch, memberId);

/** Takes numbers that a decision may use for a new loan and its message. */
export async function takeNumbers(tx: Tx, messages: number): Promise<{ loan: number; messages: number[] }> {
  const [row] = await query<{ loan: number; messages: number[] }>(tx, NUMBERS, [messages]);
  if (!row) throw new Error("no number for a loan");
  return { loan: row.loan, messages: row.messages.map(Number) };
}

const UPSERT = `INSERT INTO loan SELECT * FROM json_populate_record(NULL::loan, $1::json)
ON CONFLICT (loan_no) DO UPDATE SET status = excluded.status, signed_at = excluded.signed_at, drawn_at = excluded.drawn_at,
  due_day = excluded.due_day, principal_cents = excluded.principal_cents, interest_cents = excluded.interest_cents,
  paid_interest_cents = excluded.paid_interest_cents, interest_day = excluded.interest_day, cent_days = excluded.cent_days,
  overdue_at = excluded.overdue_at, repaid_at = excluded.repaid_at, points = excluded.points, version = excluded.version`;

/** An inbox message of a step: its number, and the amount that moved. */
export interface Told {
  messageNo: number;
  amountCents: number;
}

/** Writes a loan, emits its fact, and keeps what the member owes on all loans up to date. */
function emitLoan(batch: Batch, loan: LoanRecord, type: LoanFactType, told: Told | null = null): void {
  const { member_id: memberId } = loan;
  loan.version += 1;
  const said = toLoan(loan, batch.rules.of(memberId).credit);
  const notice = told && { event: type, amountCents: said.amountCents, loan: said };
  if (notice && told) Object.assign(notice, { amountCents: told.amountCents });
  const message = notice && told ? { id: told.messageNo, at: batch.at, kind: "loan" as const, read: false, loan: notice } : null;
  batch.emit(memberId, { type, loan: said, ...(message ? { message: toMessage(message, null) } : {}) });
  const owed = (loansInBatch.of(batch, memberId)?.loans ?? []).reduce((sum, one) => sum + one.principal_cents + one.interest_cents, 0);
  batch.member(memberId).credit_cents = owed;
  const row = JSON.stringify(loan);
  batch.deferWrite(async (tx) => {
    await query(tx, UPSERT, [row]);
    await query(tx, "UPDATE trader SET credit_cents = $2 WHERE member_id = $1", [memberId, owed]);
    if (!message) return;
    await tx
      .insertInto("message")
      .values({ ...message, loan: JSON.stringify(message.loan), member_id: memberId, alert_id: null })
      .execute();
  });
}

/** Applies a fact. @throws Error when the machine forbids it, which is a fault */
export function stepLoan(batch: Batch, loan: LoanRecord, type: LoanFactType, told: Told | null = null): void {
  const status = advance(loanMachine, loan.status, type);
  if (!status) throw new Error(`${type} cannot happen to loan ${loan.loan_no}, which is ${loan.status}`);
  loan.status = status;
  emitLoan(batch, loan, type, told);
}

function checkMember(batch: Batch, memberId: number, signed: boolean): void {
  const { owed } = batch.ledger.debt(memberId);
  const minor = isMinorIn(batch, memberId);
  checkEligible("borrow", { ...batch.member(memberId), minor, debtCents: owed, agreements: signed ? ["loan"] : [] });
}

/** Refuses an amount that the member's score, assets and loans do not allow. */
function checkAmount(batch: Batch, memberId: number, { credit, loans, ...read }: LoansInBatch, amountCents: number): void {
  const rule = batch.rules.of(memberId).credit;
  // A withdrawal of the same batch takes its money out of what secures a loan.
  const ownCents = read.ownCents + read.payoutCents - batch.ledger.balance(memberId, "payout");
  const none = noLoanBecause(rule, credit.score, loans);
  if (none) throw new Refusal(none, {}, "amount");
  const borrowed = loans.reduce((sum, one) => sum + one.principal_cents, 0);
  const refusal = loanAmountRefusal(amountCents, rule, borrowingOf(rule, credit.score, ownCents, borrowed));
  if (refusal) throw new Refusal(refusal.code, refusal.params, "amount");
}

/** Makes an offer, which replaces the earlier one. @throws Refusal one of `offerLoan`'s */
export function offerLoan(batch: Batch, memberId: number, body: Body<"offerLoan">, read: LoansInBatch, id: number): LoanRecord {
  const rule = batch.rules.of(memberId).credit;
  checkMember(batch, memberId, true);
  if (!rule.termDays.includes(body.termDays)) throw new Refusal("GEN_PARAM_ERROR", {}, "termDays");
  checkAmount(batch, memberId, read, body.amount);
  for (const earlier of read.loans) if (!isUnpaid(earlier)) stepLoan(batch, earlier, "loan.lapsed");
  read.loans = read.loans.filter(({ status }) => status !== "lapsed");
  const loan: LoanRecord = {
    loan_no: `L${id}`,
    id,
    member_id: memberId,
    status: "offered",
    amount_cents: body.amount,
    term_days: body.termDays,
    interest_per_million: rule.interestPerMillion,
    offered_at: batch.at,
    signed_at: null,
    drawn_at: null,
    due_day: null,
    principal_cents: 0,
    interest_cents: 0,
    paid_interest_cents: 0,
    interest_day: null,
    cent_days: 0,
    overdue_at: null,
    repaid_at: null,
    points: 0,
    version: 0,
  };
  read.loans.push(loan);
  emitLoan(batch, loan, "loan.offered");
  signOffers(batch, read);
  return loan;
}

/** Once the agreement is signed, it covers the open offer. */
export function signOffers(batch: Batch, { signed, loans }: LoansInBatch): void {
  if (!signed) return;
  for (const loan of loans) {
    if (loan.status !== "offered") continue;
    loan.signed_at = batch.at;
    stepLoan(batch, loan, "loan.signed");
  }
}

/** The member has signed the loan agreement: it covers their open offer. */
export function offersSigned(memberId: number) {
  let read: LoansInBatch | null = null;
  return {
    memberIds: [memberId],
    prepare: async (tx: Tx, batch: Batch): Promise<void> => {
      read = await prepareLoans(tx, batch, memberId);
    },
    decide: (batch: Batch): void => {
      if (read) signOffers(batch, read);
    },
  };
}

/** A loan of the member that is not over. */
function loanOf(read: LoansInBatch, loanNo: string): LoanRecord {
  const loan = read.loans.find((one) => one.loan_no === loanNo);
  if (!loan) throw new Refusal("GEN_NOT_FOUND", {}, "loanNo");
  return loan;
}

/** An offer that can still be drawn. */
function offerOf(batch: Batch, read: LoansInBatch, loanNo: string): LoanRecord {
  const loan = loanOf(read, loanNo);
  const over = batch.at > offerEndOf(loan, batch.rules.of(loan.member_id).credit);
  if (over || isUnpaid(loan)) throw new Refusal("FUND_LOAN_OFFER_ENDED", {}, "loanNo");
  return loan;
}

/** Pays an offer out under the signed agreement. The day it is drawn counts as a day of interest. @throws Refusal one of `drawLoan`'s */
export function drawLoan(batch: Batch, memberId: number, loanNo: string, read: LoansInBatch, messageNo: number): LoanRecord {
  checkMember(batch, memberId, read.signed);
  const loan = offerOf(batch, read, loanNo);
  checkAmount(batch, memberId, read, loan.amount_cents);
  // The server may have been killed between the signature and this step.
  signOffers(batch, read);
  const today = taipeiDay(batch.at);
  const moves = [{ from: "loans", to: "available", amount: loan.amount_cents }] as const;
  batch.ledger.post({ memberId, kind: "loanDraw", orderNo: null, moves });
  loan.drawn_at = batch.at;
  loan.due_day = today + loan.term_days;
  loan.principal_cents = loan.amount_cents;
  loan.interest_cents = loanInterest({ interestPerMillion: loan.interest_per_million }, loan.amount_cents, 1);
  loan.interest_day = today + 1;
  stepLoan(batch, loan, "loan.drawn", { messageNo, amountCents: loan.amount_cents });
  return loan;
}

/** Adds the interest of the days up to this one. @returns whether a day was added */
export function accrueLoan(loan: LoanRecord, at: number): boolean {
  const day = taipeiDay(at);
  if (loan.interest_day === null || loan.interest_day >= day) return false;
  const days = day - loan.interest_day;
  loan.interest_cents += loanInterest({ interestPerMillion: loan.interest_per_million }, loan.principal_cents, days);
  loan.interest_day = day;
  return true;
}

/** The points of a loan repaid in time: by its size and how long it was borrowed, capped a month. */
function pointsOf(rule: CreditRule, { monthPoints }: CreditInBatch, loan: LoanRecord): number {
  if (loan.overdue_at !== null) return 0;
  return Math.max(0, Math.min(Math.floor(loan.cent_days / rule.pointCentDays), rule.monthlyPoints - monthPoints));
}

/** Takes an amount from the securities wallet for a loan whose interest is up to date: interest first. */
export function takeRepayment(batch: Batch, loan: LoanRecord, amount: number, read: LoansInBatch, told: Told | null): void {
  const { member_id: memberId } = loan;
  const interest = Math.min(amount, loan.interest_cents);
  const principal = amount - interest;
  const moves = [
    { from: "available", to: "interest", amount: interest },
    { from: "available", to: "loans", amount: principal },
  ] as const;
  batch.ledger.post({ memberId, kind: "loanRepay", orderNo: null, moves });
  loan.interest_cents -= interest;
  loan.paid_interest_cents += interest;
  loan.principal_cents -= principal;
  const drawnDay = loan.drawn_at === null ? 0 : taipeiDay(loan.drawn_at);
  loan.cent_days += principal * (taipeiDay(batch.at) - drawnDay);
  const done = loan.principal_cents + loan.interest_cents === 0;
  if (!done) return stepLoan(batch, loan, "loan.partlyRepaid", told);
  loan.repaid_at = batch.at;
  const points = pointsOf(batch.rules.of(memberId).credit, read.credit, loan);
  loan.points += changeScore(batch, memberId, points, "loanRepaid", loan.loan_no);
  stepLoan(batch, loan, "loan.repaid", told);
  read.loans = read.loans.filter((one) => one !== loan);
}

/** The member pays back. @throws Refusal one of `repayLoan`'s */
export function repayLoan(batch: Batch, memberId: number, body: Body<"repayLoan">, read: LoansInBatch, messageNo: number): LoanRecord {
  const loan = loanOf(read, body.loanNo);
  if (!isUnpaid(loan)) throw new Refusal("GEN_NOT_FOUND", {}, "loanNo");
  const days = Math.max(0, taipeiDay(batch.at) - (loan.interest_day ?? 0));
  const added = loanInterest({ interestPerMillion: loan.interest_per_million }, loan.principal_cents, days);
  const owed = loan.principal_cents + loan.interest_cents + added;
  const refusal = repaymentRefusal(body.amount, owed, batch.ledger.balance(memberId, "available"));
  if (refusal) throw new Refusal(refusal.code, refusal.params, "amount");
  accrueLoan(loan, batch.at);
  const told = body.amount === owed ? { messageNo, amountCents: body.amount } : null;
  takeRepayment(batch, loan, body.amount, read, told);
  return loan;
}
