/** Tests that the margin of open futures pays their own losses only, that a debt is no way to keep them, and what they count for in an account's value and today's loss. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { settleDue } from "#server/trading/clearing/settle-due.ts";
import { borrow, passDays, setCredit, setScore } from "#tests/server/credit/fixture.ts";
import { eventually } from "#tests/server/money/fixture.ts";
import { openOption, optionPosition, optionTrader, series } from "#tests/server/options/fixture.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { contract, expectCleanBooks, INDEX, index, move, nextDay, position, trade, trader, TX, wallet } from "./fixture.ts";

const { initialCents: MARGIN } = TX;
const FREE = 5_000_000;
/** The row of a share that is sold for debts. */
const SHARE = 0;

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => {
  broker.venue.setPhase("open");
  broker.venue.setFresh(true);
  broker.venue.setExDividend(INDEX, 0);
  broker.venue.set(SHARE, { last: 100, reference: 100, bids: [[100, 10_000]], asks: [[100, 10_000]] });
  index(broker, 20_000, 20_000);
});
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

const of = (member: number) => readBalances(broker.db.kysely, member);

/** Charges a member more than the securities wallet has. */
const charge = (member: number, beyondCents: number): Promise<void> =>
  broker.sequencer.submit({
    memberIds: [member],
    decide: (batch) => {
      const amount = batch.ledger.balance(member, "available") + beyondCents;
      batch.ledger.settle({ memberId: member, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount }]);
      batch.emit(member, { type: "wallet.changed", kind: "transfer", currencies: ["TWD"] });
    },
  });

/** Lets days pass, after which trades are settled. */
async function settle(days: number): Promise<void> {
  broker.clock.now += days * DAY_MS;
  await settleDue({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
}

/** Holds a lot with its margin and `FREE` beside it. */
async function holder(): Promise<{ member: number; no: string }> {
  const member = await trader(broker);
  const { position: held } = await trade(broker, member, "buy", 1, { contract: await contract(broker, member, "TX", 2) });
  await move(broker, member, "securities", (await wallet(broker, member)) - MARGIN - FREE - 500_000);
  // The spread is not gained back, so that it is no free money either.
  const { account } = await broker.call("readFutures", member, {});
  await move(broker, member, "securities", account.freeCents - FREE);
  return { member, no: held.positionNo };
}

describe("a debt of another kind", () => {
  it("is paid by what is no margin, and gains that are not paid are none of it", async () => {
    const { member, no } = await holder();
    await broker.place(member, { code: "2330", price: 100, lots: 1 });
    broker.venue.set(SHARE, { bids: [], asks: [], last: 100 });
    index(broker, 20_400);
    const before = await wallet(broker, member);
    await charge(member, 3 * FREE);
    const after = await of(member);
    expect(after.futures).toBe(MARGIN);
    expect(after.debt).toBe(before - MARGIN - 3 * FREE);
    // A share could pay it as soon as it is bid for.
    broker.venue.set(SHARE, { bids: [[100, 10_000]], asks: [], last: 100 });
    await eventually(async () => expect(await of(member)).toMatchObject({ debt: 0, futures: MARGIN }));
    expect(await position(broker, member, no)).toMatchObject({ status: "open" });
  });

  it("closes futures once nothing else can be sold for it, the smallest that pays it", async () => {
    const { member, no } = await holder();
    await move(broker, member, "futures", 40_000_000);
    const { position: small } = await trade(broker, member, "sell", 2, { contract: await contract(broker, member, "TMF") });
    const { account } = await broker.call("readFutures", member, {});
    await move(broker, member, "securities", account.freeCents);
    await charge(member, 2_000_000);
    expect(await of(member)).toMatchObject({ debt: -2_000_000 });
    await broker.tick();
    expect(await position(broker, member, small.positionNo)).toMatchObject({ status: "liquidated" });
    expect(await position(broker, member, no)).toMatchObject({ status: "open" });
    expect(await of(member)).toMatchObject({ debt: 0 });
    expect(await wallet(broker, member)).toBeGreaterThanOrEqual(MARGIN);
    await charge(member, 20_000_000);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "liquidated" });
    expect(await of(member)).toMatchObject({ debt: 0 });
  });

  it("closes the option that frees enough, not the one whose margin is mostly what buying it back costs", async () => {
    const member = await optionTrader(broker);
    const deep = await openOption(broker, member, (await series(broker, member, "call", -10)).code, "sell", 1);
    const far = await openOption(broker, member, (await series(broker, member, "put", -10)).code, "sell", 3);
    const { account } = await broker.call("readFutures", member, {});
    await move(broker, member, "securities", account.freeCents);
    await charge(member, 9_000_000);
    expect(await of(member)).toMatchObject({ debt: -9_000_000 });
    await broker.tick();
    expect(await optionPosition(broker, member, far.position.positionNo)).toMatchObject({ status: "liquidated" });
    expect(await optionPosition(broker, member, deep.position.positionNo)).toMatchObject({ status: "open" });
    expect(await of(member)).toMatchObject({ debt: 0 });
  });

  it("leaves futures alone where money that settles pays it", async () => {
    const { member, no } = await holder();
    await query(broker.db.kysely, `INSERT INTO rule (part, member_id, body) VALUES ('trade', $1, '{"settlementDays": 2}')`, [member]);
    await broker.sequencer.rules.reload(broker.db.kysely);
    const bought = await broker.place(member, { code: "2330", price: 100, lots: 1 });
    await settle(3);
    await broker.close(member, bought.orderNo, { price: 100, lots: 1 });
    await charge(member, FREE + 2_000_000);
    const { debt, unsettled } = await of(member);
    expect(debt).toBeLessThan(0);
    expect(unsettled).toBeGreaterThan(0 - debt);
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "open" });
    await settle(3);
    expect(await of(member)).toMatchObject({ debt: 0 });
    await broker.tick();
    expect(await position(broker, member, no)).toMatchObject({ status: "open" });
  });

  it("such as a loan that is due takes no margin either", async () => {
    const { member } = await holder();
    await setScore(broker, member, 90);
    await setCredit(broker, member, { termDays: [1], graceDays: 30 });
    await borrow(broker, member, 2 * FREE, 1);
    await charge(member, -100);
    await passDays(broker, 2);
    const { account } = await broker.call("readFutures", member, {});
    expect(account).toMatchObject({ equityCents: MARGIN, freeCents: 0 });
    expect(await of(member)).toMatchObject({ available: 0, debt: 0 });
  });
});

it("losses beyond the wallet keep as much of other money from being withdrawn, and a call what it asks for", async () => {
  const { member } = await holder();
  const withdrawable = async () => (await broker.call("readWithdrawing", member, {})).facts.withdrawableCents;
  const { available } = await of(member);
  expect(await withdrawable()).toBe(available);
  // At its limit the contract cannot be closed.
  index(broker, 17_900);
  await broker.tick();
  const { account } = await broker.call("readFutures", member, {});
  expect(account.equityCents).toBeLessThan(0);
  expect(await withdrawable()).toBe(available + account.equityCents);
  await nextDay(broker, 19_200);
  const { account: called } = await broker.call("readFutures", member, {});
  expect(called.called).toBe(true);
  expect(await withdrawable()).toBe(available - called.neededCents);
});

describe("the value of an account", () => {
  it("has what futures have gained and not been paid, as the equity curve has, and a settlement changes nothing", async () => {
    const member = await trader(broker);
    const code = await contract(broker, member);
    const before = await broker.call("readMember", member, {});
    await trade(broker, member, "buy", 2, { contract: code });
    index(broker, 20_300);
    const { account, held } = await broker.call("readFutures", member, {});
    const unpaid = account.equityCents - account.walletCents;
    expect(held[0]?.gainCents).toBe(unpaid);
    expect(unpaid).toBeGreaterThan(10_000_000);
    const now = await broker.call("readMember", member, {});
    expect(now).toMatchObject({ futuresCents: unpaid, totalCents: now.availableCents + now.walletsCents + unpaid });
    const made = now.totalCents - before.totalCents;
    expect(now).toMatchObject({ todayProfitCents: made, futuresTodayCents: made, currentProfitCents: 0 });
    expect((await broker.call("readCurve", member, { span: "day" })).points.at(-1)).toMatchObject({ totalCents: now.totalCents });
    // Closing pays what was counted, less the spread and its charges.
    const closed = await trade(broker, member, "sell", 1, { contract: code });
    const paid = (closed.trades[0]?.gainCents ?? 0) - (closed.trades[0]?.feeCents ?? 0) - (closed.trades[0]?.taxCents ?? 0);
    const half = await broker.call("readMember", member, {});
    expect(half.futuresTodayCents).toBe(made + paid - unpaid / 2);
    expect(half.totalCents - before.totalCents).toBe(half.futuresTodayCents);
    await nextDay(broker, 20_300);
    const next = await broker.call("readMember", member, {});
    // The basis may have moved by a point.
    expect(Math.abs(next.totalCents - half.totalCents)).toBeLessThanOrEqual(20_000);
    expect(Math.abs(next.futuresTodayCents)).toBeLessThanOrEqual(20_000);
    await trade(broker, member, "sell", 1, { contract: code });
  });

  it("and today's loss are those of the market's day, also where a calendar day has many", async () => {
    const member = await trader(broker);
    const limit = 20_000_000;
    await broker.call("setRisk", member, { maxOrderCents: null, dailyLossCents: limit, slideAboveCents: null });
    const code = await contract(broker, member, "TX", 1);
    await trade(broker, member, "buy", 1, { contract: code });
    index(broker, 21_000);
    await trade(broker, member, "sell", 1, { contract: code });
    await trade(broker, member, "buy", 1, { contract: code });
    // Another day begins within the calendar day: what was gained before it hides no loss of this one.
    const session = async (close: number): Promise<void> => {
      index(broker, close, close);
      broker.venue.setFeeDay(broker.venue.feeDay(broker.clock.now) + 1);
      await broker.settled();
    };
    await session(21_000);
    expect((await broker.call("readMember", member, {})).futuresTodayCents).toBe(0);
    index(broker, 19_900);
    expect((await broker.call("readRisk", member, {})).lossCents).toBeGreaterThanOrEqual(limit);
    expect(await refusalOf(trade(broker, member, "buy", 1, { contract: code }))).toMatchObject({ code: "RSK_DAILY_LOSS" });
    // Realised it counts to the end of the day, and not in the next.
    await trade(broker, member, "sell", 1, { contract: code });
    expect(await refusalOf(trade(broker, member, "buy", 1, { contract: code }))).toMatchObject({ code: "RSK_DAILY_LOSS" });
    await session(19_900);
    expect((await broker.call("readRisk", member, {})).lossCents).toBe(0);
    await trade(broker, member, "buy", 1, { contract: code });
    await trade(broker, member, "sell", 1, { contract: code });
  });

  it("and today's loss count for the daily limit, of shares and of futures", async () => {
    const member = await trader(broker);
    const limit = 20_000_000;
    await broker.call("setRisk", member, { maxOrderCents: null, dailyLossCents: limit, slideAboveCents: null });
    const code = await contract(broker, member);
    await trade(broker, member, "buy", 1, { contract: code });
    index(broker, 19_100);
    expect((await broker.call("readRisk", member, {})).lossCents).toBeLessThan(limit);
    await broker.place(member, { code: "2330", price: 95, lots: 1 });
    index(broker, 19_000);
    expect((await broker.call("readRisk", member, {})).lossCents).toBeGreaterThanOrEqual(limit);
    expect(await refusalOf(trade(broker, member, "buy", 1, { contract: code }))).toMatchObject({ code: "RSK_DAILY_LOSS" });
    expect(await refusalOf(broker.place(member, { code: "2330", price: 95, lots: 1 }))).toMatchObject({ code: "RSK_DAILY_LOSS" });
    // Realised it is still a loss, and closing is never refused.
    await trade(broker, member, "sell", 1, { contract: code });
    index(broker, 20_000);
    expect(await refusalOf(trade(broker, member, "buy", 1, { contract: code }))).toMatchObject({ code: "RSK_DAILY_LOSS" });
    // The next day it is not today's.
    await nextDay(broker, 20_000);
    expect((await broker.call("readRisk", member, {})).lossCents).toBe(0);
    await trade(broker, member, "buy", 1, { contract: code });
    await trade(broker, member, "sell", 1, { contract: code });
  });
});
