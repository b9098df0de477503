/** Withdrawals on a real broker: blocks, the held money, one request id, two devices, orders and debts in between, restarts. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { minuteText } from "#contract/funding.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { withdrawalBlocks } from "#contract/withdrawal.ts";
import { prepareWithdrawal, request, withdrawalStep } from "#server/accounts/withdrawal.ts";
import type { WithdrawingInBatch } from "#server/accounts/withdrawal.ts";
import { isWorkingDay } from "#server/accounts/working-day.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { query } from "#server/db/database.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import {
  addCard,
  availableOf,
  expectCleanBooks,
  newId,
  newPayee,
  pass,
  setFundPassword,
  setFunding,
  withdraw,
  withdrawalBecomes,
  withdrawalPaid,
} from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const moneyOf = async (member: number) => {
  const { available, payout } = await readBalances(broker.db.kysely, member);
  return { available, payout };
};

it("holds the money at once, pays it once, and tells it", async () => {
  const payee = await newPayee(broker);
  const { member } = payee;
  const { withdrawalNo, usualAt, latestAt, requestedAt } = await withdraw(broker, payee, { amount: 30_000 });
  expect(usualAt - requestedAt).toBe(2 * 3_600_000);
  expect(latestAt).toBeGreaterThan(usualAt);
  expect(await moneyOf(member)).toEqual({ available: 97_000_000, payout: 3_000_000 });
  const paid = await withdrawalPaid(broker, member, withdrawalNo);
  expect(await moneyOf(member)).toEqual({ available: 97_000_000, payout: 0 });
  const flows = await broker.call("listFlows", member, { kinds: ["payoutHold", "withdrawal"], from: null, until: null, cursor: null });
  expect(flows.items.map(({ kind, amountCents, at }) => ({ kind, amountCents, at }))).toEqual([
    { kind: "withdrawal", amountCents: -3_000_000, at: paid.endedAt },
    { kind: "payoutHold", amountCents: 0, at: requestedAt },
  ]);
  const inbox = await broker.call("listMessages", member, { cursor: null });
  expect(inbox.items[0]).toMatchObject({ kind: "withdrawal", withdrawal: { withdrawalNo, status: "paid" } });
  expect((await broker.call("listWithdrawals", member, { cursor: null })).items).toEqual([paid]);
});

it("gives the money back when the member cancels in time, and not later", async () => {
  const payee = await newPayee(broker);
  const { withdrawalNo } = await withdraw(broker, payee);
  const cancelled = await broker.call("cancelWithdrawal", payee.member, { requestId: newId(), withdrawalNo });
  expect(cancelled.status).toBe("cancelled");
  expect(await moneyOf(payee.member)).toEqual({ available: 100_000_000, payout: 0 });
  expect(await refusalOf(broker.call("cancelWithdrawal", payee.member, { requestId: newId(), withdrawalNo }))).toMatchObject({
    code: "TRD_ORDER_NOT_REVIEW",
  });
  const next = await withdraw(broker, payee);
  pass(broker, 21);
  await withdrawalBecomes(broker, payee.member, next.withdrawalNo, "underReview");
  expect(
    await refusalOf(broker.call("cancelWithdrawal", payee.member, { requestId: newId(), withdrawalNo: next.withdrawalNo })),
  ).toMatchObject({ code: "TRD_ORDER_NOT_REVIEW" });
});

/** Requests a withdrawal whose fund password was proven before, so that it is queued at once. `seen` collects the batches it was read in. */
function requestNow(member: number, cardId: string, seen = new Set<Batch>()): Promise<string | null> {
  let read: WithdrawingInBatch | null = null;
  return broker.sequencer.submit({
    memberIds: [member],
    prepare: async (tx, batch) => {
      seen.add(batch);
      read = await prepareWithdrawal(tx, batch, member, cardId);
    },
    decide: (batch) => (read ? request(batch, member, { amountCents: 1_000_000, cardId, proven: true }, read).withdrawal_no : null),
  });
}

describe("in one batch with", () => {
  it("its review, a cancelled one stays cancelled, and a new one can follow", async () => {
    const payee = await newPayee(broker);
    const { member } = payee;
    const { withdrawalNo } = await withdraw(broker, payee);
    broker.clock.now += 20 * SECOND_MS;
    const [cancelled] = await Promise.all([
      broker.call("cancelWithdrawal", member, { requestId: newId(), withdrawalNo }),
      broker.sequencer.submit(withdrawalStep(member)),
      broker.sequencer.submit(withdrawalStep(member)),
    ]);
    expect(cancelled.status).toBe("cancelled");
    expect(await broker.call("readWithdrawal", member, { withdrawalNo })).toEqual(cancelled);
    expect(await moneyOf(member)).toEqual({ available: 100_000_000, payout: 0 });
    await withdraw(broker, payee);
    await expectCleanBooks(broker);
  });

  it("a second cancellation, the money returns once", async () => {
    const payee = await newPayee(broker);
    const { withdrawalNo } = await withdraw(broker, payee);
    const cancel = () => broker.call("cancelWithdrawal", payee.member, { requestId: newId(), withdrawalNo });
    const both = await Promise.allSettled([cancel(), cancel()]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await refusalOf(cancel())).toMatchObject({ code: "TRD_ORDER_NOT_REVIEW" });
    expect(await moneyOf(payee.member)).toEqual({ available: 100_000_000, payout: 0 });
  });

  it("the removal of its card, it is refused, and a card that it goes to is not removed", async () => {
    const { member, cardId } = await newPayee(broker);
    const remove = (from: number, id: string) => broker.call("removeCard", from, { requestId: newId(), cardId: id });
    expect(await Promise.allSettled([requestNow(member, cardId), remove(member, cardId)])).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "CARD_IN_USE" } },
    ]);
    const other = await newPayee(broker);
    expect(await Promise.allSettled([remove(other.member, other.cardId), requestNow(other.member, other.cardId)])).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { code: "CARD_NOT_FOUND" } },
    ]);
    expect(await moneyOf(other.member)).toMatchObject({ payout: 0 });
  });

  it("a second request, one is refused, and the commands of others stay in their batch", async () => {
    const { member, cardId } = await newPayee(broker);
    const batches = new Set<Batch>();
    const both = await Promise.allSettled([requestNow(member, cardId, batches), requestNow(member, cardId, batches)]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(both[1]).toMatchObject({ reason: { code: "FUND_WITHDRAW_PENDING" } });
    expect(batches.size).toBe(1);
    expect((await moneyOf(member)).payout).toBe(1_000_000);
  });
});

it("acts once for one request id, and once for two devices", async () => {
  const payee = await newPayee(broker);
  const requestId = newId();
  const [first, again] = await Promise.all([withdraw(broker, payee, { requestId }), withdraw(broker, payee, { requestId })]);
  expect(again).toEqual(first);
  expect((await moneyOf(payee.member)).payout).toBe(1_000_000);
  const other = await newPayee(broker);
  const both = await Promise.allSettled([withdraw(broker, other), withdraw(broker, other)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await moneyOf(other.member)).payout).toBe(1_000_000);
});

it("stores no fund password with the request", async () => {
  const payee = await newPayee(broker);
  const requestId = newId();
  await withdraw(broker, payee, { requestId });
  const [row] = await query<{ body_hash: string; answer: object }>(broker.db.kysely, "SELECT * FROM request WHERE request_id = $1", [
    requestId,
  ]);
  expect(JSON.stringify(row)).not.toContain("135790");
  // The same id with another password is the same request: the hash is not one of the password.
  expect(await refusalOf(withdraw(broker, payee, { requestId, fundPassword: "000000" }))).toMatchObject({ code: "PWD_FUND_WRONG" });
});

describe("is refused", () => {
  it("with a wrong fund password, with the tries left", async () => {
    const payee = await newPayee(broker);
    expect(await refusalOf(withdraw(broker, payee, { fundPassword: "111111" }))).toMatchObject({
      code: "PWD_FUND_WRONG",
      params: { n: 4 },
    });
  });

  it("for another member's card, and for one that does not exist", async () => {
    const payee = await newPayee(broker);
    const other = await newPayee(broker);
    expect(await refusalOf(withdraw(broker, payee, { cardId: other.cardId }))).toMatchObject({ code: "CARD_NOT_OWNED", field: "cardId" });
    expect(await refusalOf(withdraw(broker, payee, { cardId: "B999999999" }))).toMatchObject({ code: "CARD_NOT_FOUND" });
    await broker.call("removeCard", other.member, { requestId: newId(), cardId: other.cardId });
    expect(await refusalOf(withdraw(broker, payee, { cardId: other.cardId }))).toMatchObject({ code: "CARD_NOT_OWNED" });
  });

  it("below and above the rule's bounds, and beyond what is free", async () => {
    const payee = await newPayee(broker);
    expect(await refusalOf(withdraw(broker, payee, { amount: 99 }))).toMatchObject({ code: "FUND_WITHDRAW_MIN", params: { n: 100 } });
    expect(await refusalOf(withdraw(broker, payee, { amount: 5_000_001 }))).toMatchObject({
      code: "FUND_WITHDRAW_MAX",
      params: { n: 5_000_000 },
    });
    expect(await refusalOf(withdraw(broker, payee, { amount: 1_000_001 }))).toMatchObject({
      code: "FUND_WITHDRAWABLE_INSUFFICIENT",
      field: "amount",
    });
  });

  it("for a day after a new card", async () => {
    const payee = await newPayee(broker);
    await addCard(broker, payee.member);
    expect(await refusalOf(withdraw(broker, payee))).toMatchObject({ code: "FUND_WITHDRAW_SLOWED" });
    pass(broker, 24 * 3_600 + 1);
    await withdraw(broker, payee);
  });

  it("while a position is open, which the screen names, and no longer when it is closed", async () => {
    broker.venue.set(0, { last: 100, asks: [[100, 400]], bids: [[99, 400]] });
    const payee = await newPayee(broker);
    const order = await broker.place(payee.member, { price: 100 });
    const { facts } = await broker.call("readWithdrawing", payee.member, {});
    expect(facts.holdings).toEqual([{ orderNo: order.orderNo, code: "2330" }]);
    expect(withdrawalBlocks(facts).map(({ code }) => code)).toEqual(["FUND_HOLDING_BLOCKS_WITHDRAW"]);
    expect(await refusalOf(withdraw(broker, payee))).toMatchObject({ code: "FUND_HOLDING_BLOCKS_WITHDRAW" });
    await broker.close(payee.member, order.orderNo, { price: 99 });
    await withdraw(broker, payee, { amount: 100 });
  });

  it("with a debt, and with a score below the rule", async () => {
    const debtor = await newPayee(broker);
    await broker.sequencer.submit({
      memberIds: [debtor.member],
      decide: ({ ledger }) =>
        ledger.settle({ memberId: debtor.member, kind: "fee", orderNo: null, moves: [] }, [{ to: "fees", amount: 100_000_500 }]),
    });
    expect(await refusalOf(withdraw(broker, debtor))).toMatchObject({ code: "FUND_DEBT_BLOCKS_WITHDRAW", params: { n: "5.00" } });
    const unreliable = await newPayee(broker);
    await setFunding(broker, unreliable.member, { minimumScore: 81 });
    expect(await refusalOf(withdraw(broker, unreliable))).toMatchObject({ code: "FUND_CREDIT_SCORE_LOW_WITHDRAW" });
    await setFunding(broker, unreliable.member, { minimumScore: 80 });
    await withdraw(broker, unreliable);
  });

  it("at other hours, which it says, and on a day off", async () => {
    const payee = await newPayee(broker);
    const minute = (broker.clock.now - taipeiMidnight(taipeiDay(broker.clock.now))) / MINUTE_MS;
    await setFunding(broker, payee.member, { withdrawOpensMinute: Math.floor(minute) + 1, withdrawClosesMinute: 1_439 });
    expect(await refusalOf(withdraw(broker, payee))).toMatchObject({
      code: "FUND_WITHDRAW_HOURS_RANGE",
      params: { n1: minuteText(Math.floor(minute) + 1), n2: "23:59" },
    });
    pass(broker, 60);
    await withdraw(broker, payee);
    const other = await newPayee(broker);
    const today = broker.clock.now;
    while (isWorkingDay(broker.venue, broker.clock.now)) pass(broker, DAY_MS / SECOND_MS);
    expect(await refusalOf(withdraw(broker, other))).toMatchObject({ code: "FUND_WITHDRAW_HOURS" });
    broker.clock.now = today;
  });

  it("without a card, and without a fund password", async () => {
    const member = await broker.newMember();
    expect(await refusalOf(withdraw(broker, { member, cardId: "B1" }))).toMatchObject({ code: "PWD_FUND_NOT_SET" });
    await setFundPassword(broker, member);
    expect(await refusalOf(withdraw(broker, { member, cardId: "B1" }))).toMatchObject({ code: "CARD_NONE" });
  });
});

it("never takes what an order holds, and an order never what a withdrawal holds", async () => {
  const payee = await newPayee(broker, 20_000_000);
  broker.venue.set(1, { last: 100, asks: [[101, 1]], bids: [[99, 400]] });
  const placed = broker.place(payee.member, { code: "2603", price: 100, lots: 1 });
  const requested = withdraw(broker, payee, { amount: 150_000 });
  const outcomes = await Promise.allSettled([placed, requested]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const { available, held, payout } = await readBalances(broker.db.kysely, payee.member);
  expect(available + held + payout).toBe(20_000_000);
});

it("fails and gives the money back to the debt when the member comes to owe money", async () => {
  const payee = await newPayee(broker, 5_000_000);
  const { member } = payee;
  const { withdrawalNo } = await withdraw(broker, payee, { amount: 40_000 });
  await broker.sequencer.submit({
    memberIds: [member],
    decide: ({ ledger }) => ledger.settle({ memberId: member, kind: "fee", orderNo: null, moves: [] }, [{ to: "fees", amount: 1_500_000 }]),
  });
  pass(broker, 21);
  await withdrawalBecomes(broker, member, withdrawalNo, "underReview");
  pass(broker, 11);
  const failed = await withdrawalBecomes(broker, member, withdrawalNo, "failed");
  expect(failed.reason).toBe("debt");
  const { available, payout, debt } = await readBalances(broker.db.kysely, member);
  expect({ available, payout, debt: debt + 0 }).toEqual({ available: 3_500_000, payout: 0, debt: 0 });
});

it("goes on after the process was killed between hold and pay", async () => {
  const payee = await newPayee(broker);
  const { withdrawalNo } = await withdraw(broker, payee);
  await broker.stop();
  const next = await openTestBroker({ db: broker.db, clock: broker.clock, venue: broker.venue });
  await withdrawalPaid(next, payee.member, withdrawalNo);
  expect(await availableOf(next, payee.member)).toBe(99_000_000);
  expect(next.faults).toEqual([]);
  await next.stop();
});
