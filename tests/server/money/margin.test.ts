/** Tests the margin account: application and review, and margin calls that are issued, met, missed and executed, each with its fact. */
import { signByHand } from "#tests/support/signature.ts";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MarginAccount } from "#contract/margin.ts";
import type { RequestId } from "#contract/kernel/id.ts";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { reviewApplications } from "#server/trading/risk/margin-review.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { orderBecomes, eventually, newTrader, orderOf, pass, place, expectConsistentBooks } from "./fixture.ts";

const DEPOSIT = 100_000_000;
/** The digital currency has no daily limits, so its price can be set freely. */
const MOVING = 7;

let broker: TestBroker;
let memberId: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  memberId = await newTrader(broker, DEPOSIT);
  market(100);
});
afterAll(() => broker.shut());

function market(at: number, lots = 1_000): void {
  broker.venue.set(MOVING, { bids: lots > 0 ? [[at, lots]] : [], asks: lots > 0 ? [[at, lots]] : [], last: at, reference: at });
}

const read = async (id = memberId): Promise<MarginAccount> => (await broker.call("readMargin", id, {})).account;
const applyUnsigned = (id: number, requestId = randomUUID()) =>
  broker.call("applyMargin", id, { requestId: requestId as RequestId, agreed: true });
async function apply(id: number, requestId = randomUUID()) {
  await signByHand(broker, id, "margin");
  return applyUnsigned(id, requestId);
}
const withdraw = (id: number) => broker.call("withdrawMargin", id, { requestId: randomUUID() as RequestId });
const pay = (amount: number, requestId = randomUUID()) => broker.call("payMargin", memberId, { requestId: requestId as RequestId, amount });
const factTypes = (id = memberId): string[] =>
  broker.published.filter((one) => one.memberId === id && one.fact.type.startsWith("margin.")).map((one) => one.fact.type);
const review = () => reviewApplications({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
const stands = (what: Partial<MarginAccount>): Promise<void> => eventually(async () => expect(await read()).toMatchObject(what));
const callIs = (status: string): Promise<void> => eventually(async () => expect((await read()).call?.status).toBe(status));
/** A long of 1,000,000 with a loan of 600,000. */
const buy = () => place(broker, memberId, { code: "2454", funding: "margin", lots: 10 });

describe("an application", () => {
  it("is approved after its review for an account that is old enough and in good standing", async () => {
    const id = await broker.newMember();
    pass(broker, 91);
    expect(await apply(id)).toMatchObject({ status: "pendingReview", appliedAt: broker.clock.now, approvedAt: null });
    await review();
    expect((await read(id)).status).toBe("pendingReview");
    broker.clock.now += 10 * SECOND_MS;
    await review();
    expect(await read(id)).toMatchObject({ status: "approved", approvedAt: broker.clock.now });
    expect(factTypes(id)).toEqual(["margin.applied", "margin.approved"]);
    expect(await refusalOf(apply(id))).toMatchObject({ code: "TRD_MARGIN_ENABLED" });
    expect(await refusalOf(withdraw(id))).toMatchObject({ code: "TRD_ORDER_NOT_REVIEW" });
  });

  it("of a young account is rejected, and can be repeated", async () => {
    const id = await broker.newMember();
    await apply(id);
    broker.clock.now += 10 * SECOND_MS;
    await review();
    expect((await read(id)).status).toBe("rejected");
    expect((await apply(id)).status).toBe("pendingReview");
    expect(await refusalOf(apply(id))).toMatchObject({ code: "FUND_ORDER_UNDER_REVIEW" });
  });

  it("can be withdrawn while under review, and is then not decided", async () => {
    const id = await broker.newMember();
    expect(await refusalOf(withdraw(id))).toMatchObject({ code: "TRD_ORDER_NOT_REVIEW" });
    await apply(id);
    expect(await withdraw(id)).toMatchObject({ status: "none", appliedAt: null });
    broker.clock.now += 10 * SECOND_MS;
    await review();
    expect((await read(id)).status).toBe("none");
    expect(factTypes(id)).toEqual(["margin.applied", "margin.withdrawn"]);
  });

  it("is decided by the operator at once", async () => {
    const id = await broker.newMember();
    await apply(id);
    await query(broker.db.kysely, "UPDATE trader SET margin_verdict = 'approved' WHERE member_id = $1", [id]);
    await review();
    expect((await read(id)).status).toBe("approved");
  });

  it("needs a verified member, and is applied once", async () => {
    const unverified = await broker.newMember({ identity: "unverified" });
    expect(await refusalOf(applyUnsigned(unverified))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
    const id = await broker.newMember();
    expect(await refusalOf(applyUnsigned(id))).toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
    const requestId = randomUUID();
    const answers = await Promise.all([apply(id, requestId), apply(id, requestId)]);
    expect(answers[1]).toEqual(answers[0]);
    expect(factTypes(id)).toEqual(["margin.applied"]);
  });
});

describe("a position worth less than its loan", () => {
  it.each([
    ["pays later", 1_000, 2],
    ["takes a part of it now", 5, 0],
  ])("is not reversed at the broker's loss when the market %s", async (_, lots, settlementDays) => {
    memberId = await newTrader(broker, 90_200_000);
    const { orderNo, terms } = await buy();
    await broker.db.kysely
      .updateTable("order")
      .set({ terms: { ...terms, settlementDays } })
      .where("order_no", "=", orderNo)
      .execute();
    market(50, lots);
    // Enough for the price fall of 450,000 with costs, but not for the 100,000 of the loan that the sale does not cover.
    const reversed = broker.call("reverseOrder", memberId, { requestId: randomUUID() as RequestId, orderNo });
    expect(await refusalOf(reversed)).toEqual({ code: "FUND_AVAILABLE_INSUFFICIENT", params: {}, field: "orderNo" });
  });
});

describe("a margin call", () => {
  it("is issued when the ratio falls below the call line, requires the amount that reaches the clearing line, and is cleared by paying it", async () => {
    await buy();
    expect(await read()).toMatchObject({ loanCents: 60_000_000, ratioBasisPoints: 16_666, call: null });
    market(78);
    await broker.settled();
    expect((await read()).call).toBeNull();
    expect((await read()).ratioBasisPoints).toBe(13_000);
    market(77);
    await callIs("due");
    const { call } = await read();
    // 166 % of 600,000 are 996,000; the assets are 770,000.
    expect(call).toMatchObject({ requiredCents: 22_600_000, paidCents: 0, endedAt: null });
    const { items } = await broker.call("listMessages", memberId, { cursor: null });
    expect(items[0]).toMatchObject({ kind: "marginCall", read: false, alert: null, call: { status: "due", requiredCents: 22_600_000 } });
    const fact = broker.published.findLast((one) => one.memberId === memberId && one.fact.type === "margin.called")?.fact;
    expect(fact).toMatchObject({ message: items[0] });
    expect(await pay(226_000)).toMatchObject({ addedCents: 22_600_000, ratioBasisPoints: 16_600, call: null });
    const { calls } = await broker.call("readMargin", memberId, {});
    expect(calls).toMatchObject([{ status: "cleared", paidCents: 22_600_000, endedAt: broker.clock.now }]);
    expect(factTypes()).toEqual(["margin.called", "margin.paid", "margin.cleared"]);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("is paused while the account has recovered but not enough, and resumes when it falls again", async () => {
    await buy();
    market(77);
    await callIs("due");
    market(90);
    await callIs("paused");
    market(75);
    await callIs("due");
    market(100);
    await stands({ call: null });
    expect(factTypes()).toEqual(["margin.called", "margin.recovered", "margin.fell", "margin.cleared"]);
  });

  it("can be paid in parts, and the deposit is returned once nothing is owed", async () => {
    const order = await buy();
    market(77);
    await callIs("due");
    const before = (await readBalances(broker.db.kysely, memberId)).available;
    expect(await pay(10_000)).toMatchObject({ addedCents: 1_000_000, call: { status: "paused", paidCents: 1_000_000 } });
    expect(await pay(5_000)).toMatchObject({ addedCents: 1_500_000, call: { status: "paused", paidCents: 1_500_000 } });
    expect((await readBalances(broker.db.kysely, memberId)).available).toBe(before - 1_500_000);
    await broker.close(memberId, order.orderNo, { lots: 10 });
    await stands({ addedCents: 0 as never, call: null, ratioBasisPoints: null, loanCents: 0 as never });
    expect((await readBalances(broker.db.kysely, memberId)).margin).toBe(0);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("that is missed makes the broker sell one position after the other", async () => {
    const first = await buy();
    const second = await buy();
    market(73);
    await callIs("due");
    pass(broker, 10);
    market(73);
    await orderBecomes(broker, first.orderNo, { status: "closed", close_cause: "marginCall", loan_cents: 0 });
    await orderBecomes(broker, second.orderNo, { status: "closed", close_cause: "marginCall", loan_cents: 0 });
    await eventually(async () => expect(factTypes()).toEqual(["margin.called", "margin.overdue", "margin.liquidated"]));
    const { account, calls } = await broker.call("readMargin", memberId, {});
    expect(account).toMatchObject({ call: null, ratioBasisPoints: null });
    expect(calls).toMatchObject([{ status: "liquidated" }]);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("that is missed is not executed while the account has recovered", async () => {
    const order = await buy();
    market(77, 0);
    await callIs("due");
    pass(broker, 10);
    market(77, 0);
    await callIs("overdue");
    await orderBecomes(broker, order.orderNo, { status: "readyToClose", close_cause: "marginCall" });
    await broker.cancel(memberId, order.orderNo);
    market(90, 0);
    await callIs("paused");
    market(90, 100);
    await broker.settled();
    expect((await orderOf(broker, order.orderNo)).status).toBe("holding");
  });

  it("covers the shortfall of a sale from the deposited margin before anything else", async () => {
    const order = await buy();
    market(77);
    await callIs("due");
    const { available } = await readBalances(broker.db.kysely, memberId);
    // The member deposits all remaining money, which covers the shortfall of the sale.
    await pay(Math.floor(available / 100));
    market(15);
    await callIs("due");
    pass(broker, 10);
    market(15);
    await orderBecomes(broker, order.orderNo, { status: "closed" });
    await eventually(async () => expect((await readBalances(broker.db.kysely, memberId)).margin).toBe(0));
    const [short] = await query<{ n: number }>(
      broker.db.kysely,
      `SELECT count(*)::integer AS n FROM entry JOIN pocket ON pocket.id = pocket_id JOIN ledger_tx ON ledger_tx.id = tx_id
       WHERE pocket.kind = 'shortfall' AND ledger_tx.member_id = $1`,
      [memberId],
    );
    expect(short?.n).toBe(0);
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("values a short by its collateral and the cost of buying it back", async () => {
    await place(broker, memberId, { code: "2454", direction: "fall", funding: "margin", lots: 5 });
    // The proceeds of 500,000 plus 90 %, over 500,000.
    expect((await read()).ratioBasisPoints).toBe(19_000);
    market(146);
    await broker.settled();
    expect((await read()).call).toBeNull();
    market(147);
    await callIs("due");
  });

  it("survives a restart, and its deadline can pass meanwhile", async () => {
    const order = await buy();
    market(77);
    await callIs("due");
    await broker.stop();
    pass(broker, 10);
    const again = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    broker = again;
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "marginCall" });
  });

  it("refuses payments that are not due, too high, or of another member", async () => {
    expect(await refusalOf(pay(1))).toMatchObject({ code: "TRD_ORDER_NOT_PAYMENT" });
    const other = await broker.newMember();
    expect(await refusalOf(broker.call("payMargin", other, { requestId: randomUUID() as RequestId, amount: 1 }))).toMatchObject({
      code: "TRD_MARGIN_DISABLED",
    });
    await buy();
    market(77);
    await callIs("due");
    expect(await refusalOf(pay(1_000_000_000))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT", field: "amount" });
    const requestId = randomUUID();
    await Promise.all([pay(100, requestId), pay(100, requestId)]);
    expect((await read()).addedCents).toBe(10_000);
    expect(await refusalOf(pay(101, requestId))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  });
});

describe("a cash short", () => {
  const short = () => place(broker, memberId, { code: "2454", direction: "fall", lots: 5 });

  it("gets margin calls like a margin short without a margin account, and they can be paid", async () => {
    memberId = await broker.newMember({ depositCents: DEPOSIT });
    await short();
    expect(await read()).toMatchObject({ status: "none", ratioBasisPoints: 19_000, call: null });
    market(146);
    await broker.settled();
    expect((await read()).call).toBeNull();
    market(147);
    await callIs("due");
    const { call } = await read();
    // 166 % of 735,000 are 1,220,100; the collateral is 950,000.
    expect(call?.requiredCents).toBe(27_010_000);
    expect((await broker.call("listMessages", memberId, { cursor: null })).items[0]).toMatchObject({ kind: "marginCall" });
    expect(await pay(270_100)).toMatchObject({ ratioBasisPoints: 16_600, call: null });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("is closed at once below the liquidation line, even within the grace period of its call", async () => {
    memberId = await broker.newMember({ depositCents: DEPOSIT });
    const order = await short();
    market(158);
    await callIs("due");
    expect((await orderOf(broker, order.orderNo)).status).toBe("holding");
    market(159);
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "marginCall" });
    await eventually(async () => expect(factTypes()).toEqual(["margin.called", "margin.overdue", "margin.liquidated"]));
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("is closed when its call was not met in time", async () => {
    const order = await short();
    market(147);
    await callIs("due");
    pass(broker, 10);
    market(147);
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "marginCall" });
  });

  it("that was open at start-up is watched from then on", async () => {
    const order = await short();
    await broker.stop();
    market(159);
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "marginCall" });
  });

  it("with leverage has its own liquidation price and does not count towards the account", async () => {
    await place(broker, memberId, { code: "2454", direction: "fall", funding: "leverage", leverage: 2, lots: 5 });
    expect((await read()).ratioBasisPoints).toBeNull();
  });
});

describe("a liquidated account", () => {
  it("does not wait for a halted position while another can be sold", async () => {
    broker.venue.set(0, { bids: [[100, 100]], asks: [[100, 100]], last: 100, reference: 100 });
    const halted = await place(broker, memberId, { code: "2330", funding: "margin", lots: 2 });
    const order = await buy();
    broker.venue.setMatching(0, "none");
    market(66);
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "marginCall" });
    expect((await orderOf(broker, halted.orderNo)).status).toBe("holding");
    broker.venue.setMatching(0, null);
  });

  it("below the liquidation line does not wait for a sale that the market does not take", async () => {
    broker.venue.set(1, { bids: [[100, 100]], asks: [[100, 100]], last: 100, reference: 100 });
    const first = await buy();
    const second = await place(broker, memberId, { code: "2603", funding: "margin", lots: 1 });
    market(66, 0);
    await orderBecomes(broker, first.orderNo, { status: "readyToClose", close_cause: "marginCall" });
    await orderBecomes(broker, second.orderNo, { status: "closed", close_cause: "marginCall" });
  });
});
