/** Regular savings plans on a real broker: what is bought and when, once a month, why a month is skipped, and every refusal. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Code } from "#contract/kernel/id.ts";
import type { SavingsPlanFact } from "#contract/fact.ts";
import { isSavingsPlanFact } from "#contract/fact-kind.ts";
import { query } from "#server/db/database.ts";
import { closeAccount } from "#server/accounts/closing.ts";
import { savingsRun } from "#server/accounts/savings-run.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { decided, expectCleanBooks, newId, planNow, runsOf, startPlan, taipei } from "./fixture.ts";

const RICH = 1_000_000_000;

let broker: TestBroker;
beforeEach(async () => {
  // A Wednesday, before the open.
  broker = await openTestBroker({ clock: { now: taipei("2026-07-01 08:00") } });
  broker.venue.set(0, { bids: [[99.5, 100]], asks: [[100, 100]], last: 100, reference: 100 });
});
afterEach(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** Moves the clock to a moment of trading, and lets the monitors see a price. */
function at(text: string): void {
  broker.clock.now = taipei(text);
}

describe("a month", () => {
  it("is bought with ordinary odd-lot orders, at most 1 % above the last price, for no more than the amount with its fee", async () => {
    const member = await broker.newMember();
    const plan = await startPlan(broker, member);
    expect(plan).toMatchObject({ status: "active", day: 6, amountCents: 500_000, nextAt: taipei("2026-07-06 09:00"), orderedRuns: 0 });
    at("2026-07-06 09:00");
    const [run] = await decided(broker, member, 1);
    expect(run).toMatchObject({ planNo: plan.planNo, code: "2330", month: "2026-07", skipped: null, dueAt: plan.nextAt });
    const [order] = run?.orders ?? [];
    // 49 shares at 101 are 4,949; a fee of at least NT$1 is in the amount as well.
    expect(order).toMatchObject({
      origin: "savings",
      market: "odd",
      pricing: "limit",
      price: 1_010_000,
      lots: 49,
      status: "pending",
      validity: "rod",
    });
    const { held, available } = await readBalances(broker.db.kysely, member);
    expect(held).toBeLessThanOrEqual(500_000);
    expect(held + available).toBe(RICH);
    expect(await planNow(broker, member, plan.planNo)).toMatchObject({ orderedRuns: 1, nextAt: taipei("2026-08-06 09:00") });
    const ordered = broker.published.map(({ fact }) => fact).find((fact): fact is SavingsPlanFact => fact.type === "savingsPlan.ordered");
    expect(ordered?.message).toBeUndefined();
    broker.venue.setCall(0, { asks: [[100, 100_000]] }, true);
    broker.venue.call("odd");
    await broker.settled();
    const [after] = await runsOf(broker, member);
    expect(after?.orders).toMatchObject([{ status: "holding", filledLots: 49, openAverage: 1_000_000 }]);
  });

  it("of a large amount is bought in whole lots on the board and the rest as odd lots, within the amount", async () => {
    const member = await broker.newMember();
    await startPlan(broker, member, { amount: 260_000 });
    at("2026-07-06 09:00");
    const [run] = await decided(broker, member, 1);
    expect(run?.orders.map(({ market, lots, status, openCents }) => ({ market, lots, status, openCents }))).toEqual([
      { market: "board", lots: 2, status: "holding", openCents: 20_000_000 },
      { market: "odd", lots: 570, status: "pending", openCents: 0 },
    ]);
    const spent = RICH - (await readBalances(broker.db.kysely, member)).available;
    expect(spent).toBeLessThanOrEqual(26_000_000);
  });

  it("waits for the market, and a day without trading moves it to the next trading day", async () => {
    const member = await broker.newMember();
    const plan = await startPlan(broker, member, { day: 4 });
    // The 4th of July is a Saturday.
    expect(plan.nextAt).toBe(taipei("2026-07-06 09:00"));
    const late = await startPlan(broker, member, { day: 31 });
    expect(late.nextAt).toBe(taipei("2026-07-31 09:00"));
    broker.venue.setFresh(false);
    at("2026-07-06 09:00");
    const due = { plan_no: plan.planNo, member_id: member, code: plan.code, version: plan.version };
    await broker.sequencer.submit(savingsRun(due));
    expect(await runsOf(broker, member)).toEqual([]);
    broker.venue.setFresh(true);
    await decided(broker, member, 1);
    const { firstAt } = await broker.call("listSavingsPlans", member, {});
    // On the day itself, after its open, the day is that of the next month.
    expect([firstAt[5], firstAt[6], firstAt[30]]).toEqual(["2026-08-06 09:00", "2026-07-07 09:00", "2026-07-31 09:00"].map(taipei));
  });

  it("is decided once: looked at twice, by two clocks at once, after the member changed the day, and after a restart", async () => {
    const member = await broker.newMember();
    const plan = await startPlan(broker, member);
    const due = { plan_no: plan.planNo, member_id: member, code: plan.code, version: plan.version };
    at("2026-07-06 09:00");
    await Promise.all(Array.from({ length: 5 }, () => broker.sequencer.submit(savingsRun(due))));
    await decided(broker, member, 1);
    const later = await broker.call("changeSavingsPlan", member, { requestId: newId(), planNo: plan.planNo, amount: 6_000, day: 16 });
    expect(later.nextAt).toBe(taipei("2026-08-17 09:00"));
    await broker.stop();
    await broker.sequencer.idle();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    at("2026-07-16 09:00");
    const other = await startPlan(broker, member, { day: 17 });
    at("2026-07-17 09:00");
    expect((await decided(broker, member, 2)).map(({ planNo }) => planNo)).toEqual([other.planNo, plan.planNo]);
    at("2026-08-17 09:00");
    const runs = await decided(broker, member, 4);
    expect(runs.filter(({ planNo }) => planNo === plan.planNo).map(({ month, amountCents }) => [month, amountCents])).toEqual([
      ["2026-08", 600_000],
      ["2026-07", 500_000],
    ]);
  });

  it("that fell due while the server was off is bought late; older ones are skipped, and said so", async () => {
    const member = await broker.newMember();
    const plan = await startPlan(broker, member);
    await broker.stop();
    await broker.sequencer.idle();
    at("2026-09-10 10:00");
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    const [bought, missed] = await decided(broker, member, 2);
    expect(missed).toMatchObject({ month: "2026-07", skipped: "missed", orders: [] });
    expect(bought).toMatchObject({ month: "2026-09", skipped: null });
    expect(await planNow(broker, member, plan.planNo)).toMatchObject({
      nextAt: taipei("2026-10-06 09:00"),
      skippedRuns: 1,
      orderedRuns: 1,
    });
  });

  it("is skipped with an inbox message when money is short, and the next one is bought again", async () => {
    const member = await broker.newMember({ depositCents: 499_900 });
    const plan = await startPlan(broker, member);
    at("2026-07-06 09:00");
    expect(await decided(broker, member, 1)).toMatchObject([{ skipped: "money", orders: [] }]);
    const { items } = await broker.call("listMessages", member, { cursor: null });
    expect(items[0]).toMatchObject({
      kind: "notice",
      notice: { about: "savingsSkipped", values: { code: "2330", amount: "5,000.00", reason: "money" } },
    });
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ available: 499_900, held: 0 });
    await broker.sequencer.submit({
      memberIds: [member],
      decide: (batch) => {
        batch.ledger.deposit(member, batch.ledger.balance(member, "available"));
        batch.emit(member, { type: "wallet.changed", kind: "deposit", currencies: ["TWD"] });
      },
    });
    at("2026-08-06 09:00");
    expect(await decided(broker, member, 2)).toMatchObject([{ skipped: null, month: "2026-08" }, { skipped: "money" }]);
    expect(await planNow(broker, member, plan.planNo)).toMatchObject({ orderedRuns: 1, skippedRuns: 1, status: "active" });
  });

  it.each([
    ["restricted", "UPDATE member SET restrictions = ARRAY['tradeBarred'] WHERE id = $1"],
    ["restricted", "UPDATE trader SET max_order_cents = 100 WHERE member_id = $1"],
    ["untradable", "UPDATE savings_plan SET code = 'GONE' WHERE member_id = $1"],
    ["tooSmall", "UPDATE savings_plan SET amount_cents = 10000 WHERE member_id = $1"],
  ])("is skipped as %s", async (skipped, change) => {
    const member = await broker.newMember();
    const plan = await startPlan(broker, member);
    await query(broker.db.kysely, change, [member]);
    at("2026-07-06 09:00");
    expect(await decided(broker, member, 1)).toMatchObject([{ skipped, orders: [] }]);
    expect(await planNow(broker, member, plan.planNo)).toMatchObject({ status: "active", skippedRuns: 1 });
  });

  it("is skipped while the member owes something, and costs nothing then", async () => {
    const member = await broker.newMember();
    await startPlan(broker, member);
    await broker.sequencer.submit({
      memberIds: [member],
      decide: (batch) => {
        const amount = batch.ledger.balance(member, "available") + 500;
        batch.ledger.settle({ memberId: member, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount }]);
        batch.emit(member, { type: "wallet.changed", kind: "interest", currencies: ["TWD"] });
      },
    });
    at("2026-07-06 09:00");
    expect(await decided(broker, member, 1)).toMatchObject([{ skipped: "debt", orders: [] }]);
    expect(await readBalances(broker.db.kysely, member)).toMatchObject({ available: 0, held: 0, debt: -500 });
  });

  it("of a bad row is reported and stops nobody else's", async () => {
    const member = await broker.newMember();
    const other = await broker.newMember();
    const bad = await startPlan(broker, member);
    await startPlan(broker, other);
    // Its month is recorded already, which the clock never leaves behind.
    await query(
      broker.db.kysely,
      "INSERT INTO savings_run (plan_no, month, member_id, due_at, at, amount_cents, skipped, order_nos) VALUES ($1, '2026-07', $2, 0, 0, 1, 'missed', '{}')",
      [bad.planNo, member],
    );
    at("2026-07-06 09:00");
    expect(await decided(broker, other, 1)).toMatchObject([{ skipped: null }]);
    expect(broker.faults.length).toBeGreaterThan(0);
    expect((await broker.call("listPositions", member, {})).positions).toEqual([]);
    expect((await readBalances(broker.db.kysely, member)).held).toBe(0);
    await broker.call("endSavingsPlan", member, { requestId: newId(), planNo: bad.planNo });
    await broker.settled();
    broker.faults.length = 0;
  });
});

it("is paused, resumed, changed and ended by its member, in every order that the machine allows", async () => {
  const member = await broker.newMember();
  const { planNo } = await startPlan(broker, member);
  const paused = await broker.call("pauseSavingsPlan", member, { requestId: newId(), planNo });
  expect(paused).toMatchObject({ status: "paused", nextAt: null });
  at("2026-07-07 10:00");
  const changed = await broker.call("changeSavingsPlan", member, { requestId: newId(), planNo, amount: 8_000, day: 7 });
  expect(changed).toMatchObject({ status: "paused", nextAt: null, amountCents: 800_000, day: 7 });
  const resumed = await broker.call("resumeSavingsPlan", member, { requestId: newId(), planNo });
  // Today's open has passed: nothing is bought for it afterwards.
  expect(resumed).toMatchObject({ status: "active", nextAt: taipei("2026-08-07 09:00") });
  const ended = await broker.call("endSavingsPlan", member, { requestId: newId(), planNo });
  expect(ended).toMatchObject({ status: "ended", nextAt: null, endedAt: broker.clock.now });
  expect(await planNow(broker, member, planNo)).toEqual(ended);
  at("2026-08-07 10:00");
  await startPlan(broker, member, { day: 8 });
  at("2026-08-10 09:00");
  expect((await decided(broker, member, 1))[0]?.planNo).not.toBe(planNo);
  const types = broker.published.flatMap(({ fact }) => (isSavingsPlanFact(fact) && fact.plan.planNo === planNo ? [fact.type] : []));
  expect(types).toEqual(["started", "paused", "changed", "resumed", "ended"].map((type) => `savingsPlan.${type}`));
});

it("keeps a purchase that waits for the market when only the amount changes", async () => {
  const member = await broker.newMember();
  const plan = await startPlan(broker, member);
  broker.venue.setPhase("closed");
  at("2026-07-06 09:00");
  const changed = await broker.call("changeSavingsPlan", member, { requestId: newId(), planNo: plan.planNo, amount: 7_000, day: 6 });
  expect(changed.nextAt).toBe(plan.nextAt);
  broker.venue.setPhase("open");
  expect(await decided(broker, member, 1)).toMatchObject([{ month: "2026-07", amountCents: 700_000, skipped: null }]);
});

it("refuses at each field, and changes nothing", async () => {
  const member = await broker.newMember();
  const other = await broker.newMember();
  const unverified = await broker.newMember({ identity: "unverified" });
  const { planNo } = await startPlan(broker, member);
  const { planNo: over } = await startPlan(broker, member);
  await broker.call("endSavingsPlan", member, { requestId: newId(), planNo: over });
  const on = (no: string) => ({ requestId: newId(), planNo: no });
  const cases: [string, () => Promise<unknown>, object][] = [
    ["an index", () => startPlan(broker, member, { code: Code.parse("IX0001") }), { code: "TRD_NOT_TRADABLE", field: "code" }],
    ["a digital currency", () => startPlan(broker, member, { code: Code.parse("BTC") }), { code: "TRD_NOT_TRADABLE", field: "code" }],
    ["an unknown code", () => startPlan(broker, member, { code: Code.parse("9999") }), { code: "TRD_NOT_TRADABLE", field: "code" }],
    ["too little", () => startPlan(broker, member, { amount: 999 }), { code: "TRD_PRODUCT_MIN", params: { n: "1,000" }, field: "amount" }],
    ["too little later", () => broker.call("changeSavingsPlan", member, { ...on(planNo), amount: 1, day: 1 }), { code: "TRD_PRODUCT_MIN" }],
    ["an unverified member", () => startPlan(broker, unverified), { code: "ACC_REALNAME_REQUIRED" }],
    ["another's plan", () => broker.call("pauseSavingsPlan", other, on(planNo)), { code: "GEN_NOT_FOUND", field: "planNo" }],
    ["no plan", () => broker.call("endSavingsPlan", other, on("V999999")), { code: "GEN_NOT_FOUND", field: "planNo" }],
    ["one that runs", () => broker.call("resumeSavingsPlan", member, on(planNo)), { code: "TRD_SAVINGS_NOT_PAUSED", field: "planNo" }],
    ["one that ended", () => broker.call("endSavingsPlan", member, on(over)), { code: "TRD_SAVINGS_ENDED", field: "planNo" }],
    [
      "one that ended, changed",
      () => broker.call("changeSavingsPlan", member, { ...on(over), amount: 5_000, day: 1 }),
      { code: "TRD_SAVINGS_ENDED" },
    ],
  ];
  for (const [name, asked, refusal] of cases) expect(await refusalOf(asked()), name).toMatchObject(refusal);
  await broker.call("pauseSavingsPlan", member, on(planNo));
  expect(await refusalOf(broker.call("pauseSavingsPlan", member, on(planNo)))).toMatchObject({ code: "TRD_SAVINGS_NOT_ACTIVE" });
  broker.venue.set(1, { last: 2_000, reference: 2_000 });
  const dear = await refusalOf(startPlan(broker, member, { code: Code.parse("2603"), amount: 2_000 }));
  expect(dear).toMatchObject({ code: "TRD_PRODUCT_MIN", params: { n: "2,022" }, field: "amount" });
  broker.venue.set(1, { last: 0, reference: 0 });
  expect(await refusalOf(startPlan(broker, member, { code: Code.parse("2603") }))).toMatchObject({ code: "TRD_STOCK_PRICE_UNAVAILABLE" });
  await query(broker.db.kysely, `UPDATE rule SET body = body || '{"plans": 2}' WHERE part = 'savings'`);
  await broker.sequencer.rules.reload(broker.db.kysely);
  await startPlan(broker, member);
  expect(await refusalOf(startPlan(broker, member))).toMatchObject({ code: "GEN_LIST_FULL", params: { n: 2 } });
  expect(await runsOf(broker, member)).toEqual([]);
});

it("acts once for one request id, and two devices cannot both pause it", async () => {
  const member = await broker.newMember();
  const requestId = newId();
  const [first, again] = await Promise.all([startPlan(broker, member, { requestId }), startPlan(broker, member, { requestId })]);
  expect(again).toEqual(first);
  expect(await refusalOf(startPlan(broker, member, { requestId, day: 7 }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  expect((await broker.call("listSavingsPlans", member, {})).plans).toHaveLength(1);
  const pause = () => broker.call("pauseSavingsPlan", member, { requestId: newId(), planNo: first.planNo });
  const both = await Promise.allSettled([pause(), pause()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

it("shows a member nothing of another's plans and months", async () => {
  const [member, other] = [await broker.newMember(), await broker.newMember()];
  const { planNo } = await startPlan(broker, member);
  at("2026-07-06 09:00");
  await decided(broker, member, 1);
  expect((await broker.call("listSavingsPlans", other, {})).plans).toEqual([]);
  expect((await broker.call("listSavingsRuns", other, { planNo, cursor: null })).items).toEqual([]);
});

it("ends with its member's account, and nothing is due any more", async () => {
  const member = await broker.newMember({ depositCents: 0 });
  const { planNo } = await startPlan(broker, member);
  const { db, alerts, venue } = broker;
  const measure = { venue, rules: broker.sequencer.rules };
  await closeAccount({ ...measure, db, alerts, now: () => broker.clock.now }, { memberId: member, givesUp: false });
  const rows = await query(broker.db.kysely, "SELECT status, next_at FROM savings_plan WHERE plan_no = $1", [planNo]);
  expect(rows).toEqual([{ status: "ended", next_at: null }]);
});
