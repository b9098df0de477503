/** Fixture of tests of rewards: check-ins and vouchers, invited members, applications, and what the ledger says. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { ApplicationKind } from "#contract/review.ts";
import type { RewardRule } from "#contract/reward.ts";
import type { Voucher } from "#contract/voucher.ts";
import { reviewApplications } from "#server/accounts/application-review.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = (): RequestId => RequestId.parse(randomUUID());
export const STATEMENT = "I invite colleagues from my trading club";

export const checkIn = (broker: TestBroker, member: number, requestId = newId()) => broker.call("checkIn", member, { requestId });
export const redeem = (broker: TestBroker, member: number, requestId = newId()) => broker.call("redeemVoucher", member, { requestId });

/** Checks in on so many days in a row, the last of them today; the clock moves on. */
export async function checkInDays(broker: TestBroker, member: number, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    if (day > 0) broker.clock.now += DAY_MS;
    await checkIn(broker, member);
  }
}

/** Gives a member vouchers, as if they had redeemed check-ins. */
export async function giveVoucher(broker: TestBroker, member: number): Promise<Voucher> {
  await query(broker.db.kysely, "UPDATE trader SET check_ins_spent = 0 WHERE member_id = $1", [member]);
  await query(
    broker.db.kysely,
    "INSERT INTO check_in (member_id, day, at, streak) SELECT $1, day, 0, day FROM generate_series(1, 7) AS day ON CONFLICT DO NOTHING",
    [member],
  );
  return (await redeem(broker, member)).voucher;
}

export async function voucherNow(broker: TestBroker, member: number, voucherNo: string): Promise<Voucher> {
  const { items } = await broker.call("listVouchers", member, { cursor: null });
  const voucher = items.find((one) => one.voucherNo === voucherNo);
  if (!voucher) throw new Error(`there is no voucher ${voucherNo}`);
  return voucher;
}

/** A member whom another one invited. */
export async function invite(broker: TestBroker, inviter: number, depositCents = 1_000_000_000): Promise<number> {
  const member = await broker.newMember({ depositCents });
  await query(broker.db.kysely, "UPDATE member SET invited_by = $2 WHERE id = $1", [member, inviter]);
  return member;
}

export const apply = (broker: TestBroker, member: number, kind: ApplicationKind, statement = STATEMENT) =>
  broker.call(kind === "agent" ? "applyForAgent" : "applyForSeat", member, { requestId: newId(), statement });

/** Takes the next step of every application, after the reviewer's time. */
export async function review(broker: TestBroker, seconds = 11): Promise<void> {
  broker.clock.now += seconds * SECOND_MS;
  await reviewApplications({ db: broker.db, sequencer: broker.sequencer });
}

/** Makes a member an agent, or gives them a seat, through the operator's verdict. */
export async function open(broker: TestBroker, member: number, kind: ApplicationKind): Promise<void> {
  await apply(broker, member, kind);
  await query(broker.db.kysely, "UPDATE application SET verdict = 'review.approved' WHERE member_id = $1 AND kind = $2", [member, kind]);
  for (let step = 0; step < 3; step += 1) await review(broker, 0);
}

/** Gives one member a rule of their own. */
export async function setReward(broker: TestBroker, member: number | null, rule: Partial<RewardRule>): Promise<void> {
  await query(broker.db.kysely, "INSERT INTO rule (part, member_id, body) VALUES ('reward', $1, $2)", [member, JSON.stringify(rule)]);
  await broker.sequencer.rules.reload(broker.db.kysely);
}

/** What the broker took in commissions, and what it gave back as vouchers and rebates, of orders of these members; rebates accrued count. */
export async function brokersPart(
  broker: TestBroker,
  members: readonly number[],
): Promise<{ fees: number; vouchers: number; rebates: number }> {
  const [row] = await query<{ fees: number; vouchers: number; rebates: number }>(
    broker.db.kysely,
    `SELECT coalesce(sum(amount) FILTER (WHERE ledger_tx.kind = 'fee'), 0)::bigint AS fees,
       coalesce(-sum(amount) FILTER (WHERE ledger_tx.kind = 'voucher'), 0)::bigint AS vouchers,
       (SELECT coalesce(sum(rebate_cents), 0)::bigint FROM rebate WHERE member_id = ANY ($1::bigint[])) AS rebates
     FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id
     WHERE ledger_tx.member_id = ANY ($1::bigint[]) AND pocket.member_id IS NULL AND pocket.kind IN ('fees', 'rewards')`,
    [members],
  );
  return row ?? { fees: 0, vouchers: 0, rebates: 0 };
}

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
