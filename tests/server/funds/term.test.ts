/** The end of a fund with a term on a real broker: who is told, what is redeemed at which value, what else ends with it, and crashes in between. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isOrderFact } from "#contract/fact-kind.ts";
import { Code, RequestId } from "#contract/kernel/id.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { HOUR_MS, epochMs } from "#contract/kernel/time.ts";
import type { Message } from "#contract/message.ts";
import { query } from "#server/db/database.ts";
import { RaiseClock } from "#server/offerings/raise-clock.ts";
import { HOURS, openOfferings } from "#tests/server/offerings/fixture.ts";
import type { OfferingBroker } from "#tests/server/offerings/fixture.ts";
import { orderOf } from "#tests/server/money/fixture.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { expectCleanBooks, moneyOf, newSubscriber, openFund, planNow, reaches, stakeIs, startPlan, subscribe } from "./fixture.ts";

const RICH = 1_000_000_000;
/** One lot of 1,000 units at 12.00, and what it is redeemed at. */
const LOT = 1_200_000;
const VALUE = 1_265_000;
/** Hours from the announcement to the notice, the last close and the end. */
const END = { notice: 8, last: 9, matures: 10 };

let broker: OfferingBroker;
beforeEach(async () => {
  broker = await openOfferings();
});
afterEach(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

interface Held {
  member: number;
  code: string;
  stakeNo: string;
  orderNo: OrderNo;
  row: number;
}

/** Members who each hold five lots of a fund that is listed, and ends later. */
async function holding(count: number): Promise<Held[]> {
  const members: number[] = [];
  for (let nth = 0; nth < count; nth += 1) members.push(await newSubscriber(broker));
  const [first = 0] = members;
  const began = broker.clock.now;
  const at = (hours: number) => epochMs(began + hours * HOUR_MS);
  const fund = { distributions: 0, yieldPerMillion: 0, indexCode: null };
  const ends = { maturesAt: at(END.matures), lastTradedAt: at(END.last), noticeAt: at(END.notice) };
  const code = await openFund(broker, first, { fund: { ...fund, ...ends } });
  const instrument = broker.venue.instrument(code);
  if (!instrument) throw new Error(`no ${code}`);
  instrument.tradesUntil = ends.maturesAt;
  const stakes = await Promise.all(members.map((member) => subscribe(broker, member, code)));
  broker.pass(HOURS.listed - HOURS.opens);
  expect(await reaches(broker, first, code, "listed")).toMatchObject({ maturesAt: ends.maturesAt, lastTradedAt: ends.lastTradedAt });
  broker.venue.set(instrument.row, { bids: [[12.3, 1]], asks: [[12.5, 100]], last: 12.4, reference: 12.65 });
  const held: Held[] = [];
  for (const [nth, { stakeNo }] of stakes.entries()) {
    const member = members[nth] ?? 0;
    const { orderNo } = await stakeIs(broker, member, stakeNo, { status: "inProgress" });
    if (orderNo === null) throw new Error("no position");
    held.push({ member, code, stakeNo, orderNo, row: instrument.row });
  }
  return held;
}

const untilEnd = () => broker.pass(END.matures - HOURS.listed);
const notices = async (member: number, about: string): Promise<Message[]> =>
  (await broker.call("listMessages", member, { cursor: null })).items.filter(({ notice }) => notice?.about === about);
const feeOf = (lots: number) => Math.floor((lots * LOT) / 100_000) * 100;

it("pays each unit its value, at once, without fee or tax; the stake has matured, the raising is terminated, and all of it shows", async () => {
  const [one] = await holding(1);
  if (!one) throw new Error("nobody");
  const before = (await moneyOf(broker, one.member)).available;
  expect(before).toBe(RICH - 5 * LOT - feeOf(5));
  untilEnd();
  await reaches(broker, one.member, one.code, "terminated");
  await stakeIs(broker, one.member, one.stakeNo, { status: "terminated", reason: "matured" });
  expect(await moneyOf(broker, one.member)).toEqual({ available: before + 5 * VALUE, reserved: 0, held: 0 });
  const { order, fills } = await broker.call("readOrder", one.member, { orderNo: one.orderNo });
  const profitCents = 5 * (VALUE - LOT) - feeOf(5);
  expect(order).toMatchObject({
    status: "closed",
    closeCause: "redemption",
    closedLots: 5,
    closeFeeCents: 0,
    closeTaxCents: 0,
    profitCents,
  });
  expect(fills.at(-1)).toMatchObject({ side: "close", reason: "redemption", price: 126_500, lots: 5, feeCents: 0, taxCents: 0 });
  const { items } = await broker.call("listFlows", one.member, { kinds: null, from: null, until: null, cursor: null });
  expect(items[0]).toMatchObject({ kind: "redemption", amountCents: 5 * VALUE, code: one.code, orderNo: one.orderNo });
  // The market paid nothing: it was the issuer, who had got the price.
  const pockets = await query<{ kind: string; balance: number }>(
    broker.db.kysely,
    "SELECT kind, balance FROM pocket WHERE member_id IS NULL AND kind IN ('issuers', 'clearing') AND currency = 'TWD' ORDER BY kind",
  );
  expect(Object.fromEntries(pockets.map(({ kind, balance }) => [kind, balance]))).toMatchObject({ issuers: 5 * (LOT - VALUE) });
  const reports = (await broker.call("listMessages", one.member, { cursor: null })).items.flatMap(({ report }) => report ?? []);
  expect(reports[0]).toMatchObject({ kind: "filled", side: "sell", lots: 5, price: 126_500, cause: "redemption" });
  // Another tick finds nothing to do.
  await broker.tick();
  expect((await moneyOf(broker, one.member)).available).toBe(before + 5 * VALUE);
});

it("keeps the books of a position that an ex-event changed before: what the issuer redeems is no part of the event", async () => {
  const [one] = await holding(1);
  if (!one) throw new Error("nobody");
  // A split whose lots stay as they are.
  await query(
    broker.db.kysely,
    "INSERT INTO adjustment (order_no, member_id, day, kind, at, from_lots, from_lot_shares, to_lots, to_lot_shares, cash_cents) VALUES ($1, $2, 1, 'split', 1, 5, 1000, 5, 1000, 0)",
    [one.orderNo, one.member],
  );
  untilEnd();
  await reaches(broker, one.member, one.code, "terminated");
  await expectCleanBooks(broker);
});

it("ends what rests in the market: a part that is sold keeps its price, and what an order still bought is free again", async () => {
  const [seller, buyer] = await holding(2);
  if (!seller || !buyer) throw new Error("nobody");
  await broker.close(seller.member, seller.orderNo, { lots: 3, price: 12.3 });
  expect(await orderOf(broker, seller.orderNo)).toMatchObject({ status: "readyToClose", closed_lots: 1, closing_lots: 2 });
  const bought = await broker.place(buyer.member, { code: seller.code, lots: 4, price: 12.2 });
  const triggered = await broker.place(buyer.member, {
    code: seller.code,
    lots: 1,
    price: 13,
    also: { trigger: { kind: "stop", price: 130_000 } },
  });
  expect((await moneyOf(broker, buyer.member)).held).toBeGreaterThan(0);
  untilEnd();
  await reaches(broker, seller.member, seller.code, "terminated");
  expect(await orderOf(broker, seller.orderNo)).toMatchObject({ status: "closed", closed_lots: 5, close_cause: "redemption" });
  for (const { orderNo } of [bought, triggered]) expect(await orderOf(broker, orderNo)).toMatchObject({ status: "cancelled" });
  expect(await moneyOf(broker, buyer.member)).toMatchObject({ held: 0, reserved: 0 });
});

it("tells everybody concerned once before the end, ends savings plans and withdraws alerts, and tells of both", async () => {
  const [holder, other] = await holding(2);
  if (!holder || !other) throw new Error("nobody");
  const { code } = holder;
  const saver = await newSubscriber(broker);
  const bystander = await newSubscriber(broker);
  const plan = await startPlan(broker, saver, { code: Code.parse(code) });
  const paused = await startPlan(broker, saver, { code: Code.parse(code), day: 9 });
  await broker.call("pauseSavingsPlan", saver, { requestId: RequestId.parse(randomUUID()), planNo: paused.planNo });
  const unrelated = await startPlan(broker, saver);
  for (const level of [200_000, 300_000])
    await broker.call("setAlert", bystander, { id: RequestId.parse(randomUUID()), code: Code.parse(code), kind: "above", level });
  expect(await notices(holder.member, "fundEnding")).toEqual([]);
  broker.pass(END.notice - HOURS.listed);
  for (const member of [holder.member, other.member, saver, bystander])
    await vi.waitFor(async () => {
      await broker.tick();
      expect(await notices(member, "fundEnding")).toHaveLength(1);
    });
  // Who takes part later is told as well, and nobody twice.
  const late = await newSubscriber(broker);
  await broker.place(late, { code, lots: 1, price: 12.2 });
  broker.clock.now += 60_000;
  await vi.waitFor(async () => {
    await broker.tick();
    expect(await notices(late, "fundEnding")).toHaveLength(1);
  });
  expect(await notices(holder.member, "fundEnding")).toHaveLength(1);
  broker.pass(END.matures - END.notice);
  await reaches(broker, holder.member, code, "terminated");
  for (const { planNo } of [plan, paused]) expect(await planNow(broker, saver, planNo)).toMatchObject({ status: "ended" });
  expect(await planNow(broker, saver, unrelated.planNo)).toMatchObject({ status: "active" });
  expect(await notices(saver, "savingsEnded")).toHaveLength(2);
  expect((await broker.call("listAlerts", bystander, {})).alerts).toEqual([]);
  expect((await notices(bystander, "alertsEnded"))[0]?.notice?.values).toEqual({ code, n: "2" });
  expect(broker.alerts.size).toBe(0);
  const types = broker.published.flatMap(({ fact }) => (isOrderFact(fact) && fact.closeCause === "redemption" ? [fact.order.orderNo] : []));
  expect(types.toSorted()).toEqual([holder.orderNo, other.orderNo].toSorted());
});

it("is traded, saved in and watched no more from its end on, whether the clock has looked or not", async () => {
  const [one] = await holding(1);
  if (!one) throw new Error("nobody");
  const { code, member, orderNo } = one;
  broker.clock.now += (END.matures - HOURS.listed) * HOUR_MS - 1;
  const order = await broker.place(member, { code, lots: 1, price: 12.5 });
  expect(await orderOf(broker, order.orderNo)).toMatchObject({ status: "holding" });
  broker.clock.now += 1;
  expect(await refusalOf(broker.place(member, { code, lots: 1, price: 12.5 }))).toMatchObject({ code: "TRD_NOT_TRADABLE", field: "code" });
  expect(await refusalOf(broker.close(member, orderNo, { lots: 1, price: 12.3 }))).toMatchObject({ code: "TRD_STOCK_PRICE_UNAVAILABLE" });
  expect(await refusalOf(startPlan(broker, member, { code: Code.parse(code) }))).toMatchObject({ code: "TRD_NOT_TRADABLE", field: "code" });
  const alert = { id: RequestId.parse(randomUUID()), code: Code.parse(code), kind: "above", level: 900_000 } as const;
  expect(await refusalOf(broker.call("setAlert", member, alert))).toMatchObject({ code: "GEN_NOT_FOUND", field: "code" });
  await reaches(broker, member, code, "terminated");
  // What was bought in the market is redeemed like what was subscribed for.
  expect(await orderOf(broker, order.orderNo)).toMatchObject({ status: "closed", close_cause: "redemption" });
});

it("ends although its last moment passes while the clock looks at it", async () => {
  const [one] = await holding(1);
  if (!one) throw new Error("nobody");
  const { db, venue, sequencer, alerts } = broker;
  await broker.stop();
  await broker.settled();
  broker.clock.now += (END.matures - HOURS.listed) * HOUR_MS - 1;
  let isOver = false;
  // The end comes after the stakes were read, and with it after the clock has decided that nothing is due.
  const late = new Proxy(db.kysely, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...asked: unknown[]): unknown => {
        if (name === "executeQuery" && (asked[0] as { sql: string }).sql.includes("FROM stake\nWHERE offering_no")) isOver = true;
        return (value as (...all: unknown[]) => unknown).apply(target, asked);
      };
    },
  });
  const now = () => broker.clock.now + (isOver ? 1 : 0);
  const clock = new RaiseClock({ db: { ...db, kysely: late }, venue, sequencer, alerts, now });
  await clock.tick();
  expect(isOver).toBe(true);
  broker.clock.now += 1;
  isOver = false;
  await clock.tick();
  clock.stop();
  const [row] = await query<{ status: string }>(db.kysely, "SELECT status FROM raise JOIN offering USING (offering_no) WHERE code = $1", [
    one.code,
  ]);
  expect(row?.status).toBe("terminated");
});

describe("a crash", () => {
  const restart = async () => {
    await broker.stop();
    await broker.sequencer.idle();
    broker = await openOfferings(broker);
  };
  const redeemed = (members: readonly number[]) =>
    query<{ member_id: number; paid: number }>(
      broker.db.kysely,
      "SELECT member_id, count(*)::integer AS paid FROM ledger_tx WHERE kind = 'redemption' AND member_id = ANY ($1::bigint[]) GROUP BY member_id",
      [members],
    );

  it("before a redemption's commit changes nothing of it, holds up no other, and it is done later, once", async () => {
    const held = await holding(3);
    const [bad] = held;
    if (!bad) throw new Error("nobody");
    await query(
      broker.db.kysely,
      `CREATE FUNCTION broken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF new.order_no = '${bad.orderNo}' AND new.status = 'closed' THEN RAISE EXCEPTION 'broken on purpose'; END IF; RETURN new; END $$`,
    );
    await query(broker.db.kysely, `CREATE TRIGGER broken BEFORE UPDATE ON "order" FOR EACH ROW EXECUTE FUNCTION broken()`);
    untilEnd();
    for (const { member, stakeNo } of held.slice(1)) await stakeIs(broker, member, stakeNo, { status: "terminated", reason: "matured" });
    expect((await broker.call("listRaises", bad.member, {})).raises[0]?.status).toBe("listed");
    expect(await moneyOf(broker, bad.member)).toMatchObject({ available: RICH - 5 * LOT - feeOf(5) });
    await restart();
    await query(broker.db.kysely, "DROP FUNCTION broken CASCADE");
    await reaches(broker, bad.member, bad.code, "terminated");
    await stakeIs(broker, bad.member, bad.stakeNo, { status: "terminated", reason: "matured" });
    const paid = await redeemed(held.map(({ member }) => member));
    expect(paid.map((row) => row.paid)).toEqual([1, 1, 1]);
    broker.faults.length = 0;
  });

  it("for days over the end leaves everything to the next start", async () => {
    const held = await holding(2);
    await broker.stop();
    await broker.sequencer.idle();
    broker.pass(100);
    broker = await openOfferings(broker);
    for (const { member, stakeNo } of held) await stakeIs(broker, member, stakeNo, { status: "terminated", reason: "matured" });
    expect(await redeemed(held.map(({ member }) => member))).toHaveLength(2);
  });
});

it("leaves a position that an operator has locked, and the fund with it, until it is unlocked", async () => {
  const [locked, free] = await holding(2);
  if (!locked || !free) throw new Error("nobody");
  await query(broker.db.kysely, `UPDATE "order" SET locked = true WHERE order_no = $1`, [locked.orderNo]);
  untilEnd();
  await stakeIs(broker, free.member, free.stakeNo, { status: "terminated", reason: "matured" });
  await broker.tick();
  expect((await broker.call("listRaises", free.member, {})).raises[0]?.status).toBe("listed");
  await query(broker.db.kysely, `UPDATE "order" SET locked = false WHERE order_no = $1`, [locked.orderNo]);
  await reaches(broker, locked.member, locked.code, "terminated");
  await stakeIs(broker, locked.member, locked.stakeNo, { status: "terminated", reason: "matured" });
});

it("is known to end of a fund that an older server announced", async () => {
  const [one] = await holding(1);
  if (!one) throw new Error("nobody");
  await broker.stop();
  await broker.sequencer.idle();
  await query(broker.db.kysely, "UPDATE raise SET matures_at = NULL, last_traded_at = NULL, notice_at = NULL");
  broker = await openOfferings(broker);
  untilEnd();
  await stakeIs(broker, one.member, one.stakeNo, { status: "terminated", reason: "matured" });
});
