/** Fixture of tests of money in and out: rules of one member, deposits, passing time, and what the ledger says. */
import { randomBytes, randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { expect, vi } from "vitest";
import type { Body } from "#contract/endpoints.ts";
import type { Withdrawal, WithdrawalStatus } from "#contract/withdrawal.ts";
import type { Deposit, DepositStatus } from "#contract/deposit.ts";
import type { FundingRule } from "#contract/funding.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());

/** Gives one member a rule of their own. */
export async function setFunding(broker: TestBroker, memberId: number, rule: Partial<FundingRule>): Promise<void> {
  await query(broker.db.kysely, "INSERT INTO rule (part, member_id, body) VALUES ('funding', $1, $2)", [memberId, JSON.stringify(rule)]);
  await broker.sequencer.rules.reload(broker.db.kysely);
}

/** Stores a proof of the member's own that no other deposit has. */
export const newProof = (broker: TestBroker, memberId: number): Promise<string> =>
  broker.photos.put(memberId, { content: randomBytes(64), width: 600, height: 800 });

/** Submits a deposit by bank transfer, with a proof of its own. */
export async function deposit(broker: TestBroker, memberId: number, over: Partial<Body<"submitDeposit">> = {}): Promise<Deposit> {
  const proofId = over.proofId === undefined ? await newProof(broker, memberId) : over.proofId;
  const body = { requestId: newId(), channelId: "transfer", amount: 10_000, channelPassword: null, ...over, proofId };
  return broker.call("submitDeposit", memberId, body);
}

/** Lets seconds pass. */
export function pass(broker: TestBroker, seconds: number): void {
  broker.clock.now += seconds * SECOND_MS;
}

/** Waits until a deposit has this status. */
export async function depositBecomes(broker: TestBroker, memberId: number, depositNo: string, status: DepositStatus): Promise<Deposit> {
  return vi.waitFor(
    async () => {
      const now = await broker.call("readDeposit", memberId, { depositNo });
      expect(now.status).toBe(status);
      return now;
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** Takes a deposit through to the member's money. */
export async function depositCredited(broker: TestBroker, memberId: number, amount: number): Promise<Deposit> {
  const { depositNo } = await deposit(broker, memberId, { amount });
  pass(broker, 6);
  await depositBecomes(broker, memberId, depositNo, "processing");
  pass(broker, 4);
  return depositBecomes(broker, memberId, depositNo, "credited");
}

/** A member's free money in cents. */
export async function availableOf(broker: TestBroker, memberId: number): Promise<number> {
  return (await readBalances(broker.db.kysely, memberId)).available;
}

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}

/** The fund password of every member that `newPayee` makes. */
export const FUND_PASSWORD = "135790";
const FUND_HASH = await hash(FUND_PASSWORD);
let numbers = 1_000_000_000;

/** Sets a member's fund password long ago. */
export async function setFundPassword(broker: TestBroker, memberId: number): Promise<void> {
  await query(broker.db.kysely, "UPDATE member SET fund_password_hash = $2 WHERE id = $1", [memberId, FUND_HASH]);
}

/** Adds a card with a number of its own. */
export function addCard(broker: TestBroker, memberId: number, over: Partial<Body<"addCard">> = {}) {
  numbers += 1;
  const card = { bankCode: "004", branch: "台北分行", branchCode: "0037", cardNumber: String(numbers), fundPassword: FUND_PASSWORD };
  return broker.call("addCard", memberId, { requestId: newId(), ...card, ...over });
}

export interface Payee {
  member: number;
  cardId: string;
}

/** A member who may withdraw at once: with a fund password, and a card that is no longer new. */
export async function newPayee(broker: TestBroker, depositCents = 100_000_000): Promise<Payee> {
  const member = await broker.newMember({ depositCents });
  await setFundPassword(broker, member);
  const { cardId } = await addCard(broker, member);
  await query(broker.db.kysely, "UPDATE bank_card SET added_at = 0 WHERE member_id = $1", [member]);
  return { member, cardId };
}

export function withdraw(broker: TestBroker, { member, cardId }: Payee, over: Partial<Body<"requestWithdrawal">> = {}) {
  return broker.call("requestWithdrawal", member, { requestId: newId(), amount: 10_000, cardId, fundPassword: FUND_PASSWORD, ...over });
}

/** Waits until a withdrawal has this status. */
export async function withdrawalBecomes(
  broker: TestBroker,
  member: number,
  withdrawalNo: string,
  status: WithdrawalStatus,
): Promise<Withdrawal> {
  return vi.waitFor(
    async () => {
      const now = await broker.call("readWithdrawal", member, { withdrawalNo });
      expect(now.status).toBe(status);
      return now;
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** Takes a requested withdrawal through to the bank. */
export async function withdrawalPaid(broker: TestBroker, member: number, withdrawalNo: string): Promise<Withdrawal> {
  pass(broker, 21);
  await withdrawalBecomes(broker, member, withdrawalNo, "underReview");
  pass(broker, 11);
  await withdrawalBecomes(broker, member, withdrawalNo, "processing");
  pass(broker, 11);
  return withdrawalBecomes(broker, member, withdrawalNo, "paid");
}
