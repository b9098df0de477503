/** Tests the lifecycle of an order from the ticket to the closed position, with every cent it moves. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;
const DEPOSIT = 1_000_000_000;

beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  for (const row of [0, 1, 2, 3, 4, 6]) broker.venue.set(row, { bids: [], asks: [], last: 100, reference: 100 });
  await broker.settled();
  member = await broker.newMember();
  broker.published.length = 0;
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const overview = () => broker.call("readMember", member, {});
const facts = () => broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact.type);
const flows = async () => (await broker.call("listFlows", member, { kinds: null, from: null, until: null, cursor: null })).items;

describe("opening a long", () => {
  it("at market takes the levels of the book, and pays value and fee", async () => {
    broker.venue.set(0, {
      asks: [
        [100, 2],
        [100.5, 5],
      ],
      bids: [[99.5, 9]],
    });
    const order = await broker.place(member, { lots: 3 });
    expect(order).toMatchObject({
      status: "holding",
      filledLots: 3,
      openCents: 30_050_000,
      openFeeCents: 42_800,
      openTaxCents: 0,
      heldCents: 0,
    });
    expect(order.openAverage).toBe(1_001_667);
    expect(facts()).toEqual(["order.placed", "order.filled"]);
    const { fills } = await broker.call("readOrder", member, { orderNo: order.orderNo });
    expect(fills).toMatchObject([
      { price: 1_000_000, lots: 2, level: 1, best: 1_000_000, reason: "bookLevel", feeCents: 28_500 },
      { price: 1_005_000, lots: 1, level: 2, best: 1_000_000, reason: "bookLevel", feeCents: 14_300 },
    ]);
    expect((await overview()).availableCents).toBe(DEPOSIT - 30_050_000 - 42_800);
    expect((await flows()).map(({ kind, amountCents, frozenCents }) => [kind, amountCents, frozenCents])).toEqual([
      ["fee", -42_800, -42_800],
      ["buy", -30_050_000, -30_050_000],
      ["hold", 0, 30_092_800],
      ["deposit", DEPOSIT, 0],
    ]);
  });

  it("at a limit rests, fills at that price when the market reaches it, and releases the rest of the hold", async () => {
    const placed = await broker.place(member, { lots: 2, price: 99 });
    expect(placed).toMatchObject({ status: "pending", heldCents: 19_800_000 + 28_200 });
    expect((await overview()).frozenCents).toBe(19_828_200);
    broker.venue.set(0, { asks: [[99.5, 5]] });
    await broker.settled();
    expect(facts()).toEqual(["order.placed"]);
    broker.venue.set(0, {
      asks: [
        [98.5, 1],
        [99.5, 5],
      ],
    });
    await broker.settled();
    expect(facts()).toEqual(["order.placed", "order.partlyFilled"]);
    broker.venue.set(0, { asks: [[99, 5]] });
    await broker.settled();
    expect(facts()).toEqual(["order.placed", "order.partlyFilled", "order.filled"]);
    const { order, fills } = await broker.call("readOrder", member, { orderNo: placed.orderNo });
    expect(order).toMatchObject({ status: "holding", openCents: 19_800_000, openFeeCents: 28_200, heldCents: 0 });
    expect(fills.map(({ price, reason }) => [price, reason])).toEqual([
      [990_000, "resting"],
      [990_000, "resting"],
    ]);
    expect(await overview()).toMatchObject({ availableCents: DEPOSIT - 19_800_000 - 28_200, frozenCents: 0 });
  });

  it("at market leaves the rest to the next book, bounded by the limit-up price", async () => {
    broker.venue.set(0, { asks: [[100, 1]] });
    const order = await broker.place(member, { lots: 3 });
    // One lot at 100, two at the limit-up price of 110, and the fee of all.
    expect(order).toMatchObject({ status: "pending", filledLots: 1, price: null });
    expect(order.heldCents).toBe(10_000_000 + 22_000_000 + 45_600 - 10_000_000 - 14_200);
    broker.venue.set(0, { asks: [[101, 9]] });
    await broker.settled();
    expect((await broker.call("readOrder", member, { orderNo: order.orderNo })).order).toMatchObject({
      status: "holding",
      filledLots: 3,
      openCents: 30_200_000,
    });
  });

  it("counts the filled lots of a partially filled order in the member's total", async () => {
    broker.venue.set(0, { asks: [[100, 1]] });
    const rise = await broker.place(member, { lots: 3, price: 100 });
    expect(rise).toMatchObject({ status: "pending", filledLots: 1 });
    // The fee paid, and the estimated fee and tax of selling.
    expect(await overview()).toMatchObject({ totalCents: DEPOSIT - 14_200 - 14_200 - 30_000, currentProfitCents: -58_400 });
    broker.venue.set(1, { bids: [[100, 1]] });
    const fall = await broker.place(member, { code: "2603", direction: "fall", lots: 3, price: 100 });
    expect(fall).toMatchObject({ status: "pending", filledLots: 1 });
    // Fee and tax of selling, and the estimated fee of buying back.
    expect((await overview()).totalCents).toBe(DEPOSIT - 2 * 58_400);
    for (const { orderNo } of [rise, fall]) expect(await broker.cancel(member, orderNo)).toMatchObject({ status: "holding", lots: 1 });
    expect((await overview()).totalCents).toBe(DEPOSIT - 2 * 58_400);
  });

  it("becomes a position of the filled lots when the rest is cancelled", async () => {
    broker.venue.set(0, { asks: [[100, 1]] });
    const { orderNo } = await broker.place(member, { lots: 3, price: 100 });
    const order = await broker.cancel(member, orderNo);
    expect(order).toMatchObject({ status: "holding", lots: 1, filledLots: 1, heldCents: 0 });
    expect(facts()).toEqual(["order.placed", "order.partlyFilled", "order.reduced"]);
    expect((await overview()).availableCents).toBe(DEPOSIT - 10_000_000 - 14_200);
  });

  it("leaves nothing behind when cancelled unfilled", async () => {
    const { orderNo } = await broker.place(member, { lots: 3, price: 100 });
    expect(await broker.cancel(member, orderNo)).toMatchObject({ status: "cancelled", heldCents: 0 });
    expect(await overview()).toMatchObject({ availableCents: DEPOSIT, frozenCents: 0, totalCents: DEPOSIT });
  });

  it("pays the minimum fee once per order, not per fill", async () => {
    for (const row of [0]) broker.venue.set(row, { last: 5, reference: 5, asks: [[5, 1]] });
    const { orderNo } = await broker.place(member, { lots: 2, price: 5 });
    broker.venue.set(0, { asks: [[5, 1]] });
    await broker.settled();
    const { order, fills } = await broker.call("readOrder", member, { orderNo });
    expect(order.openFeeCents).toBe(2_000);
    expect(fills.map((fill) => fill.feeCents)).toEqual([2_000, 0]);
  });
});

describe("closing a long", () => {
  it("in parts realises each part's profit, and ends closed", async () => {
    broker.venue.set(0, { asks: [[100, 9]] });
    const { orderNo } = await broker.place(member, { lots: 3 });
    broker.venue.set(0, { bids: [[104, 9]], asks: [] });
    const part = await broker.close(member, orderNo, { lots: 1 });
    // 104,000 - fee 148 - tax 312 - a third of 300,000 and of the fee 427
    expect(part).toMatchObject({
      status: "holding",
      closedLots: 1,
      closingLots: 0,
      closeFeeCents: 14_800,
      closeTaxCents: 31_200,
      closePricing: null,
    });
    expect(part.profitCents).toBe(10_400_000 - 14_800 - 31_200 - 10_000_000 - 14_233);
    const done = await broker.close(member, orderNo, { lots: 2 });
    expect(done).toMatchObject({ status: "closed", closedLots: 3, closeCents: 31_200_000, closePricing: "market" });
    expect(facts().slice(2)).toEqual(["order.closeRequested", "order.lotsClosed", "order.closeRequested", "order.closed"]);
    const now = await overview();
    expect(now.totalCents).toBe(DEPOSIT + done.profitCents);
    expect(now).toMatchObject({
      realisedCents: done.profitCents,
      todayRealisedCents: done.profitCents,
      todayProfitCents: done.profitCents,
      currentProfitCents: 0,
      positionsCents: 0,
    });
  });

  it("at a limit rests, fills in parts, and its rest can be cancelled", async () => {
    broker.venue.set(0, { asks: [[100, 9]] });
    const { orderNo } = await broker.place(member, { lots: 3 });
    broker.venue.set(0, { bids: [[101, 9]], asks: [] });
    expect(await broker.close(member, orderNo, { lots: 2, price: 102 })).toMatchObject({
      status: "readyToClose",
      closingLots: 2,
      closePrice: 1_020_000,
    });
    broker.venue.set(0, { bids: [[102.5, 1]] });
    await broker.settled();
    expect((await broker.call("readOrder", member, { orderNo })).order).toMatchObject({
      status: "readyToClose",
      closingLots: 1,
      closedLots: 1,
      closeCents: 10_200_000,
    });
    expect(await broker.cancel(member, orderNo)).toMatchObject({ status: "holding", closingLots: 0, closedLots: 1, closePricing: null });
    expect(facts().slice(2)).toEqual(["order.closeRequested", "order.closePartlyFilled", "order.closeCancelled"]);
    expect((await broker.call("listPositions", member, {})).positions).toHaveLength(1);
  });
});

describe("opening a short", () => {
  it("holds collateral beside the proceeds, and earns when the price falls", async () => {
    broker.venue.set(0, { bids: [[100, 9]] });
    const order = await broker.place(member, { direction: "fall", lots: 2 });
    // 200,000 of proceeds: fee 285, tax 600, collateral 180,000 of the member's money and the proceeds themselves.
    expect(order).toMatchObject({
      status: "holding",
      openCents: 20_000_000,
      openFeeCents: 28_500,
      openTaxCents: 60_000,
      collateralCents: 38_000_000,
      heldCents: 0,
    });
    expect(await overview()).toMatchObject({ availableCents: DEPOSIT - 18_000_000 - 88_500, frozenCents: 38_000_000 });
    broker.venue.set(0, { asks: [[95, 9]], bids: [], last: 95 });
    const open = await overview();
    expect(open.currentProfitCents).toBe(1_000_000 - 88_500 - 27_000);
    expect(open.totalCents).toBe(DEPOSIT + open.currentProfitCents);
    const done = await broker.close(member, order.orderNo, { lots: 2 });
    expect(done).toMatchObject({ status: "closed", collateralCents: 0, profitCents: 1_000_000 - 88_500 - 27_000 });
    expect(await overview()).toMatchObject({ availableCents: DEPOSIT + done.profitCents, frozenCents: 0 });
  });

  it("leaves a debt when neither collateral nor balance cover the loss", async () => {
    broker.venue.set(7, { bids: [[100, 1]] });
    const short = await broker.newMember({ depositCents: 11_000_000 });
    const held = await broker.place(short, { direction: "fall", lots: 1, code: "2454" });
    expect(held.collateralCents).toBe(9_000_000 + 10_000_000);
    broker.venue.set(7, { bids: [], asks: [[250, 1]], last: 250, reference: 250 });
    const done = await broker.close(short, held.orderNo, { lots: 1 });
    expect(done.status).toBe("closed");
    const after = await broker.call("readMember", short, {});
    const debtCents = 0 - 11_000_000 - done.profitCents;
    expect(debtCents).toBeGreaterThan(0);
    expect(after).toMatchObject({ availableCents: 0, frozenCents: 0, debtCents, realisedCents: done.profitCents });
  });
});

describe("the account overview", () => {
  it("is a consistent snapshot while trades happen", async () => {
    const rich = await broker.newMember({ depositCents: 100 * DEPOSIT });
    const totals: number[] = [];
    const left = { orders: 60 };
    const trade = async (): Promise<void> => {
      for (; left.orders > 0; left.orders -= 1) {
        broker.venue.set(0, { asks: [[100, 9]] });
        await broker.place(rich, { lots: 9 });
      }
    };
    const look = async (): Promise<void> => {
      while (left.orders > 0) totals.push((await broker.call("readMember", rich, {})).totalCents);
    };
    await Promise.all([trade(), look(), look()]);
    // 9 lots of 100,000: two fees of 1,282 and the tax of 2,700 each time, and the total never off by an order's 900,000.
    const spent = totals.map((total) => (100 * DEPOSIT - total) / 526_400);
    expect(spent.filter((orders) => !Number.isInteger(orders) || orders < 0 || orders > 60)).toEqual([]);
  });
});

describe("facts", () => {
  it("are numbered without gaps, contain the balances after them, and can be fetched again", async () => {
    broker.venue.set(0, { asks: [[100, 9]] });
    await broker.place(member, { lots: 1 });
    await broker.place(member, { lots: 1, price: 99 });
    const { facts: received, newest } = await broker.call("factsSince", member, { after: 0 });
    expect(received.map(({ n, type }) => [n, type])).toEqual([
      [1, "order.placed"],
      [2, "order.filled"],
      [3, "order.placed"],
    ]);
    expect(newest).toBe(3);
    expect(received).toEqual(broker.published.filter((one) => one.memberId === member).map(({ fact }) => fact));
    const now = await overview();
    expect(received.at(-1)).toMatchObject({
      money: { availableCents: now.availableCents, frozenCents: now.frozenCents, profitCents: 0 },
    });
    expect((await broker.call("factsSince", member, { after: 2 })).facts.map(({ n }) => n)).toEqual([3]);
  });
});
