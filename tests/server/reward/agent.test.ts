/** Agents and seats on a real broker: applied for once, reviewed, rebates at each fill, paid once a month, masked lists, and a seat's commission. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { discountPerMillion, rebateOf } from "#contract/agent.ts";
import { monthAfter } from "#contract/check-in.ts";
import { DAY_MS, taipeiMonth } from "#contract/kernel/time.ts";
import type { ReviewReason } from "#contract/review.ts";
import { decideApplication } from "#server/accounts/application-review.ts";
import { payRebates } from "#server/accounts/rebate-payment.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { inPairs } from "#tests/support/in-pairs.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { apply, expectCleanBooks, giveVoucher, invite, newId, open, review } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
  // The tests take each step themselves.
  await broker.stop();
});
beforeEach(() => broker.venue.set(0, { bids: [[99, 10_000]], asks: [[100, 10_000]], last: 100, reference: 100 }));
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const pay = (sequencer: Pick<Sequencer, "submit"> = broker.sequencer) =>
  payRebates({ db: broker.db, sequencer, now: () => broker.clock.now });

/** Two runs of the job whose commands come in pairs, each pair in one batch. */
async function payTwiceAtOnce(): Promise<void> {
  const sequencer = inPairs(broker.sequencer);
  await Promise.all([pay(sequencer), pay(sequencer)]);
}

const profitOf = async (member: number): Promise<number> => (await readBalances(broker.db.kysely, member)).profit;
const agentOf = (member: number) => broker.call("readAgent", member, {});
const nextMonth = (): void => {
  const month = taipeiMonth(broker.clock.now);
  while (taipeiMonth(broker.clock.now) === month) broker.clock.now += DAY_MS;
};
const noticesOf = async (member: number): Promise<(string | undefined)[]> =>
  (await broker.call("listMessages", member, { cursor: null })).items
    .filter(({ kind }) => kind === "notice")
    .map(({ notice }) => notice?.about);

describe("the rebate of a commission", () => {
  it.each([
    [10_000, 200_000, 0, 2_000],
    [10_001, 200_000, 0, 2_000],
    [0, 200_000, 0, 0],
    [-500, 200_000, 0, 0],
    // With the discount it stays below the whole commission.
    [10_000, 200_000, 900_000, 999],
    [10_000, 2_000_000, 0, 9_999],
    [10_000, 200_000, 1_000_000, 0],
  ])("%i cents at %i per million and a discount of %i is %i", (net, part, discount, rebate) => {
    expect(rebateOf(net, part, discount)).toBe(rebate);
  });
  it("knows the discount of a fee", () => {
    expect([
      discountPerMillion(1_425, 1_425),
      discountPerMillion(1_425, 855),
      discountPerMillion(1_425, 2_000),
      discountPerMillion(0, 5),
    ]).toEqual([0, 400_000, 0, 0]);
  });
});

describe("an application", () => {
  it("is decided by the reviewer after a while, opens what was asked for, and is made once", async () => {
    const member = await broker.newMember();
    const requestId = newId();
    const body = { requestId, statement: "I invite my colleagues" };
    const applied = await broker.call("applyForAgent", member, body);
    expect(applied).toMatchObject({ kind: "agent", status: "pendingReview", reason: null });
    expect(await broker.call("applyForAgent", member, body)).toEqual(applied);
    expect(await refusalOf(apply(broker, member, "agent"))).toMatchObject({ code: "ACC_APPLICATION_EXISTS" });
    await review(broker, 5);
    expect((await agentOf(member)).application?.status).toBe("pendingReview");
    await review(broker, 6);
    for (const status of ["approved", "processing", "success"]) {
      expect(await agentOf(member)).toMatchObject({ application: { status }, isAgent: status === "success" });
      await review(broker, 0);
    }
    expect(await noticesOf(member)).toEqual(["agentSuccess"]);
    expect(await refusalOf(apply(broker, member, "agent"))).toMatchObject({ code: "ACC_APPLICATION_EXISTS" });
  });

  it("of both kinds stands at once, and only one of two devices applies", async () => {
    const member = await broker.newMember();
    await apply(broker, member, "agent");
    const both = await Promise.allSettled([apply(broker, member, "seat"), apply(broker, member, "seat")]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await broker.call("readSeat", member, {})).application).toMatchObject({ kind: "seat", status: "pendingReview" });
  });

  it("needs a verified identity", async () => {
    const member = await broker.newMember({ identity: "unverified" });
    expect(await refusalOf(apply(broker, member, "agent"))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
    expect((await agentOf(member)).code).toBeNull();
  });

  it.each<[ReviewReason, "agent" | "seat", string]>([
    ["minor", "agent", "UPDATE member SET birth_date = '2012-01-01' WHERE id = $1"],
    ["score", "agent", "UPDATE member SET credit_score = 59 WHERE id = $1"],
    ["score", "seat", "UPDATE member SET credit_score = 69 WHERE id = $1"],
    ["orders", "seat", "UPDATE member SET credit_score = 70 WHERE id = $1"],
    ["restricted", "seat", "UPDATE member SET restrictions = ARRAY['frozen'] WHERE id = $1"],
  ])("is rejected: %s of a %s; then it may be made again", async (reason, kind, sql) => {
    const member = await broker.newMember();
    await apply(broker, member, kind);
    await query(broker.db.kysely, sql, [member]);
    await review(broker);
    const read = kind === "agent" ? await agentOf(member) : await broker.call("readSeat", member, {});
    expect(read.application).toMatchObject({ status: "rejected", reason });
    await query(broker.db.kysely, "UPDATE member SET restrictions = '{}' WHERE id = $1", [member]);
    expect(await apply(broker, member, kind)).toMatchObject({ status: "pendingReview" });
    await review(broker);
  });

  it("of who owes money is rejected", async () => {
    const member = await broker.newMember({ depositCents: 0 });
    await broker.sequencer.submit({
      memberIds: [member],
      decide: ({ ledger }) =>
        ledger.post({ memberId: member, kind: "fee", orderNo: null, moves: [{ from: "debt", to: "fees", amount: 300_000 }] }),
    });
    await apply(broker, member, "agent");
    await review(broker);
    expect((await agentOf(member)).application).toMatchObject({ status: "rejected", reason: "owed" });
  });

  it("that says too little is returned, answered and reviewed again", async () => {
    const member = await broker.newMember();
    expect(await refusalOf(broker.call("answerReview", member, { requestId: newId(), kind: "agent", statement: "More" }))).toMatchObject({
      code: "GEN_NOT_FOUND",
    });
    await apply(broker, member, "agent", "aaaaaaaaaaaaaaaaaaaaa");
    await review(broker);
    expect((await agentOf(member)).application).toMatchObject({ status: "waiting", reason: "statement" });
    expect(await refusalOf(apply(broker, member, "agent"))).toMatchObject({ code: "ACC_APPLICATION_EXISTS" });
    const answered = await broker.call("answerReview", member, { requestId: newId(), kind: "agent", statement: "I invite my colleagues" });
    expect(answered).toMatchObject({ status: "pendingReview", reason: null, statement: "I invite my colleagues" });
    await review(broker);
    expect((await agentOf(member)).application?.status).toBe("approved");
  });

  it("follows the operator's verdict, with a note to the member", async () => {
    const member = await broker.newMember();
    const { kysely } = broker.db;
    const { applicationNo } = await apply(broker, member, "seat");
    expect(await decideApplication(kysely, { applicationNo, verdict: "review.returned", note: "Which stocks?" })).toBe(true);
    await review(broker, 0);
    const seatOf = async () => (await broker.call("readSeat", member, {})).application;
    expect(await seatOf()).toMatchObject({ status: "waiting", reason: "operator", note: "Which stocks?" });
    expect(await decideApplication(kysely, { applicationNo, verdict: "review.approved", note: null })).toBe(false);
    expect(await decideApplication(kysely, { applicationNo, verdict: "review.rejected", note: null })).toBe(true);
    await review(broker, 0);
    expect(await seatOf()).toMatchObject({ status: "rejected", reason: "operator" });
    expect(await noticesOf(member)).toEqual(["seatRejected", "seatWaiting"]);
  });
});

describe("an agent", () => {
  it("gets a part of the commissions of directly invited members, net of vouchers, at each fill", async () => {
    const agent = await broker.newMember();
    const invited = await invite(broker, agent);
    // Before the approval nothing is accrued.
    await broker.place(invited);
    await open(broker, agent, "agent");
    expect(await agentOf(agent)).toMatchObject({ isAgent: true, invited: 1, accruedCents: 0 });
    const second = await invite(broker, invited);
    const own = await broker.place(agent);
    const indirect = await broker.place(second);
    expect(own.openFeeCents).toBe(indirect.openFeeCents);
    expect((await agentOf(agent)).accruedCents).toBe(0);
    await giveVoucher(broker, invited);
    const order = await broker.place(invited, { lots: 2 });
    const closed = await broker.close(invited, order.orderNo, { lots: 2 });
    const net = order.openFeeCents - 2_000 + closed.closeFeeCents;
    expect(await agentOf(agent)).toMatchObject({ accruedCents: net / 5, paidCents: 0 });
    const { items } = await broker.call("listInvited", agent, { cursor: null });
    expect(items).toMatchObject([{ commissionCents: net, rebateCents: net / 5, verified: true, name: "王*明" }]);
    expect(items[0]?.memberNo).toMatch(/^.{2}\*{4}.{2}$/);
    expect((await broker.call("listInvited", invited, { cursor: null })).items).toHaveLength(1);
  });

  it("is paid each month once, into the profit wallet, and sees a statement", async () => {
    const agent = await broker.newMember();
    const invited = await invite(broker, agent);
    await open(broker, agent, "agent");
    const month = taipeiMonth(broker.clock.now);
    const { openFeeCents: fee } = await broker.place(invited, { lots: 3 });
    await pay();
    expect(await profitOf(agent)).toBe(0);
    nextMonth();
    await payTwiceAtOnce();
    await pay();
    expect(await profitOf(agent)).toBe(fee / 5);
    expect(await agentOf(agent)).toMatchObject({ accruedCents: 0, paidCents: fee / 5 });
    const { items } = await broker.call("listRebates", agent, { cursor: null });
    expect(items).toEqual([{ month, commissionCents: fee, rebateCents: fee / 5, paidAt: broker.clock.now }]);
    const lines = await broker.call("listRebateLines", agent, { month, cursor: null });
    expect(lines.items).toMatchObject([{ commissionCents: fee, rebateCents: fee / 5 }]);
    expect((await broker.call("listRebateLines", invited, { month, cursor: null })).items).toEqual([]);
    expect((await broker.call("listRebateLines", agent, { month: monthAfter(month, -1), cursor: null })).items).toEqual([]);
    const flows = await broker.call("listFlows", agent, { kinds: ["rebate"], from: null, until: null, cursor: null });
    expect(flows.items).toMatchObject([{ kind: "rebate", amountCents: fee / 5 }]);
    expect(await noticesOf(agent)).toEqual(["rebatePaid", "agentSuccess"]);
  });

  it("whose account is restricted is paid when the restriction is lifted", async () => {
    const agent = await broker.newMember();
    const invited = await invite(broker, agent);
    await open(broker, agent, "agent");
    const { openFeeCents: fee } = await broker.place(invited);
    await query(broker.db.kysely, "UPDATE member SET restrictions = ARRAY['frozen'] WHERE id = $1", [agent]);
    nextMonth();
    await broker.place(invited);
    nextMonth();
    await pay();
    expect(await profitOf(agent)).toBe(0);
    expect((await broker.call("listRebates", agent, { cursor: null })).items).toMatchObject([{ paidAt: null }, { paidAt: null }]);
    await query(broker.db.kysely, "UPDATE member SET restrictions = '{}' WHERE id = $1", [agent]);
    await pay();
    expect(await profitOf(agent)).toBe(2 * Math.floor(fee / 5));
    expect(await agentOf(agent)).toMatchObject({ accruedCents: 0, paidCents: 2 * Math.floor(fee / 5) });
  });

  it("gets nothing for a commission that became a debt", async () => {
    const agent = await broker.newMember();
    const invited = await invite(broker, agent, 200_000_00);
    await open(broker, agent, "agent");
    const order = await broker.place(invited, { direction: "fall" });
    const before = (await agentOf(agent)).accruedCents;
    expect(before).toBe(order.openFeeCents / 5);
    // The short loses more than its collateral: the fee of its close cannot be paid.
    broker.venue.set(0, { bids: [[399, 10_000]], asks: [[400, 10_000]], last: 400, reference: 400 });
    await broker.close(invited, order.orderNo);
    expect((await readBalances(broker.db.kysely, invited)).debt).toBeLessThan(0);
    expect((await agentOf(agent)).accruedCents).toBe(before);
  });
});

describe("a seat", () => {
  it("lowers the commission of orders placed after it was opened, and of the rebate with it", async () => {
    const agent = await broker.newMember();
    const member = await invite(broker, agent);
    await open(broker, agent, "agent");
    for (let nth = 0; nth < 5; nth += 1) await broker.place(member);
    const accrued = (await agentOf(agent)).accruedCents;
    await apply(broker, member, "seat");
    await review(broker);
    await review(broker, 0);
    const before = await broker.place(member, { lots: 2 });
    await review(broker, 0);
    expect(await broker.call("readSeat", member, {})).toMatchObject({
      application: { status: "success" },
      feePerMillion: 855,
      listPerMillion: 1_425,
    });
    const after = await broker.place(member, { lots: 2 });
    expect([before.openFeeCents, after.openFeeCents]).toEqual([28_500, 17_100]);
    expect((await agentOf(agent)).accruedCents - accrued).toBe((28_500 + 17_100) / 5);
    expect(await refusalOf(apply(broker, member, "seat"))).toMatchObject({ code: "ACC_SEAT_EXISTS" });
  });

  it("keeps a better commission that the operator gave before", async () => {
    const member = await broker.newMember();
    await query(broker.db.kysely, `INSERT INTO rule (part, member_id, body) VALUES ('trade', $1, '{"feePerMillion": 500}')`, [member]);
    await open(broker, member, "seat");
    expect((await broker.call("readSeat", member, {})).feePerMillion).toBe(500);
  });
});
