/** Tests copy trading's other side: a mentor's record is what anyone computes from the published fills; and every refusal. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openProfitOf, recordOf } from "#contract/mentor-record.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { CAPITAL_CENTS, expectCleanBooks, follow, follower, investor, mentor, newId, priced } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => priced(broker, 100));
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const DAY_MS = 86_400_000;
const refusal = (code: string, field?: string, params: object = {}) => ({ code, ...(field === undefined ? {} : { field }), params });

describe("a mentor's record", () => {
  it("is what anyone computes from the published fills, and agrees with the ledger", async () => {
    const one = await mentor(broker);
    const { orderNo } = await broker.place(one.member, { lots: 5 });
    broker.clock.now += 60_000;
    priced(broker, 110);
    await broker.close(one.member, orderNo, { lots: 2 });
    await broker.close(one.member, orderNo, { lots: 3 });
    const second = await broker.place(one.member, { lots: 3 });
    broker.clock.now += 60_000;
    priced(broker, 104);
    await broker.close(one.member, second.orderNo, { lots: 1 });
    const reader = await broker.newMember();
    const { items } = await broker.call("listMentorFills", reader, { mentorNo: one.mentorNo, cursor: null });
    const { mentors } = await broker.call("listMentors", reader, {});
    const told = mentors.find(({ mentorNo }) => mentorNo === one.mentorNo);
    expect(recordOf(items, CAPITAL_CENTS)).toEqual(told?.record);
    const [sum] = await query<{ profit: number }>(
      broker.db.kysely,
      `SELECT sum(profit_cents)::bigint AS profit FROM "order" WHERE member_id = $1`,
      [one.member],
    );
    expect(told?.record).toMatchObject({ closed: 1, won: 1, profitCents: sum?.profit, held: [{ code: "2330", shares: 2_000 }] });
    const cost = told?.record.held[0]?.costCents ?? 0;
    expect(openProfitOf(told?.record ?? { held: [] }, told?.prices ?? {})).toBe(20_800_000 - cost);
    // Ten per cent up, then six down on three lots: the fall from the height is in it.
    expect(told?.record.drawdownPerMillion).toBeGreaterThan(5_000);
  });
});

describe("the refusals", () => {
  it("of following", async () => {
    const one = await mentor(broker);
    const unsigned = await broker.newMember();
    await expect(follow(broker, unsigned, one)).rejects.toMatchObject({ code: "PWD_FUND_NOT_SET" });
    await query(broker.db.kysely, "UPDATE member SET fund_password_hash = 'x' WHERE id = $1", [unsigned]);
    await expect(follow(broker, unsigned, one)).rejects.toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
    const member = await investor(broker, 15_000_000);
    await expect(follow(broker, member, { ...one, mentorNo: "T999999" })).rejects.toMatchObject(refusal("GEN_NOT_FOUND", "mentorNo"));
    await expect(follow(broker, member, one, { amount: 99_999 })).rejects.toMatchObject(
      refusal("TRD_PRODUCT_MIN", "amount", { n: "100,000" }),
    );
    await expect(follow(broker, member, one)).rejects.toMatchObject(refusal("FUND_AVAILABLE_INSUFFICIENT", "amount"));
    await follow(broker, member, one, { amount: 100_000 });
    await expect(follow(broker, member, one, { amount: 100_000 })).rejects.toMatchObject(refusal("TRD_COPY_FOLLOWING", "mentorNo"));
    const other = await investor(broker);
    await query(broker.db.kysely, "UPDATE mentor SET closes_at = $2 WHERE mentor_no = $1", [one.mentorNo, broker.clock.now]);
    await expect(follow(broker, other, one)).rejects.toMatchObject(refusal("TRD_COPY_DEADLINE", "mentorNo"));
    await query(broker.db.kysely, "UPDATE mentor SET removed_at = $2 WHERE mentor_no = $1", [one.mentorNo, broker.clock.now]);
    await expect(follow(broker, other, one)).rejects.toMatchObject(refusal("TRD_COPY_REMOVED", "mentorNo"));
    expect((await broker.call("listMentors", other, {})).mentors.map(({ mentorNo }) => mentorNo)).not.toContain(one.mentorNo);
  });

  it("of a mentor who has as many followers as the rule allows", async () => {
    const one = await mentor(broker);
    await query(broker.db.kysely, "UPDATE rule SET body = body || '{\"followers\": 1}' WHERE part = 'copy'");
    await broker.sequencer.rules.reload(broker.db.kysely);
    await follower(broker, one);
    const member = await investor(broker);
    expect(await refusalOf(follow(broker, member, one))).toEqual(refusal("TRD_COPY_FULL", "mentorNo"));
    await query(broker.db.kysely, "UPDATE rule SET body = body || '{\"followers\": 1000}' WHERE part = 'copy'");
    await broker.sequencer.rules.reload(broker.db.kysely);
  });

  it("of closing the account, until following has stopped", async () => {
    const { member, copyNo } = await follower(broker, await mentor(broker));
    const open = async () => (await broker.call("readClosing", member, {})).open.map(({ what }) => what);
    await broker.call("pauseCopy", member, { requestId: newId(), copyNo });
    expect(await open()).toEqual(["copies", "money"]);
    await expect(broker.call("closeAccount", member, { current: "secret", givesUp: true })).rejects.toMatchObject(
      refusal("ACC_CLOSE_OPEN"),
    );
    await broker.call("stopCopy", member, { requestId: newId(), copyNo, keep: true });
    expect(await open()).toEqual(["money"]);
  });

  it("of pausing, resuming and stopping", async () => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one, { days: 7 });
    const on = (name: "pauseCopy" | "resumeCopy", no = copyNo) => broker.call(name, member, { requestId: newId(), copyNo: no });
    await expect(on("pauseCopy", "Y999999")).rejects.toMatchObject(refusal("GEN_NOT_FOUND", "copyNo"));
    await expect(on("resumeCopy")).rejects.toMatchObject(refusal("TRD_COPY_NOT_PAUSED", "copyNo"));
    expect((await on("pauseCopy")).status).toBe("paused");
    await expect(on("pauseCopy")).rejects.toMatchObject(refusal("TRD_COPY_NOT_ACTIVE", "copyNo"));
    const stranger = await investor(broker);
    await expect(broker.call("pauseCopy", stranger, { requestId: newId(), copyNo })).rejects.toMatchObject({ code: "GEN_NOT_FOUND" });
    await expect(broker.call("listCopyParts", stranger, { copyNo, cursor: null })).rejects.toMatchObject({ code: "GEN_NOT_FOUND" });
    broker.clock.now += 7 * DAY_MS;
    await expect(on("resumeCopy")).rejects.toMatchObject(refusal("TRD_COPY_DEADLINE", "copyNo"));
    const other = await follower(broker, one);
    await broker.call("stopCopy", other.member, { requestId: newId(), copyNo: other.copyNo, keep: true });
    await expect(broker.call("stopCopy", other.member, { requestId: newId(), copyNo: other.copyNo, keep: true })).rejects.toMatchObject(
      refusal("TRD_COPY_ENDED", "copyNo"),
    );
  });
});
