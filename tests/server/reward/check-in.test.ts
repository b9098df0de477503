/** Check-ins and vouchers on a real broker: once a Taipei day, streaks, redeeming, one order a voucher, returned unused, expiry, no free money. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { daysOfMonth, monthAfter, monthOfDay } from "#contract/check-in.ts";
import { DAY_MS, HOUR_MS, taipeiDay, taipeiMidnight } from "#contract/kernel/time.ts";
import { expireDueVouchers } from "#server/accounts/reward-clock.ts";
import { query } from "#server/db/database.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { brokersPart, checkIn, checkInDays, expectCleanBooks, giveVoucher, newId, redeem, setReward, voucherNow } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** Sets the lots offered at 100.00, and bid one below. */
const market = (asks: number): void =>
  broker.venue.set(0, { bids: [[99, 1_000]], asks: asks > 0 ? [[100, asks]] : [], last: 100, reference: 100 });
beforeEach(() => market(1_000));
const available = async (member: number): Promise<number> => (await readBalances(broker.db.kysely, member)).available;
const expire = () => expireDueVouchers({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
const factsOf = (member: number, prefix: string): string[] =>
  broker.published.flatMap(({ memberId, fact }) => (memberId === member && fact.type.startsWith(prefix) ? [fact.type] : []));
const nextMorning = (): void => {
  broker.clock.now = taipeiMidnight(taipeiDay(broker.clock.now) + 1) + 10 * HOUR_MS;
};

describe("a month", () => {
  it.each([
    ["2026-02", 28],
    ["2028-02", 29],
    ["2026-12", 31],
  ])("%s has %i days", (month, days) => {
    const { first, last } = daysOfMonth(month);
    expect(last - first + 1).toBe(days);
    expect([monthOfDay(first), monthOfDay(last), monthOfDay(last + 1)]).toEqual([month, month, monthAfter(month, 1)]);
  });
});

describe("a check-in", () => {
  it("is one a Taipei day, whatever the hour", async () => {
    const member = await broker.newMember();
    const today = taipeiDay(broker.clock.now);
    broker.clock.now = taipeiMidnight(today + 1) - 1;
    expect(await checkIn(broker, member)).toEqual({ today, checkedIn: true, streak: 1, total: 1, count: 1 });
    expect(await refusalOf(checkIn(broker, member))).toMatchObject({ code: "CHK_ALREADY" });
    broker.clock.now += 1;
    expect(await checkIn(broker, member)).toMatchObject({ today: today + 1, streak: 2, total: 2 });
    const { days, month } = await broker.call("readCheckIns", member, { month: monthOfDay(today) });
    expect(days.filter((day) => day > today - 1)).toEqual(monthOfDay(today + 1) === month ? [today, today + 1] : [today]);
    nextMorning();
  });

  it("acts once for a request id, also when two devices ask at once", async () => {
    const member = await broker.newMember();
    const requestId = newId();
    const answers = await Promise.all([checkIn(broker, member, requestId), checkIn(broker, member, requestId)]);
    expect(answers[0]).toEqual(answers[1]);
    const other = await broker.newMember();
    const both = await Promise.allSettled([checkIn(broker, other), checkIn(broker, other)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await broker.call("readCheckIns", other, { month: null })).toMatchObject({ checkIns: { total: 1 } });
  });

  it("begins a new streak after a missed day, which costs nothing else", async () => {
    const member = await broker.newMember();
    await checkInDays(broker, member, 3);
    broker.clock.now += 2 * DAY_MS;
    expect((await broker.call("readCheckIns", member, { month: null })).checkIns).toMatchObject({ streak: 0, count: 3, checkedIn: false });
    expect(await checkIn(broker, member)).toMatchObject({ streak: 1, total: 4, count: 4 });
  });

  it("needs a verified identity and an account that is not frozen", async () => {
    const stranger = await broker.newMember({ identity: "unverified" });
    expect(await refusalOf(checkIn(broker, stranger))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
    expect(await refusalOf(redeem(broker, stranger))).toMatchObject({ code: "ACC_REALNAME_REQUIRED" });
    const frozen = await broker.newMember();
    await query(broker.db.kysely, "UPDATE member SET restrictions = ARRAY['frozen'] WHERE id = $1", [frozen]);
    expect(await refusalOf(checkIn(broker, frozen))).toMatchObject({ code: "ACC_FROZEN" });
  });

  it("of a whole streak earns the points of the credit rule", async () => {
    const member = await broker.newMember();
    await query(
      broker.db.kysely,
      `INSERT INTO rule (part, member_id, body) VALUES ('credit', $1, '{"streakDays": 3, "streakPoints": 2}')`,
      [member],
    );
    await broker.sequencer.rules.reload(broker.db.kysely);
    const { score } = await broker.call("readCredit", member, {});
    await checkInDays(broker, member, 6);
    expect(await broker.call("readCredit", member, {})).toMatchObject({ score: score + 4, changes: [{ reason: "checkInStreak" }, {}] });
  });
});

describe("redeeming", () => {
  it("takes seven check-ins for a voucher of thirty days, and is refused with fewer", async () => {
    const member = await broker.newMember();
    await checkInDays(broker, member, 6);
    expect(await refusalOf(redeem(broker, member))).toMatchObject({ code: "CHK_COUNT_INSUFFICIENT" });
    broker.clock.now += DAY_MS;
    await checkIn(broker, member);
    const requestId = newId();
    const first = await redeem(broker, member, requestId);
    expect(first).toMatchObject({ voucher: { status: "available", faceCents: 2_000, paidCents: 0 }, checkIns: { total: 7, count: 0 } });
    expect(first.voucher.expiresAt).toBe(first.voucher.issuedAt + 30 * DAY_MS);
    expect(await redeem(broker, member, requestId)).toEqual(first);
    expect(await refusalOf(redeem(broker, member))).toMatchObject({ code: "CHK_COUNT_INSUFFICIENT" });
    const other = await broker.newMember();
    expect((await broker.call("listVouchers", other, { cursor: null })).items).toEqual([]);
    expect(await broker.call("nextVoucher", other, {})).toEqual({ voucher: null });
  });
});

describe("a voucher", () => {
  it("pays the fee of the next order up to its face, in the transaction of the fill", async () => {
    const member = await broker.newMember();
    const { voucherNo } = await giveVoucher(broker, member);
    const before = await available(member);
    const order = await broker.place(member);
    expect(order).toMatchObject({ status: "holding", voucherCents: 2_000 });
    expect(order.openFeeCents).toBeGreaterThan(2_000);
    expect(await available(member)).toBe(before - order.openCents - order.openFeeCents + 2_000);
    expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "used", orderNo: order.orderNo, paidCents: 2_000 });
    const { items } = await broker.call("listFlows", member, { kinds: ["voucher"], from: null, until: null, cursor: null });
    expect(items).toMatchObject([{ kind: "voucher", amountCents: 2_000, orderNo: order.orderNo }]);
    expect(await brokersPart(broker, [member])).toMatchObject({ fees: order.openFeeCents, vouchers: 2_000 });
    expect(factsOf(member, "voucher.")).toEqual(["voucher.issued", "voucher.reserved", "voucher.used"]);
    // The next order pays its own fee, and so does the close.
    expect(await broker.place(member)).not.toHaveProperty("voucherCents");
    await broker.close(member, order.orderNo);
    expect((await brokersPart(broker, [member])).vouchers).toBe(2_000);
  });

  it("never pays more than the fee of a tiny order", async () => {
    const member = await broker.newMember();
    const { voucherNo } = await giveVoucher(broker, member);
    const { orderNo } = await broker.place(member, { lots: 1, price: 100, also: { market: "odd" } });
    expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "reserved", orderNo });
    broker.venue.setCall(0, { asks: [[99, 1]], anchor: 99 }, true);
    broker.venue.call("odd", [0]);
    await broker.settled();
    const { order } = await broker.call("readOrder", member, { orderNo });
    expect(order).toMatchObject({ status: "holding", openFeeCents: 100, voucherCents: 100 });
    expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "used", paidCents: 100 });
    expect(await brokersPart(broker, [member])).toMatchObject({ fees: 100, vouchers: 100 });
  });

  it("comes back from an order that ends without a fill, and the next order uses it", async () => {
    const member = await broker.newMember();
    const { voucherNo } = await giveVoucher(broker, member);
    const waiting = await broker.place(member, { price: 91 });
    expect(waiting).toMatchObject({ status: "pending", voucherLeftCents: 2_000 });
    expect(await broker.call("nextVoucher", member, {})).toEqual({ voucher: null });
    const cancelled = await broker.cancel(member, waiting.orderNo);
    expect(cancelled).not.toHaveProperty("voucherLeftCents");
    expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "available", orderNo: null, paidCents: 0 });
    expect(await broker.place(member)).toMatchObject({ voucherCents: 2_000 });
    expect(factsOf(member, "voucher.").slice(1)).toEqual(["voucher.reserved", "voucher.returned", "voucher.reserved", "voucher.used"]);
  });

  it("is used once by an order with partial fills", async () => {
    const member = await broker.newMember();
    await setReward(broker, member, { voucherCents: 1_000_000 as never });
    const { voucherNo } = await giveVoucher(broker, member);
    market(3);
    const { orderNo } = await broker.place(member, { lots: 8, price: 100 });
    market(2);
    await broker.settled();
    const { order } = await broker.call("readOrder", member, { orderNo });
    expect(order).toMatchObject({ status: "pending", filledLots: 5, voucherCents: order.openFeeCents });
    expect(order.voucherLeftCents).toBe(1_000_000 - order.openFeeCents);
    const reduced = await broker.cancel(member, order.orderNo);
    expect(reduced).toMatchObject({ status: "holding", voucherCents: order.openFeeCents });
    expect(reduced).not.toHaveProperty("voucherLeftCents");
    expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "used", paidCents: order.openFeeCents });
    expect(await broker.place(member)).not.toHaveProperty("voucherCents");
  });

  it("that expires first is used first, and two orders of one moment use two", async () => {
    const member = await broker.newMember();
    const first = await giveVoucher(broker, member);
    broker.clock.now += DAY_MS;
    const second = await giveVoucher(broker, member);
    expect(await broker.call("nextVoucher", member, {})).toMatchObject({ voucher: { voucherNo: first.voucherNo } });
    const placed = await Promise.all([1, 2, 3].map(() => broker.place(member)));
    expect(placed.map(({ voucherCents }) => voucherCents)).toEqual([2_000, 2_000, undefined]);
    for (const { voucherNo } of [first, second]) expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "used" });
  });

  it("expires by the clock with one message, and is not used after that", async () => {
    const member = await broker.newMember();
    const { voucherNo, expiresAt } = await giveVoucher(broker, member);
    broker.clock.now = expiresAt;
    expect(await broker.place(member)).not.toHaveProperty("voucherCents");
    await Promise.all([expire(), expire()]);
    expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "expired" });
    const { items } = await broker.call("listMessages", member, { cursor: null });
    expect(items.filter(({ kind }) => kind === "notice")).toMatchObject([{ notice: { about: "voucherExpired", values: { count: "1" } } }]);
  });

  it("that an order reserved in time is still paid after its last day", async () => {
    const member = await broker.newMember();
    const { voucherNo, expiresAt } = await giveVoucher(broker, member);
    const waiting = await broker.place(member, { price: 91 });
    broker.clock.now = expiresAt + HOUR_MS;
    await expire();
    expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "reserved" });
    // Returned after its last day, it expires.
    await broker.cancel(member, waiting.orderNo);
    await expire();
    expect(await voucherNow(broker, member, voucherNo)).toMatchObject({ status: "expired" });
  });
});
