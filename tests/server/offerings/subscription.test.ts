/** Tests applications in a lottery: the money at each step, the draw, paying, waiving and failing to pay, and the position on the day of listing. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { verifyDraw } from "#contract/draw.ts";
import { PRICE_ONE, price } from "#contract/kernel/money.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import { query } from "#server/db/database.ts";
import { heldCodes } from "#server/ops/held-codes.ts";
import { refusalOf } from "#tests/support/trading.ts";
import {
  DELIVERY,
  DEPOSIT,
  FEE,
  RICH,
  VALUE,
  apply,
  becomes,
  book,
  expectCleanBooks,
  moneyOf,
  newId,
  newSubscriber,
  openOfferings,
  openWindow,
  pay,
  reaches,
  setRule,
  waive,
  withdraw,
  readSubscription,
} from "./fixture.ts";
import type { OfferingBroker } from "./fixture.ts";

let broker: OfferingBroker;
let member: number;
beforeAll(async () => {
  broker = await openOfferings();
  member = await newSubscriber(broker, 10 * RICH);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const noticesOf = async (who: number) =>
  (await broker.call("listMessages", who, { cursor: null })).items.flatMap(({ notice }) => (notice ? [notice.about] : []));

const pointsOf = async (who: number) =>
  (
    await query<{ reason: string; points: number }>(broker.db.kysely, "SELECT reason, points FROM credit_change WHERE member_id = $1", [
      who,
    ])
  ).map(({ reason, points }) => [reason, points]);

async function issuersGot(): Promise<number> {
  const [row] = await query<{ balance: number }>(
    broker.db.kysely,
    "SELECT balance FROM pocket WHERE kind = 'issuers' AND currency = 'TWD'",
  );
  return row?.balance ?? 0;
}

it("takes the fee, holds deposit and delivery fee, and becomes a locked position once it is won and paid", async () => {
  const who = await newSubscriber(broker);
  const before = await issuersGot();
  const { offeringNo, code } = await openWindow(broker, who);
  const applied = await apply(broker, who, offeringNo);
  expect(applied).toMatchObject({ status: "subscribing", lots: 1, wonLots: null, depositCents: DEPOSIT, feeCents: FEE, dueCents: null });
  expect(await moneyOf(broker, who)).toEqual({ available: RICH - FEE - DELIVERY - DEPOSIT, reserved: DELIVERY + DEPOSIT });
  expect(await heldCodes(broker.db)).toContain(code);
  broker.pass(1);
  const closed = (await reaches(broker, who, code, "closed")).offering;
  expect(closed).toMatchObject({ winningLots: null });
  broker.pass(1);
  await reaches(broker, who, code, "drawn");
  const won = await becomes(broker, who, applied.subscriptionNo, "won");
  expect(won).toMatchObject({ wonLots: 1, dueCents: VALUE, restCents: VALUE - DEPOSIT, forfeitCents: DEPOSIT, paidCents: 0 });
  expect(await refusalOf(pay(broker, who, applied.subscriptionNo))).toMatchObject({
    code: "TRD_NOT_PURCHASE_TIME",
    field: "subscriptionNo",
  });
  broker.clock.now = won.payableFrom ?? 0;
  expect(await pay(broker, who, applied.subscriptionNo)).toMatchObject({ status: "paid", paidCents: VALUE, restCents: 0 });
  expect(await refusalOf(pay(broker, who, applied.subscriptionNo))).toMatchObject({
    code: "TRD_ORDER_NOT_PAYMENT",
    field: "subscriptionNo",
  });
  expect(await moneyOf(broker, who)).toEqual({ available: RICH - FEE - DELIVERY - VALUE, reserved: DELIVERY + VALUE });
  broker.clock.now = won.allottedAt;
  await reaches(broker, who, code, "allotted");
  const { orderNo } = await readSubscription(broker, who, applied.subscriptionNo);
  expect(await moneyOf(broker, who)).toEqual({ available: RICH - FEE - DELIVERY - VALUE, reserved: 0 });
  expect((await issuersGot()) - before).toBe(VALUE);
  const [position] = (await broker.call("listPositions", who, {})).positions;
  expect(position).toMatchObject({ orderNo, origin: "subscription", status: "holding", filledLots: 1, lotShares: 1000, funding: "cash" });
  expect(position).toMatchObject({ openCents: VALUE, openFeeCents: DELIVERY, lockedUntil: won.tradesFrom });
  if (orderNo === null) throw new Error("no position");
  expect(await refusalOf(broker.close(who, orderNo))).toMatchObject({ code: "TRD_NOT_LISTED" });
  broker.clock.now = won.tradesFrom;
  await reaches(broker, who, code, "listed");
  const row = broker.venue.instrument(code)?.row ?? 0;
  broker.venue.set(row, { bids: [[60, 5]], last: 60, reference: 60 });
  // What explains the profit before the sale is what the sale realises: value, delivery fee, fee and tax, to the cent.
  const { order: held } = await broker.call("readOrder", who, { orderNo });
  const explained = profitAt(heldOf(held), price(60 * PRICE_ONE));
  expect(explained).toMatchObject({ openCents: VALUE, openCostCents: DELIVERY, nowCents: (VALUE / 50) * 60, interestCents: 0 });
  await broker.close(who, orderNo);
  const { order: sold } = await broker.call("readOrder", who, { orderNo });
  expect(sold).toMatchObject({ status: "closed", profitCents: explained.profitCents, origin: "subscription" });
  const flows = (await broker.call("listFlows", who, { kinds: null, from: null, until: null, cursor: null })).items.map(({ kind }) => kind);
  expect(flows.slice(-6)).toEqual(["fee", "buy", "reserve", "reserve", "offeringFee", "deposit"]);
  expect(await noticesOf(who)).toContain("subscriptionWon");
});

it("reminds who won and has not paid halfway to the deadline, once", async () => {
  const [late, prompt] = [await newSubscriber(broker), await newSubscriber(broker)];
  const { offeringNo, code } = await openWindow(broker, late);
  const applied = await apply(broker, late, offeringNo);
  const paid = await apply(broker, prompt, offeringNo);
  broker.pass(1);
  await reaches(broker, late, code, "closed");
  broker.pass(1);
  await reaches(broker, late, code, "drawn");
  const { payableFrom, payableUntil } = await becomes(broker, late, applied.subscriptionNo, "won");
  broker.clock.now = payableFrom ?? 0;
  await pay(broker, prompt, paid.subscriptionNo);
  const due = async (who: number) => (await noticesOf(who)).filter((about) => about === "subscriptionDue").length;
  const half = Math.floor(((payableFrom ?? 0) + payableUntil) / 2);
  broker.clock.now = half - 1;
  await broker.tick();
  expect(await due(late)).toBe(0);
  broker.clock.now = half;
  await broker.tick();
  expect(await due(late)).toBe(1);
  broker.clock.now = payableUntil - 1;
  await broker.tick();
  expect(await due(late)).toBe(1);
  expect(await due(prompt)).toBe(0);
  const { items } = await broker.call("listMessages", late, { cursor: null });
  const rest = (VALUE - DEPOSIT) / 100;
  expect(items[0]?.notice?.values["amount"]?.replaceAll(",", "")).toBe(`${rest}.00`);
});

it("gives everything but the fee back to who is not drawn, and tells no number before the close", async () => {
  const { offeringNo, code } = await openWindow(broker, member, { lots: 1 }, { applications: () => 400 });
  const others = await Promise.all(Array.from({ length: 3 }, () => newSubscriber(broker)));
  const applied = await Promise.all(others.map((who) => apply(broker, who, offeringNo)));
  const open = await broker.call("readOffering", member, { offeringNo });
  expect(open.offering).toMatchObject({ subscribedLots: null, winningPerMillion: null });
  expect(await broker.call("listDrawEntries", member, { offeringNo, cursor: null })).toEqual({ items: [], next: null });
  broker.pass(1);
  const { offering } = await reaches(broker, member, code, "closed");
  expect(offering.phase).toBe("closed");
  broker.pass(1);
  const drawn = await reaches(broker, member, code, "drawn");
  expect(drawn.offering).toMatchObject({ subscribedLots: 403, winningLots: 1, winningPerMillion: 2_481 });
  const draw = await broker.call("readDraw", member, { offeringNo });
  const { items } = await broker.call("listDrawEntries", member, { offeringNo, cursor: null });
  expect(items.map(({ receipt }) => receipt)).toEqual(applied.map(({ receipt }) => receipt).toSorted());
  const check = verifyDraw(draw, items);
  expect(check).toMatchObject({ secret: true, crowd: true, list: true, result: true });
  for (const [nth, who] of others.entries()) {
    const { receipt, subscriptionNo } = applied[nth] ?? { receipt: "", subscriptionNo: "" };
    const won = check?.wonLots.get(receipt) ?? 0;
    await becomes(broker, who, subscriptionNo, won > 0 ? "won" : "notWon");
    if (won === 0) expect(await moneyOf(broker, who)).toEqual({ available: RICH - FEE, reserved: 0 });
  }
});

it("is withdrawn until the close, which returns all but the fee, and cannot be made again by rule", async () => {
  const who = await newSubscriber(broker);
  const { offeringNo, code } = await openWindow(broker, who);
  const { subscriptionNo } = await apply(broker, who, offeringNo);
  expect(await refusalOf(withdraw(broker, member, subscriptionNo))).toMatchObject({ code: "GEN_NOT_FOUND", field: "subscriptionNo" });
  expect(await withdraw(broker, who, subscriptionNo)).toMatchObject({ status: "withdrawn", reservedCents: 0 });
  expect(await moneyOf(broker, who)).toEqual({ available: RICH - FEE, reserved: 0 });
  expect(await refusalOf(apply(broker, who, offeringNo))).toMatchObject({ code: "TRD_SINGLE_SUBSCRIPTION", params: { n: 1 } });
  await setRule(broker, who, { timesPerOffering: 2 });
  const again = await apply(broker, who, offeringNo);
  broker.pass(1);
  await reaches(broker, who, code, "closed");
  expect(await refusalOf(withdraw(broker, who, again.subscriptionNo))).toMatchObject({ code: "TRD_NOT_SUBSCRIBE_TIME" });
});

it("is debited at the deadline, and lost with its deposit where the money is short, which bars from the next draws", async () => {
  const rich = await newSubscriber(broker);
  const poor = await newSubscriber(broker, FEE + DELIVERY + DEPOSIT + 100);
  const { offeringNo, code } = await openWindow(broker, rich);
  const [a, b] = await Promise.all([apply(broker, rich, offeringNo), apply(broker, poor, offeringNo)]);
  broker.pass(2);
  await becomes(broker, poor, b.subscriptionNo, "won");
  await becomes(broker, rich, a.subscriptionNo, "won");
  broker.clock.now = (await reaches(broker, rich, code, "drawn")).offering.payableFrom ?? 0;
  expect(await refusalOf(pay(broker, poor, b.subscriptionNo))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
  broker.clock.now = (await reaches(broker, rich, code, "drawn")).offering.payableUntil;
  await becomes(broker, poor, b.subscriptionNo, "paymentFailed");
  expect(await becomes(broker, rich, a.subscriptionNo, "paid")).toMatchObject({ paidCents: VALUE });
  expect(await moneyOf(broker, poor)).toEqual({ available: DELIVERY + 100, reserved: 0 });
  expect(await noticesOf(poor)).toContain("subscriptionPaymentFailed");
  expect(await noticesOf(rich)).toContain("subscriptionPaid");
  const list = await broker.call("listOfferings", poor, { phases: null, kinds: null, cursor: null });
  expect(list.barredDraws).toBe(3);
  expect(await pointsOf(poor)).toEqual([["paymentFailed", -5]]);
  expect(await pointsOf(rich)).toEqual([]);
  const next = await openWindow(broker, poor);
  expect(await refusalOf(apply(broker, poor, next.offeringNo))).toMatchObject({ code: "TRD_SUBSCRIBE_BARRED", params: { n: 3 } });
  broker.pass(2);
  await reaches(broker, poor, next.code, "drawn");
  expect((await broker.call("listOfferings", poor, { phases: null, kinds: null, cursor: null })).barredDraws).toBe(2);
});

it("is waived for the deposit, while it is to be paid", async () => {
  const who = await newSubscriber(broker);
  const { offeringNo, code } = await openWindow(broker, who);
  const { subscriptionNo } = await apply(broker, who, offeringNo);
  broker.pass(2);
  await becomes(broker, who, subscriptionNo, "won");
  expect(await refusalOf(waive(broker, who, subscriptionNo))).toMatchObject({ code: "TRD_NOT_PURCHASE_TIME" });
  broker.clock.now = (await reaches(broker, who, code, "drawn")).offering.payableFrom ?? 0;
  expect(await waive(broker, who, subscriptionNo)).toMatchObject({ status: "waived", reservedCents: 0 });
  expect(await moneyOf(broker, who)).toEqual({ available: RICH - FEE - DEPOSIT, reserved: 0 });
  expect((await broker.call("listOfferings", who, { phases: null, kinds: null, cursor: null })).barredDraws).toBe(3);
  expect(await pointsOf(who)).toEqual([["winWaived", -2]]);
});

it("is void without its secret: everything is given back, the fee too", async () => {
  const who = await newSubscriber(broker);
  const { offeringNo, code } = await openWindow(broker, who);
  const { subscriptionNo } = await apply(broker, who, offeringNo);
  broker.pass(1);
  await reaches(broker, who, code, "closed");
  await query(broker.db.kysely, "UPDATE offering_secret SET secret = 'another' WHERE offering_no = $1", [offeringNo]);
  broker.pass(1);
  await reaches(broker, who, code, "void");
  await becomes(broker, who, subscriptionNo, "voided");
  expect(await moneyOf(broker, who)).toEqual({ available: RICH, reserved: 0 });
  expect(broker.faults).toHaveLength(1);
  broker.faults.length = 0;
});

it("reminds who booked it when it opens, once", async () => {
  const who = await newSubscriber(broker);
  const code = broker.announce();
  const { offering } = await reaches(broker, who, code, "upcoming");
  await book(broker, who, offering.offeringNo);
  expect((await reaches(broker, who, code, "upcoming")).booked).toBe(true);
  expect(await refusalOf(book(broker, who, offering.offeringNo))).toMatchObject({ code: "TRD_ALREADY_BOOKED", field: "offeringNo" });
  expect(await refusalOf(book(broker, who, "S999999"))).toMatchObject({ code: "TRD_NO_SUBSCRIBABLE", field: "offeringNo" });
  expect(await noticesOf(who)).toEqual([]);
  broker.pass(1);
  await reaches(broker, who, code, "open");
  expect(await refusalOf(book(broker, who, offering.offeringNo))).toMatchObject({ code: "TRD_NOT_SUBSCRIBE_TIME" });
  broker.pass(1);
  await reaches(broker, who, code, "closed");
  expect(await noticesOf(who)).toEqual(["offeringOpened"]);
});

it("is refused at each field, and changes nothing", async () => {
  const who = await newSubscriber(broker);
  const poor = await newSubscriber(broker, FEE + DELIVERY + DEPOSIT - 1);
  const unsigned = await broker.newMember();
  const upcoming = broker.announce();
  const { offering: early } = await reaches(broker, who, upcoming, "upcoming");
  const fund = broker.announce({ kind: "fund", drawnAt: null });
  const { offering: raised } = await reaches(broker, who, fund, "upcoming");
  expect(await refusalOf(apply(broker, who, early.offeringNo))).toMatchObject({ code: "TRD_NOT_SUBSCRIBE_TIME", field: "offeringNo" });
  const { offeringNo } = await openWindow(broker, who);
  const bond = await openWindow(broker, who, { kind: "bond" });
  const placed = await openWindow(broker, who, { kind: "placement", lots: 100 });
  const first = await openWindow(broker, who);
  const isRefused = async (asked: Promise<unknown>, refusal: object) => expect(await refusalOf(asked)).toMatchObject(refusal);
  await isRefused(apply(broker, who, "S999999"), { code: "TRD_NO_SUBSCRIBABLE", field: "offeringNo" });
  await isRefused(apply(broker, who, raised.offeringNo), { code: "TRD_NO_SUBSCRIBABLE", field: "offeringNo" });
  await isRefused(apply(broker, who, offeringNo), { code: "TRD_NOT_SUBSCRIBE_TIME", field: "offeringNo" });
  await isRefused(apply(broker, poor, first.offeringNo), { code: "FUND_AVAILABLE_INSUFFICIENT", field: "lots" });
  await isRefused(apply(broker, unsigned, first.offeringNo), { code: "PWD_FUND_NOT_SET" });
  await isRefused(apply(broker, who, first.offeringNo, { fundPassword: "111111" }), { code: "PWD_FUND_WRONG", field: "fundPassword" });
  await isRefused(apply(broker, who, first.offeringNo, { lots: 2 }), { code: "TRD_LOTS_MAX", params: { n: 1 }, field: "lots" });
  expect(placed.offeringNo).not.toBe(bond.offeringNo);
  await setRule(broker, who, { channels: ["placement"] });
  await isRefused(apply(broker, who, first.offeringNo), { code: "TRD_NEW_SHARE_CLOSED", field: "offeringNo" });
  await isRefused(apply(broker, who, bond.offeringNo), { code: "TRD_NEW_BOND_CLOSED", field: "offeringNo" });
  await setRule(broker, who, { channels: ["share", "bond", "placement"], placementLeastLots: 3, placementMostLots: 5 });
  const late = await openWindow(broker, who, { kind: "placement", lots: 100 });
  await isRefused(apply(broker, who, late.offeringNo, { lots: 2 }), { code: "TRD_MIN_SUBSCRIPTION", params: { n: 3 }, field: "lots" });
  await isRefused(apply(broker, who, late.offeringNo, { lots: 6 }), { code: "TRD_LOTS_MAX", params: { n: 5 }, field: "lots" });
  expect(await moneyOf(broker, who)).toEqual({ available: RICH, reserved: 0 });
});

it("is one a member, from two devices at once, and acts once for one request id", async () => {
  const who = await newSubscriber(broker);
  const { offeringNo } = await openWindow(broker, who);
  const both = await Promise.allSettled([apply(broker, who, offeringNo), apply(broker, who, offeringNo)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const refused = both.find((one) => one.status === "rejected");
  expect(refused?.reason).toMatchObject({ code: "TRD_ALREADY_SUBSCRIBED", field: "offeringNo" });
  expect((await moneyOf(broker, who)).reserved).toBe(DELIVERY + DEPOSIT);
  const other = await newSubscriber(broker);
  const requestId = newId();
  const [one, two] = await Promise.all([apply(broker, other, offeringNo, { requestId }), apply(broker, other, offeringNo, { requestId })]);
  expect(two).toEqual(one);
  // Another member's id would be the same number in the list.
  const third = await newSubscriber(broker);
  expect(await refusalOf(apply(broker, third, offeringNo, { requestId }))).toMatchObject({
    code: "GEN_REQUEST_REUSED",
    field: "requestId",
  });
  // One that was withdrawn is in no list.
  await withdraw(broker, other, one.subscriptionNo);
  expect(await apply(broker, third, offeringNo, { requestId })).toMatchObject({ receipt: one.receipt });
});

it("is recalled for a debt while the window is open, and not after", async () => {
  const who = await newSubscriber(broker);
  const { offeringNo, code } = await openWindow(broker, who);
  const charge = (over: number) =>
    broker.sequencer.submit({
      memberIds: [who],
      decide: (batch) => {
        const amount = batch.ledger.balance(who, "available") + over;
        batch.ledger.settle({ memberId: who, kind: "interest", orderNo: null, moves: [] }, [{ to: "interest", amount }]);
        batch.emit(who, { type: "wallet.changed", kind: "interest", currencies: ["TWD"] });
      },
    });
  const { subscriptionNo } = await apply(broker, who, offeringNo);
  await charge(500);
  await becomes(broker, who, subscriptionNo, "withdrawn");
  expect(await moneyOf(broker, who)).toEqual({ available: DELIVERY + DEPOSIT - 500, reserved: 0 });
  expect(await noticesOf(who)).toEqual(["subscriptionRecalled"]);
  await setRule(broker, who, { timesPerOffering: 2, feeCents: 0, deliveryCents: 0, depositPerMillion: 50_000 } as never);
  const again = await apply(broker, who, offeringNo);
  broker.pass(1);
  await reaches(broker, who, code, "closed");
  await charge(500);
  expect((await readSubscription(broker, who, again.subscriptionNo)).status).toBe("subscribing");
  await broker.sequencer.submit({
    memberIds: [who],
    decide: (batch) =>
      batch.ledger.post({ memberId: who, kind: "deposit", orderNo: null, moves: [{ from: "external", to: "available", amount: 500 }] }),
  });
});
