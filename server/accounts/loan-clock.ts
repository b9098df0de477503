/** What each Taipei day does to loans: interest, the debit of what is due, and offers that nobody drew. */
import { HOME_CURRENCY } from "#contract/kernel/currency.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { isUnpaid } from "#contract/loan.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { startDailyJob } from "#server/kernel/daily-job.ts";
import { offerEndOf } from "#server/records/loan.ts";
import type { LoanRecord } from "#server/records/loan.ts";
import { readFutures } from "#server/trading/futures/futures-in-batch.ts";
import { marginIn } from "#server/trading/futures/margin.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { changeScore } from "./credit.ts";
import { accrueLoan, prepareLoans, stepLoan, takeNumbers, takeRepayment } from "./loan.ts";
import type { LoansInBatch } from "./loan.ts";

export interface LoanClockDeps {
  db: Database;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
  /** Reports errors; what was not done is done with the next run. */
  report?: ((error: unknown) => void) | undefined;
}

const DUE = `
SELECT DISTINCT member_id AS id FROM loan
WHERE (status IN ('drawn', 'overdue') AND (interest_day < $1 OR due_day < $1)) OR (status IN ('offered', 'signed') AND offered_at < $2)
ORDER BY member_id`;

/** Brings what a due loan needs from the other wallets into the securities wallet; the margin of open futures stays. */
function gather(batch: Batch, memberId: number, wantedCents: number): void {
  const { ledger } = batch;
  for (const from of ["profit", "futures"] as const) {
    const missing = Math.max(0, wantedCents - ledger.balance(memberId, "available"));
    const amount = Math.min(missing, from === "futures" ? marginIn(batch, memberId).freeCents : ledger.balance(memberId, from));
    if (amount === 0) continue;
    ledger.post({ memberId, kind: "transfer", orderNo: null, moves: [{ from, to: "available", amount }] });
    batch.emit(memberId, { type: "wallet.changed", kind: "transfer", currencies: [HOME_CURRENCY] });
  }
}

/** A day of one unpaid loan: interest, and after the due day whatever the wallets have. */
function passDay(batch: Batch, loan: LoanRecord, read: LoansInBatch, takeNumber: () => number): void {
  const rule = batch.rules.of(loan.member_id).credit;
  const day = taipeiDay(batch.at);
  if (accrueLoan(loan, batch.at)) stepLoan(batch, loan, "loan.accrued");
  if (loan.due_day === null || loan.due_day >= day) return;
  gather(batch, loan.member_id, loan.principal_cents + loan.interest_cents);
  const amount = Math.min(batch.ledger.balance(loan.member_id, "available"), loan.principal_cents + loan.interest_cents);
  if (amount > 0) takeRepayment(batch, loan, amount, read, { messageNo: takeNumber(), amountCents: amount });
  if (loan.status !== "drawn" || day <= loan.due_day + rule.graceDays) return;
  loan.overdue_at = batch.at;
  loan.points += changeScore(batch, loan.member_id, 0 - rule.overduePoints, "loanOverdue", loan.loan_no);
  stepLoan(batch, loan, "loan.overdue", { messageNo: takeNumber(), amountCents: loan.principal_cents + loan.interest_cents });
}

function passMember(memberId: number) {
  let read: LoansInBatch | null = null;
  let numbers: number[] = [];
  const takeNumber = (): number => {
    const number = numbers.shift();
    if (number === undefined) throw new Error("no number for a message about a loan");
    return number;
  };
  return {
    memberIds: [memberId],
    prepare: async (tx: Tx, batch: Batch): Promise<void> => {
      read = await prepareLoans(tx, batch, memberId);
      await readFutures(tx, batch, memberId);
      numbers = (await takeNumbers(tx, 2 * read.loans.length)).messages;
    },
    decide: (batch: Batch): void => {
      if (!read) return;
      const rule = batch.rules.of(memberId).credit;
      for (const loan of read.loans) {
        if (isUnpaid(loan)) passDay(batch, loan, read, takeNumber);
        else if (batch.at > offerEndOf(loan, rule)) stepLoan(batch, loan, "loan.lapsed");
      }
      read.loans = read.loans.filter(({ status }) => status !== "lapsed");
    },
  };
}

/** Brings every loan up to today. */
export async function passLoanDay({ db, sequencer, now }: LoanClockDeps): Promise<void> {
  const at = now();
  // Offers last minutes; the rule of a member is asked when it is decided.
  const members = await query<{ id: number }>(db.kysely, DUE, [taipeiDay(at), at]);
  for (const { id } of members) await sequencer.submit(passMember(id));
}

/** Now and whenever a new day has begun. @returns a function that stops it */
export function startLoanClock(deps: LoanClockDeps): Promise<() => void> {
  return startDailyJob({ run: () => passLoanDay(deps), now: deps.now, report: deps.report });
}
