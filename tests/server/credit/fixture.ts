/** Fixture of tests of scores and loans: a loan through its steps, days that pass, and clean books. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { CreditRule } from "#contract/credit.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import type { Loan } from "#contract/loan.ts";
import { passLoanDay } from "#server/accounts/loan-clock.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { signByHand } from "#tests/support/signature.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = (): RequestId => RequestId.parse(randomUUID());

export const offer = (broker: TestBroker, member: number, amount: number, termDays = 30): Promise<Loan> =>
  broker.call("offerLoan", member, { requestId: newId(), amount, termDays });
export const sign = (broker: TestBroker, member: number) => signByHand(broker, member, "loan");
export const draw = (broker: TestBroker, member: number, loanNo: string): Promise<Loan> =>
  broker.call("drawLoan", member, { requestId: newId(), loanNo });
export const repay = (broker: TestBroker, member: number, loanNo: string, amount: number): Promise<Loan> =>
  broker.call("repayLoan", member, { requestId: newId(), loanNo, amount });

/** Signs the agreement, and takes and draws an offer. */
export async function borrow(broker: TestBroker, member: number, amount: number, termDays = 30): Promise<Loan> {
  const { loanNo } = await offer(broker, member, amount, termDays);
  await sign(broker, member);
  return draw(broker, member, loanNo);
}

/** One loan as it is stored now. */
export async function loanNow(broker: TestBroker, member: number, loanNo: string): Promise<Loan> {
  const { loans } = await broker.call("readLoans", member, {});
  const loan = loans.find((one) => one.loanNo === loanNo);
  if (!loan) throw new Error(`there is no loan ${loanNo}`);
  return loan;
}

/** Lets days pass, each with its job. */
export async function passDays(broker: TestBroker, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    broker.clock.now += DAY_MS;
    await passLoanDay({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
  }
}

/** Gives one member a rule of their own. */
export async function setCredit(broker: TestBroker, member: number, rule: Partial<CreditRule>): Promise<void> {
  await query(broker.db.kysely, "INSERT INTO rule (part, member_id, body) VALUES ('credit', $1, $2)", [member, JSON.stringify(rule)]);
  await broker.sequencer.rules.reload(broker.db.kysely);
}

export async function setScore(broker: TestBroker, member: number, score: number): Promise<void> {
  await query(broker.db.kysely, "UPDATE member SET credit_score = $2 WHERE id = $1", [member, score]);
}

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
