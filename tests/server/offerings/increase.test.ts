/**
 * Tests capital increases: who has a right and for how many shares, what a right costs that is used and is paid that lapses, that nobody gets
 * both, and what is refused.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import { ownAssets } from "#server/accounts/loan.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { refusalOf } from "#tests/support/trading.ts";
import { RICH, apply, moneyOf, newId, newSubscriber, readSubscription, setRule, withdraw } from "./fixture.ts";
import { CODE, openIncreases, readIncrease } from "./increase-fixture.ts";
import type { IncreaseBroker } from "./increase-fixture.ts";

let broker: IncreaseBroker;
beforeAll(async () => {
  broker = await openIncreases();
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const newHolder = (cents = RICH): Promise<number> => newSubscriber(broker, cents);
/** The worth of a right to one share at the reference price after the ex-event, in cents. */
const worthCents = (): number => (broker.event().reference - broker.event().rightsPrice) / 100;
const noticesOf = async (member: number): Promise<string[]> => {
  const { items } = await broker.call("listMessages", member, { cursor: null });
  return items.flatMap((one) => ("notice" in one && one.notice ? [one.notice.about] : []));
};

it("gives a right to who held the share in cash before the ex-date, and cash to all others", async () => {
  const [holder, late, financed, short] = [await newHolder(), await newHolder(), await newHolder(), await newHolder()];
  const first = await broker.buy(holder, 3);
  await broker.buy(holder, 4);
  const lent = await broker.buy(financed, 2, { funding: "leverage", leverage: 2 });
  await broker.place(short, { code: CODE, direction: "fall", lots: 1 });
  broker.announce();
  await broker.tick();
  expect(await readIncrease(broker, holder)).toMatchObject({
    offering: {
      kind: "increase",
      phase: "upcoming",
      price: null,
      provisionalPrice: 79 * PRICE_ONE,
      increase: { ratioPerMillion: 150_000 },
    },
    entitlement: null,
  });
  const before = await moneyOf(broker, holder);
  await broker.goTo(0, 97.39);
  await broker.buy(late, 5);
  // 7,000 shares at 150 per thousand, counted together, and no cash.
  expect(await readIncrease(broker, holder)).toMatchObject({
    offering: { phase: "upcoming", price: 80 * PRICE_ONE },
    entitlement: { shares: 1_050, worth: broker.event().reference - 80 * PRICE_ONE, lapsedCents: null },
  });
  expect(await moneyOf(broker, holder)).toEqual(before);
  expect((await broker.call("readOrder", holder, { orderNo: first })).order.dividendCents).toBe(0);
  for (const other of [late, financed, short]) expect((await readIncrease(broker, other)).entitlement).toBeNull();
  // 300 rights of the financed position are sold at their worth.
  expect((await broker.call("readOrder", financed, { orderNo: lent })).order.dividendCents).toBe(Math.floor(300 * worthCents()));
});

it("is opened with a message to holders, and refused to others and beyond the right", async () => {
  const [holder, other] = [await newHolder(), await newHolder()];
  await broker.buy(holder, 2);
  broker.announce();
  await broker.tick();
  const { offeringNo } = (await readIncrease(broker, holder)).offering;
  await broker.goTo(0, 97.39);
  expect(await refusalOf(apply(broker, holder, offeringNo))).toMatchObject({ code: "TRD_NOT_SUBSCRIBE_TIME", field: "offeringNo" });
  await broker.goTo(1);
  expect(await noticesOf(holder)).toEqual(["rightGranted"]);
  expect(await noticesOf(other)).toEqual([]);
  expect(await refusalOf(apply(broker, other, offeringNo))).toMatchObject({ code: "TRD_NO_SUBSCRIBABLE", field: "offeringNo" });
  expect(await refusalOf(apply(broker, holder, offeringNo, { lots: 301 }))).toMatchObject({
    code: "TRD_LOTS_MAX",
    params: { n: 300 },
    field: "lots",
  });
  await setRule(broker, holder, { channels: ["share"] });
  expect(await refusalOf(apply(broker, holder, offeringNo))).toMatchObject({ code: "TRD_NEW_SHARE_CLOSED", field: "offeringNo" });
  await setRule(broker, holder, { channels: ["increase"] });
  const first = await apply(broker, holder, offeringNo, { lots: 300 });
  expect(await refusalOf(apply(broker, holder, offeringNo))).toMatchObject({ code: "TRD_ALREADY_SUBSCRIBED" });
  // A right that was withdrawn can be used again: it is no draw.
  await withdraw(broker, holder, first.subscriptionNo);
  expect(await apply(broker, holder, offeringNo, { lots: 100 })).toMatchObject({
    status: "subscribing",
    lots: 100,
    feeCents: 0,
    deliveryCents: 0,
  });
});

it("takes the whole price of what is used, pays what lapses, and delivers a locked position", async () => {
  const [holder, idle] = [await newHolder(), await newHolder()];
  await broker.buy(holder, 10);
  await broker.buy(idle, 10);
  broker.announce();
  await broker.tick();
  const { offeringNo } = (await readIncrease(broker, holder)).offering;
  await broker.goTo(0, 97.39);
  await broker.goTo(1);
  const before = await moneyOf(broker, holder);
  const idleBefore = await moneyOf(broker, idle);
  const { subscriptionNo } = await apply(broker, holder, offeringNo, { lots: 1_000 });
  expect(await moneyOf(broker, holder)).toEqual({ available: before.available - 8_000_000, reserved: 8_000_000 });
  // At the close a right is worth 15.00, less than on the ex-date.
  await broker.goTo(3, 95);
  await broker.tick();
  expect(await readSubscription(broker, holder, subscriptionNo)).toMatchObject({ status: "paid", wonLots: 1_000, paidCents: 8_000_000 });
  expect((await readIncrease(broker, holder)).entitlement).toMatchObject({ shares: 1_500, lapsedCents: 500 * 1_500 });
  expect(await moneyOf(broker, holder)).toEqual({ available: before.available - 8_000_000 + 500 * 1_500, reserved: 8_000_000 });
  expect(await moneyOf(broker, idle)).toEqual({ available: idleBefore.available + 1_500 * 1_500, reserved: 0 });
  expect(await noticesOf(holder)).toEqual(["rightLapsed", "subscriptionPaid", "rightGranted"]);
  expect(await noticesOf(idle)).toEqual(["rightLapsed", "rightGranted"]);
  await broker.goTo(5);
  await broker.tick();
  const { orderNo } = await readSubscription(broker, holder, subscriptionNo);
  if (orderNo === null) throw new Error("not delivered");
  const { order } = await broker.call("readOrder", holder, { orderNo });
  expect(order).toMatchObject({
    status: "holding",
    origin: "subscription",
    openCents: 8_000_000,
    openFeeCents: 0,
    lotShares: 1_000,
    filledLots: 1,
  });
  expect(await refusalOf(broker.close(holder, orderNo))).toMatchObject({ code: expect.stringMatching(/LOCK|NOT_LISTED/) });
  await broker.goTo(6);
  expect((await readIncrease(broker, holder)).offering.phase).toBe("listed");
  expect((await broker.close(holder, orderNo)).status).toBe("closed");
  expect((await moneyOf(broker, holder)).reserved).toBe(0);
});

it("counts a right in total assets until it is a position or money, in the overview, the curve and the credit limit alike", async () => {
  const [holder, idle] = [await newHolder(), await newHolder()];
  await broker.buy(holder, 10);
  await broker.buy(idle, 10);
  broker.announce();
  await broker.tick();
  const { offeringNo } = (await readIncrease(broker, holder)).offering;
  /** Total assets with what the rights are worth in them, on every screen that shows them. */
  const assetsOf = async (member: number): Promise<{ total: number; rights: number }> => {
    const { totalCents: total, rightsCents: rights, ...rest } = await broker.call("readMember", member, {});
    expect(total).toBe(rest.availableCents + rest.frozenCents + rest.unsettledCents + rest.positionsCents + rights);
    expect((await broker.call("readCurve", member, { span: "day" })).points.at(-1)?.totalCents).toBe(total);
    expect(await ownAssets(broker.db.kysely, broker.venue, member, broker.clock.now)).toBe(total);
    return { total, rights };
  };
  expect((await assetsOf(holder)).rights).toBe(0);
  await broker.goTo(0, 97.39);
  // 1,500 rights to a share of 97.39 at 80.00.
  const onEx = await assetsOf(idle);
  expect(onEx.rights).toBe(1_500 * 1_739);
  await broker.goTo(1);
  await apply(broker, holder, offeringNo, { lots: 1_000 });
  // Money held for new shares and their worth above it; the rest is a right as before.
  expect(await assetsOf(holder)).toEqual(onEx);
  // Above the ex-date's price a right that lapses is not paid more, one that is used gains.
  await broker.goTo(2, 110);
  expect([(await assetsOf(idle)).rights, (await assetsOf(holder)).rights]).toEqual([
    Math.floor(1_500 * worthCents()),
    1_000 * 3_000 + Math.floor(500 * worthCents()),
  ]);
  // Under water it is worth nothing, and who has applied for the shares has their loss.
  await broker.goTo(2, 79);
  expect([(await assetsOf(idle)).rights, (await assetsOf(holder)).rights]).toEqual([0, -100_000]);
  await broker.goTo(2, 95);
  const before = [await assetsOf(holder), await assetsOf(idle)];
  await broker.goTo(3);
  await broker.tick();
  // The close pays for what lapses: the total stays.
  expect(await assetsOf(idle)).toEqual({ total: before[1]?.total, rights: 0 });
  expect(await assetsOf(holder)).toEqual({ total: before[0]?.total, rights: 1_000 * 1_500 });
  const { positions } = await broker.call("listPositions", holder, {});
  await broker.goTo(5);
  await broker.tick();
  // Delivered it counts as a position, less what selling it would cost.
  expect((await broker.call("listPositions", holder, {})).positions).toHaveLength(positions.length + 1);
  const after = await assetsOf(holder);
  expect(after.rights).toBe(0);
  expect(after.total).toBeLessThan(before[0]?.total ?? 0);
  expect(after.total).toBeGreaterThan((before[0]?.total ?? 0) - 100_000);
});

it("pays at most what a right was worth on the ex-date, and nothing for one under water", async () => {
  for (const [price, cents] of [
    [110, worthCents()],
    [79, 0],
  ] as const) {
    const idle = await newHolder();
    await broker.buy(idle, 1);
    broker.announce();
    await broker.tick();
    await broker.goTo(0, 97.39);
    const { available } = await moneyOf(broker, idle);
    await broker.goTo(3, price);
    await broker.tick();
    expect((await moneyOf(broker, idle)).available).toBe(available + Math.floor(150 * cents));
    broker.venue.set(0, { bids: [[100, 4_000]], asks: [[100, 4_000]], last: 100, reference: 100 });
  }
});

it("acts once for two devices that use a right at the same moment", async () => {
  const holder = await newHolder();
  await broker.buy(holder, 10);
  broker.announce();
  await broker.tick();
  const { offeringNo } = (await readIncrease(broker, holder)).offering;
  await broker.goTo(0, 97.39);
  await broker.goTo(1);
  const both = await Promise.allSettled([
    apply(broker, holder, offeringNo, { lots: 900 }),
    apply(broker, holder, offeringNo, { lots: 900 }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await moneyOf(broker, holder)).reserved).toBe(7_200_000);
  // A replay of the same request neither.
  const requestId = newId();
  const { items } = await broker.call("listSubscriptions", holder, { cursor: null });
  await withdraw(broker, holder, items[0]?.subscriptionNo ?? "");
  const once = await apply(broker, holder, offeringNo, { lots: 10, requestId });
  expect(await apply(broker, holder, offeringNo, { lots: 10, requestId })).toEqual(once);
  expect((await moneyOf(broker, holder)).reserved).toBe(80_000);
});

it("pays a right in cash when the server comes back after the close, once", async () => {
  const holder = await newHolder();
  const order = await broker.buy(holder, 1);
  const { closesAt } = broker.announce();
  await broker.tick();
  await broker.stop();
  await broker.sequencer.idle();
  const { available } = await moneyOf(broker, holder);
  broker.clock.now = closesAt + 3_600_000;
  broker.venue.setDay(broker.clock.now - 3_600_000, broker.clock.now + 80_000_000);
  broker = await openIncreases(broker);
  await broker.settled();
  await broker.tick();
  await broker.tick();
  expect((await readIncrease(broker, holder)).entitlement).toBeNull();
  expect((await broker.call("readOrder", holder, { orderNo: order })).order.dividendCents).toBe(Math.floor(150 * worthCents()));
  expect((await moneyOf(broker, holder)).available).toBe(available + Math.floor(150 * worthCents()));
  const settled = await query(broker.db.kysely, "SELECT FROM entitlement WHERE settled_at IS NULL", []);
  expect(settled).toEqual([]);
});
