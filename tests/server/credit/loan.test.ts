/** Tests credit loans on the broker: limits, refusals at their fields, interest, repayment, the due day, and what borrowed money may not do. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { DAY_MS, MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import { withdrawalBlocks } from "#contract/withdrawal.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { signByHand } from "#tests/support/signature.ts";
import { borrow, draw, expectCleanBooks, loanNow, newId, offer, passDays, repay, setCredit, setScore, sign } from "./fixture.ts";

const START = Date.UTC(2026, 6, 1, 2, 0, 0);
/** NT$1,000,000; a score of 80 lets borrow 40 % of it. */
const OWN = 100_000_000;
/** A day of NT$100,000 at 6 %. */
const DAY_OF_100K = 1_643;

let broker: TestBroker;
let member: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.clock.now = START;
  member = await broker.newMember({ depositCents: OWN });
});
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

const available = async (id = member): Promise<number> => (await readBalances(broker.db.kysely, id)).available;
/** What the member's transactions put into a pocket of the broker. */
const house = async (kind: string): Promise<number> => {
  const [row] = await query<{ sum: number }>(
    broker.db.kysely,
    `SELECT coalesce(sum(amount), 0)::bigint AS sum FROM entry JOIN pocket ON pocket.id = pocket_id JOIN ledger_tx ON ledger_tx.id = tx_id
     WHERE pocket.member_id IS NULL AND pocket.kind = $1 AND ledger_tx.member_id = $2`,
    [kind, member],
  );
  return row?.sum ?? 0;
};

describe("a loan", () => {
  it("is paid from the broker's loans into the wallet, and leaves the account's value less a day of interest", async () => {
    const loan = await borrow(broker, member, 10_000_000, 7);
    expect(loan).toMatchObject({ status: "drawn", principalCents: 10_000_000, interestCents: DAY_OF_100K, dueDay: taipeiDay(START) + 7 });
    expect(await available()).toBe(OWN + 10_000_000);
    expect([await house("loans"), await house("interest")]).toEqual([-10_000_000, 0]);
    const overview = await broker.call("readMember", member, {});
    expect(overview).toMatchObject({ totalCents: OWN - DAY_OF_100K, borrowedCents: 10_000_000 + DAY_OF_100K });
    expect(overview.creditLimitCents).toBe(39_999_300 - 10_000_000);
  });

  it("costs interest every day, paid before the amount, exactly", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000);
    await passDays(broker, 10);
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ interestCents: 10 * DAY_OF_100K });
    expect(await repay(broker, member, loanNo, 1_000)).toMatchObject({
      principalCents: 10_000_000,
      interestCents: 10 * DAY_OF_100K - 1_000,
    });
    const part = await repay(broker, member, loanNo, 5_000_000);
    expect(part).toMatchObject({ status: "drawn", principalCents: 5_000_000 + 10 * DAY_OF_100K - 1_000, interestCents: 0 });
    expect(await house("interest")).toBe(10 * DAY_OF_100K);
    const done = await repay(broker, member, loanNo, part.principalCents);
    expect(done).toMatchObject({ status: "repaid", principalCents: 0, interestCents: 0, paidInterestCents: 10 * DAY_OF_100K });
    expect(await available()).toBe(OWN - 10 * DAY_OF_100K);
  });

  it("counts interest of days on which the server was down, and none twice", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000);
    broker.clock.now += 5 * DAY_MS;
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ interestCents: 5 * DAY_OF_100K });
    await passDays(broker, 1);
    await passDays(broker, 0);
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ interestCents: 6 * DAY_OF_100K });
  });

  it("stays in the list however many offers follow", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000);
    await query(
      broker.db.kysely,
      `INSERT INTO loan SELECT (json_populate_record(loan, json_build_object('loan_no', 'L' || n, 'id', n, 'status', 'lapsed', 'principal_cents', 0, 'interest_cents', 0))).*
       FROM loan, generate_series(9000001, 9000100) AS n WHERE loan_no = $1`,
      [loanNo],
    );
    const { loans, borrowing } = await broker.call("readLoans", member, {});
    expect([loans.length, loans[0]?.loanNo, borrowing.borrowedCents]).toEqual([100, loanNo, 10_000_000]);
  });

  it("acts once for one request id, and one offer is drawn once by two devices", async () => {
    const { loanNo } = await offer(broker, member, 10_000_000);
    await sign(broker, member);
    const requestId = newId();
    const again = () => broker.call("drawLoan", member, { requestId, loanNo });
    const [one, same] = await Promise.all([again(), again()]);
    expect(same).toEqual(one);
    expect(await refusalOf(draw(broker, member, loanNo))).toMatchObject({ code: "FUND_LOAN_OFFER_ENDED" });
    const other = await offer(broker, member, 10_000_000);
    const both = await Promise.allSettled([draw(broker, member, other.loanNo), draw(broker, member, other.loanNo)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await available()).toBe(OWN + 20_000_000);
  });

  it("is signed with the agreement, and a later offer at once", async () => {
    const { loanNo } = await offer(broker, member, 10_000_000);
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ status: "offered" });
    await sign(broker, member);
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ status: "signed" });
    expect((await broker.call("readMember", member, {})).facts.agreements).toEqual(["loan"]);
    expect(await offer(broker, member, 20_000_000)).toMatchObject({ status: "signed" });
    const told = broker.published.flatMap(({ memberId, fact }) =>
      memberId === member && fact.type.startsWith("loan.") ? [fact.type] : [],
    );
    expect(told).toEqual(["loan.offered", "loan.signed", "loan.lapsed", "loan.offered", "loan.signed"]);
  });

  it("tells the inbox when it is paid out and repaid", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000);
    await repay(broker, member, loanNo, 10_000_000 + DAY_OF_100K);
    const { items } = await broker.call("listMessages", member, { cursor: null });
    const said = items.flatMap(({ loan }) => (loan ? [[loan.event, loan.amountCents]] : []));
    expect(said).toEqual([
      ["loan.repaid", 10_000_000 + DAY_OF_100K],
      ["loan.drawn", 10_000_000],
    ]);
  });
});

describe("a loan is refused at its field", () => {
  it("below the least amount, and above the limit of score and own assets", async () => {
    expect(await refusalOf(offer(broker, member, 999_900))).toEqual({ code: "FUND_LOAN_MIN", params: { n: "10,000.00" }, field: "amount" });
    const limit = { code: "FUND_LOAN_LIMIT_INSUFFICIENT", params: { n: "400,000.00" }, field: "amount" };
    expect(await refusalOf(offer(broker, member, 40_000_100))).toEqual(limit);
    await offer(broker, member, 40_000_000);
    expect(await refusalOf(offer(broker, member, 40_000_000, 31))).toMatchObject({ code: "GEN_PARAM_ERROR", field: "termDays" });
  });

  it("when the score is too low", async () => {
    await setScore(broker, member, 59);
    expect(await refusalOf(offer(broker, member, 1_000_000))).toMatchObject({ code: "FUND_CREDIT_SCORE_LOW", field: "amount" });
    await setScore(broker, member, 60);
    expect(await refusalOf(offer(broker, member, 10_000_100))).toMatchObject({ params: { n: "100,000.00" } });
  });

  it("by what a withdrawal of the same batch takes away", async () => {
    const { loanNo } = await offer(broker, member, 40_000_000);
    await sign(broker, member);
    const [, drawn] = await Promise.allSettled([
      broker.sequencer.submit({
        memberIds: [member],
        decide: (batch) => {
          const moves = [{ from: "available", to: "payout", amount: 90_000_000 }] as const;
          batch.ledger.post({ memberId: member, kind: "payoutHold", orderNo: null, moves });
        },
      }),
      draw(broker, member, loanNo),
    ]);
    expect(drawn).toMatchObject({ status: "rejected", reason: { code: "FUND_LOAN_LIMIT_INSUFFICIENT", params: { n: "40,000.00" } } });
    // Back, for the audit.
    await broker.sequencer.submit({
      memberIds: [member],
      decide: (batch) => {
        const moves = [{ from: "payout", to: "available", amount: 90_000_000 }] as const;
        batch.ledger.post({ memberId: member, kind: "payoutRelease", orderNo: null, moves });
      },
    });
  });

  it("by loans that were drawn: what is lent never counts as own", async () => {
    await borrow(broker, member, 39_000_000);
    const refusal = await refusalOf(offer(broker, member, 1_000_000));
    expect(refusal).toMatchObject({ code: "FUND_LOAN_LIMIT_INSUFFICIENT", params: { n: "9,974.00" } });
  });

  it("without the signed agreement, after its minutes, and when another offer replaced it", async () => {
    const first = await offer(broker, member, 10_000_000);
    expect(await refusalOf(draw(broker, member, first.loanNo))).toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
    await signByHand(broker, member, "margin");
    expect(await refusalOf(draw(broker, member, first.loanNo))).toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
    const second = await offer(broker, member, 10_000_000);
    await sign(broker, member);
    expect(await refusalOf(draw(broker, member, first.loanNo))).toMatchObject({ code: "GEN_NOT_FOUND", field: "loanNo" });
    broker.clock.now += 30 * MINUTE_MS + 1;
    expect(await refusalOf(draw(broker, member, second.loanNo))).toMatchObject({ code: "FUND_LOAN_OFFER_ENDED" });
  });

  it("to another member", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000);
    const other = await broker.newMember();
    expect(await refusalOf(repay(broker, other, loanNo, 100))).toMatchObject({ code: "GEN_NOT_FOUND", field: "loanNo" });
  });

  it("when more is paid back than is owed, or than there is", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000);
    const over = await refusalOf(repay(broker, member, loanNo, 10_000_000 + DAY_OF_100K + 1));
    expect(over).toEqual({ code: "FUND_REPAY_OVER_LOAN", params: { n: "100,016.43" }, field: "amount" });
    broker.venue.set(0, { bids: [[100, 400]], asks: [[100, 400]], last: 100, reference: 100 });
    await broker.place(member, { lots: 10, price: 100 });
    const short = await refusalOf(repay(broker, member, loanNo, 10_000_000));
    expect(short).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT", field: "amount" });
  });
});

describe("after the due day", () => {
  it("the loan is debited by itself, once, and told", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000, 7);
    await passDays(broker, 7);
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ status: "drawn" });
    await passDays(broker, 1);
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ status: "repaid" });
    expect(await available()).toBe(OWN - 8 * DAY_OF_100K);
    await passDays(broker, 3);
    expect(await available()).toBe(OWN - 8 * DAY_OF_100K);
  });

  it("the other wallets pay as well: money moved away does not put it off", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000, 7);
    const amount = await available();
    await broker.call("transferFunds", member, { requestId: newId(), currency: "TWD", from: "securities", to: "profit", amount });
    await passDays(broker, 8);
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ status: "repaid" });
    expect(await available()).toBe(0);
  });

  it("what is missing becomes overdue after the days of grace: points are lost, and no new loan", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000, 7);
    broker.venue.set(0, { bids: [[100, 400]], asks: [[100, 400]], last: 100, reference: 100 });
    await broker.place(member, { lots: 10, price: 100 });
    const left = await available();
    await passDays(broker, 8);
    expect(await available()).toBe(0);
    const owed = 10_000_000 + 8 * DAY_OF_100K - left;
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ status: "drawn", principalCents: owed });
    await passDays(broker, 3);
    expect(await loanNow(broker, member, loanNo)).toMatchObject({ status: "overdue", points: -10 });
    const credit = await broker.call("readCredit", member, {});
    expect(credit).toMatchObject({ score: 70, firstScore: 80, changes: [{ points: -10, score: 70, reason: "loanOverdue", loanNo }] });
    expect(await refusalOf(offer(broker, member, 1_000_000))).toMatchObject({ code: "FUND_LOAN_UNPAID", field: "amount" });
    const { items } = await broker.call("listMessages", member, { cursor: null });
    expect(items.flatMap(({ loan }) => (loan ? [loan.event] : []))).toEqual(["loan.overdue", "loan.partlyRepaid", "loan.drawn"]);
  });
});

describe("the score", () => {
  it("starts with the rule's, and gains by size and time of a loan, capped a month", async () => {
    expect(await broker.call("readCredit", member, {})).toMatchObject({ score: 80, changes: [] });
    const short = await borrow(broker, member, 30_000_000);
    await repay(broker, member, short.loanNo, short.principalCents + short.interestCents);
    expect(await broker.call("readCredit", member, {})).toMatchObject({ score: 80, changes: [] });
    const long = await borrow(broker, member, 30_000_000);
    await passDays(broker, 20);
    const { interestCents } = await loanNow(broker, member, long.loanNo);
    await repay(broker, member, long.loanNo, 30_000_000 + interestCents);
    expect(await broker.call("readCredit", member, {})).toMatchObject({ score: 82, changes: [{ points: 2, reason: "loanRepaid" }] });
    const more = await borrow(broker, member, 39_000_000, 90);
    await passDays(broker, 10);
    await setCredit(broker, member, { pointCentDays: 1_000 });
    const owed = await loanNow(broker, member, more.loanNo);
    await repay(broker, member, more.loanNo, owed.principalCents + owed.interestCents);
    expect((await broker.call("readCredit", member, {})).changes.map(({ points }) => points)).toEqual([1, 2]);
  });
});

describe("borrowed money", () => {
  beforeEach(() => {
    broker.venue.set(0, { bids: [[100, 400]], asks: [[100, 400]], last: 100, reference: 100 });
  });

  it("buys shares, and is no collateral for leverage or a short", async () => {
    await borrow(broker, member, 40_000_000);
    await broker.place(member, { lots: 9, price: 100 });
    expect(await available()).toBeGreaterThan(40_000_000);
    const leverage = { lots: 3, price: 100, also: { funding: "leverage", leverage: 2 } };
    expect(await refusalOf(broker.place(member, leverage))).toMatchObject({ code: "FUND_LOAN_NOT_COLLATERAL", field: "lots" });
    const short = { direction: "fall", lots: 2, price: 100 } as const;
    expect(await refusalOf(broker.place(member, short))).toMatchObject({ code: "FUND_LOAN_NOT_COLLATERAL" });
    await broker.place(member, { lots: 3, price: 100 });
  });

  it("is no collateral on margin, for added margin, or for an order that is amended", async () => {
    await query(broker.db.kysely, "UPDATE trader SET margin_status = 'approved' WHERE member_id = $1", [member]);
    const refused = async (asked: Promise<unknown>) => expect(await refusalOf(asked)).toMatchObject({ code: "FUND_LOAN_NOT_COLLATERAL" });
    await broker.place(member, { lots: 6, price: 100 });
    // About NT$399,000 of the member's own money is left, and as much is borrowed.
    await borrow(broker, member, 39_000_000);
    await refused(broker.place(member, { lots: 10, price: 100, also: { funding: "margin" } }));
    const { orderNo } = await broker.place(member, { lots: 4, price: 100, also: { funding: "leverage", leverage: 2 } });
    await refused(broker.call("addMargin", member, { requestId: newId(), orderNo, amount: 199_000 }));
    const resting = await broker.place(member, { lots: 4, price: 91, also: { funding: "leverage", leverage: 2 } });
    const dearer = { requestId: newId(), orderNo: resting.orderNo, lots: null, price: price(995_000), trigger: null };
    await refused(broker.call("amendOrder", member, dearer));
    expect(await available()).toBeGreaterThan(39_000_000);
  });

  it("leaves own money free for leverage", async () => {
    await borrow(broker, member, 40_000_000);
    await broker.place(member, { lots: 9, price: 100, also: { funding: "leverage", leverage: 2 } });
    expect(await available()).toBeGreaterThan(90_000_000);
  });

  it("does not reach the futures wallet, directly or through the profit wallet", async () => {
    await borrow(broker, member, 40_000_000);
    const move = (from: "securities" | "profit", to: "futures" | "profit", amount: number) =>
      broker.call("transferFunds", member, { requestId: newId(), currency: "TWD", from, to, amount });
    expect(await refusalOf(move("securities", "futures", OWN + 100))).toMatchObject({ code: "FUND_LOAN_NOT_COLLATERAL", field: "amount" });
    await move("securities", "profit", OWN + 30_000_000);
    expect(await refusalOf(move("profit", "futures", 100))).toMatchObject({ code: "FUND_LOAN_NOT_COLLATERAL" });
  });

  it("blocks a withdrawal until it is paid back", async () => {
    const { loanNo } = await borrow(broker, member, 10_000_000);
    const blocks = async () => {
      const { facts } = await broker.call("readWithdrawing", member, {});
      return withdrawalBlocks(facts).map(({ code }) => code);
    };
    expect(await blocks()).toContain("FUND_LOAN_BLOCKS_WITHDRAW");
    await repay(broker, member, loanNo, 10_000_000 + DAY_OF_100K);
    expect(await blocks()).not.toContain("FUND_LOAN_BLOCKS_WITHDRAW");
  });
});
