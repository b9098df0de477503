/** Fixture of tests of money in and out: rules of one member, deposits, passing time, and what the ledger says. */
import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
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

/** Submits a deposit by bank transfer. */
export function deposit(
  broker: TestBroker,
  memberId: number,
  over: Partial<{ amount: number; channelId: string; requestId: RequestId }> = {},
) {
  return broker.call("submitDeposit", memberId, { requestId: newId(), channelId: "transfer", amount: 10_000, proofId: null, ...over });
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
