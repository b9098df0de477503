/** Fixture of tests of copy trading: mentors and followers on the fake venue, the clock by hand, and checks of the ledger. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Body } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { Copy, CopyPart, CopyValuation } from "#contract/copy.ts";
import { query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { signByHand } from "#tests/support/signature.ts";
import type { TestBroker } from "#tests/support/trading.ts";

export const newId = () => RequestId.parse(randomUUID());

/** NT$1,000,000: ten lots at 100. */
export const CAPITAL_CENTS = 100_000_000;

export interface TestMentor {
  member: number;
  mentorNo: string;
}

/** A member with a mentor's row. */
export async function mentor(broker: TestBroker, over: { capitalCents?: number } = {}): Promise<TestMentor> {
  const member = await broker.newMember({ depositCents: 10_000_000_000 });
  const at = broker.clock.now;
  const [row] = await query<{ mentor_no: string }>(
    broker.db.kysely,
    `INSERT INTO mentor (mentor_no, member_id, name, capital_cents, since, acted_at)
    VALUES ('T' || nextval('mentor_no'), $1, 'Teacher', $2, $3, $3) RETURNING mentor_no`,
    [member, over.capitalCents ?? CAPITAL_CENTS, at],
  );
  if (!row) throw new Error("no mentor");
  return { member, mentorNo: row.mentor_no };
}

/** A member who has signed and set a fund password. */
export async function investor(broker: TestBroker, depositCents = 1_000_000_000): Promise<number> {
  const member = await broker.newMember({ depositCents });
  await signByHand(broker, member, "copy");
  await query(broker.db.kysely, "UPDATE member SET fund_password_hash = 'x' WHERE id = $1", [member]);
  return member;
}

/** Follows with whole NT$; by default NT$200,000, two lots at 100 of a mentor's ten. */
export function follow(
  broker: TestBroker,
  member: number,
  { mentorNo }: TestMentor,
  over: Partial<Body<"followMentor">> = {},
): Promise<Copy> {
  return broker.call("followMentor", member, { requestId: newId(), mentorNo, amount: 200_000, stopPercent: 50, days: 30, ...over });
}

/** A new follower. */
export async function follower(
  broker: TestBroker,
  one: TestMentor,
  over: Partial<Body<"followMentor">> = {},
): Promise<{ member: number; copyNo: string }> {
  const member = await investor(broker);
  return { member, copyNo: (await follow(broker, member, one, over)).copyNo };
}

/** A calm market in which much has traded, whose price can be moved. */
export function priced(broker: TestBroker, at: number, lots = 4000, row = 0): void {
  broker.venue.set(row, { bids: [[at, lots]], asks: [[at, lots]], last: at, reference: at, volume: 1_000_000 });
}

/** Lets the clock do what is due: acts, stops at a loss that has lasted, sales, ends. */
export async function passTicks(broker: TestBroker, seconds = 3): Promise<void> {
  for (let nth = 0; nth < 2; nth += 1) {
    broker.clock.now += seconds * 1_000;
    await broker.tick();
    await broker.settled();
  }
}

export const copyOrders = (broker: TestBroker, member: number): Promise<OrderRecord[]> =>
  broker.db.kysely
    .selectFrom("order")
    .selectAll()
    .where("member_id", "=", member)
    .where("origin", "=", "copy")
    .orderBy("order_no")
    .execute();

export async function read(
  broker: TestBroker,
  member: number,
  copyNo: string,
): Promise<{ copy: Copy; valuation: CopyValuation | undefined }> {
  const { copies, valuations } = await broker.call("listCopies", member, {});
  const copy = copies.find((one) => one.copyNo === copyNo);
  if (!copy) throw new Error(`no copy ${copyNo}`);
  return { copy, valuation: valuations.find((one) => one.copyNo === copyNo) };
}

/** What was copied and left out, the oldest first. */
export async function parts(broker: TestBroker, member: number, copyNo: string): Promise<CopyPart[]> {
  return (await broker.call("listCopyParts", member, { copyNo, cursor: null })).items.toReversed();
}

export async function expectCleanBooks(broker: TestBroker): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
}
