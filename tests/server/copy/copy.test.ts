/** Tests copy trading: shares among followers, prices, what an amount allows, sales with the mentor, and stops. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import { signByHand } from "#tests/support/signature.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { CAPITAL_CENTS, copyOrders, expectCleanBooks, follow, follower, mentor, newId, parts, passTicks, priced, read } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => priced(broker, 100));
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const DAY_MS = 86_400_000;
describe("a purchase of a mentor", () => {
  it("is bought for each follower in proportion, as an ordinary order with its own fee, its holding and its facts", async () => {
    const one = await mentor(broker);
    const small = await follower(broker, one);
    const large = await follower(broker, one, { amount: 600_000 });
    await broker.place(one.member, { lots: 5 });
    await passTicks(broker);
    const [first] = await copyOrders(broker, small.member);
    expect(first).toMatchObject({
      code: "2330",
      status: "holding",
      filled_lots: 1,
      origin: "copy",
      funding: "cash",
      open_cents: 10_000_000,
    });
    expect(first?.open_fee_cents).toBe(14_200);
    expect((await copyOrders(broker, large.member)).map((order) => order.filled_lots)).toEqual([3]);
    expect((await read(broker, small.member, small.copyNo)).copy).toMatchObject({ copied: 1, leftOut: 0, slippageCents: 0 });
    const facts = broker.published.filter(({ memberId }) => memberId === small.member).map(({ fact }) => fact.type);
    expect(facts).toEqual(["agreement.signed", "copy.started", "order.placed", "order.filled", "copy.copied"]);
  });

  it("is copied once, however often the clock looks and after a restart", async () => {
    const one = await mentor(broker);
    const { member } = await follower(broker, one);
    await broker.place(one.member, { lots: 5 });
    await passTicks(broker);
    await broker.stop();
    await broker.settled();
    const { db, venue, clock } = broker;
    broker = await openTestBroker({ db, venue, clock });
    await query(db.kysely, "UPDATE mentor SET acted_at = since WHERE mentor_no = $1", [one.mentorNo]);
    await passTicks(broker);
    expect(await copyOrders(broker, member)).toHaveLength(1);
    expect(await query(db.kysely, "SELECT FROM copy_act WHERE mentor_no = $1", [one.mentorNo])).toHaveLength(1);
  });

  it("of which the market has less than is wanted is shared pro rata, at one average price that is told beside the mentor's", async () => {
    const one = await mentor(broker, { capitalCents: CAPITAL_CENTS * 10 });
    const followers = [await follower(broker, one, { amount: 600_000 }), await follower(broker, one, { amount: 300_000 })];
    const third = await follower(broker, one, { amount: 300_000 });
    await broker.place(one.member, { lots: 100 });
    // Wanted: 6, 3 and 3 lots; there are 4 at 100 and 4 at 100.5, and the rest is too far from the mentor's price.
    broker.venue.set(0, {
      bids: [[100, 10]],
      asks: [
        [100, 4],
        [100.5, 4],
        [103, 100],
      ],
      last: 100,
      reference: 100,
    });
    await passTicks(broker);
    const got = await Promise.all([...followers, third].map(({ member }) => copyOrders(broker, member)));
    expect(got.map(([order]) => order?.filled_lots)).toEqual([4, 2, 2]);
    const fills = await query<{ price: number; reason: string }>(
      broker.db.kysely,
      "SELECT DISTINCT price, reason FROM fill WHERE order_no = ANY ($1::text[])",
      [got.flat().map((order) => order.order_no)],
    );
    expect(fills).toEqual([{ price: 1_002_500, reason: "shared" }]);
    const [part] = await parts(broker, third.member, third.copyNo);
    expect(part).toMatchObject({ mentorPrice: 1_000_000, price: 1_002_500, wantedShares: 3_000, shares: 2_000, slippageCents: 50_000 });
    expect((await read(broker, third.member, third.copyNo)).copy.slippageCents).toBe(50_000);
  });

  it("never buys for more than the amount, and says why it bought nothing", async () => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one, { amount: 250_000 });
    await broker.place(one.member, { lots: 5 });
    await passTicks(broker);
    await broker.place(one.member, { lots: 10 });
    await passTicks(broker);
    await broker.place(one.member, { lots: 4 });
    await passTicks(broker);
    await broker.place(one.member, { lots: 1 });
    await passTicks(broker);
    const orders = await copyOrders(broker, member);
    expect(orders.map((order) => order.filled_lots)).toEqual([1, 1]);
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual([null, null, "amount", "tooSmall"]);
  });

  it("counts the fees of what lies in copies against the amount", async () => {
    const one = await mentor(broker);
    // Three lots at the highest price of a copy, half a percent above the mentor's, would fit without the fee of the first two.
    const { member, copyNo } = await follower(broker, one, { amount: 300_800 });
    await broker.place(one.member, { lots: 7 });
    await passTicks(broker);
    await broker.place(one.member, { lots: 4 });
    await passTicks(broker);
    const orders = await copyOrders(broker, member);
    expect(orders.map((order) => [order.filled_lots, order.open_cents, order.open_fee_cents])).toEqual([[2, 20_000_000, 28_500]]);
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual([null, "amount"]);
  });

  it("is left out where admission refuses it, the others get theirs", async () => {
    const one = await mentor(broker);
    const barred = await follower(broker, one);
    const poor = await follower(broker, one);
    const fine = await follower(broker, one);
    await query(broker.db.kysely, "UPDATE member SET restrictions = '{tradeBarred}' WHERE id = $1", [barred.member]);
    await broker.place(poor.member, { lots: 99 });
    await broker.place(one.member, { lots: 10 });
    await passTicks(broker);
    expect((await parts(broker, barred.member, barred.copyNo)).map(({ leftOut }) => leftOut)).toEqual(["restricted"]);
    expect((await parts(broker, poor.member, poor.copyNo)).map(({ leftOut }) => leftOut)).toEqual(["money"]);
    expect((await copyOrders(broker, fine.member)).map((order) => order.filled_lots)).toEqual([1]);
  });

  it("is left out at once of a stock that is traded by calls alone, with that reason", async () => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one);
    const order = await broker.place(one.member, { lots: 5, price: 100 });
    expect(order.status).toBe("holding");
    Object.assign(broker.venue.instruments[0] ?? {}, { watch: "disposition" });
    broker.venue.setMatching(0, "call");
    await passTicks(broker);
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual(["calls"]);
    Object.assign(broker.venue.instruments[0] ?? {}, { watch: "none" });
    broker.venue.setMatching(0, null);
  });

  it("is not copied too far from the mentor's price, nor a minute late, nor while paused", async () => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one);
    await broker.place(one.member, { lots: 5 });
    priced(broker, 101);
    await passTicks(broker);
    await broker.place(one.member, { lots: 5 });
    await passTicks(broker, 61);
    await broker.call("pauseCopy", member, { requestId: newId(), copyNo });
    await broker.place(one.member, { lots: 5 });
    await passTicks(broker);
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual(["thin", "late"]);
    await broker.call("resumeCopy", member, { requestId: newId(), copyNo });
    await passTicks(broker);
    expect(await copyOrders(broker, member)).toEqual([]);
  });

  it("that the mentor has sold again before it is copied is left out, and said to be", async () => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one);
    const { orderNo } = await broker.place(one.member, { lots: 5 });
    await broker.close(one.member, orderNo, { lots: 5 });
    await passTicks(broker);
    expect(await copyOrders(broker, member)).toEqual([]);
    expect((await parts(broker, member, copyNo)).map(({ leftOut }) => leftOut)).toEqual(["sold"]);
  });

  it("that is itself a copy is not copied, so that mentors who follow each other come to an end", async () => {
    const [one, other] = [await mentor(broker), await mentor(broker)];
    for (const { member } of [one, other]) {
      await signByHand(broker, member, "copy");
      await query(broker.db.kysely, "UPDATE member SET fund_password_hash = 'x' WHERE id = $1", [member]);
    }
    await follow(broker, one.member, other, { amount: 900_000 });
    await follow(broker, other.member, one, { amount: 900_000 });
    await broker.place(one.member, { lots: 10 });
    await passTicks(broker);
    await passTicks(broker);
    expect((await copyOrders(broker, other.member)).map((order) => order.filled_lots)).toEqual([8]);
    expect(await copyOrders(broker, one.member)).toEqual([]);
  });

  it("never trades with the mentor or among followers", async () => {
    const one = await mentor(broker);
    const { member } = await follower(broker, one);
    broker.venue.set(0, {
      bids: [[100, 10]],
      asks: [
        [100, 5],
        [101, 0],
      ],
      last: 100,
      reference: 100,
    });
    await broker.place(one.member, { lots: 5 });
    broker.venue.set(0, { bids: [[99, 10]], asks: [], last: 100, reference: 100 });
    // The mentor's own offer would be the only one.
    const [held] = await broker.db.kysely.selectFrom("order").selectAll().where("member_id", "=", one.member).execute();
    await broker.close(one.member, held?.order_no as never, { lots: 4, price: 100 });
    await passTicks(broker);
    expect(await copyOrders(broker, member)).toEqual([]);
  });
});

describe("a sale of a mentor", () => {
  it("sells the same part of each copy, rounded up, together at one price", async () => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one, { amount: 600_000 });
    const { orderNo } = await broker.place(one.member, { lots: 5 });
    await passTicks(broker);
    await broker.close(one.member, orderNo, { lots: 2 });
    await passTicks(broker);
    // Three of five stay: of three lots one is kept, 1.8 rounded down.
    expect((await copyOrders(broker, member)).map((order) => order.closed_lots)).toEqual([2]);
    await broker.close(one.member, orderNo, { lots: 3 });
    await passTicks(broker);
    const [order] = await copyOrders(broker, member);
    expect(order).toMatchObject({ status: "closed", close_cause: "copy" });
    const { copy, valuation } = await read(broker, member, copyNo);
    expect(copy.status).toBe("following");
    expect(valuation).toMatchObject({ costCents: 0, realisedCents: order?.profit_cents, unrealisedCents: 0 });
  });

  it("leaves what the market does not take in it, at its limit, which follows the market down until it is sold", async () => {
    const one = await mentor(broker);
    const { member } = await follower(broker, one, { amount: 600_000 });
    const { orderNo } = await broker.place(one.member, { lots: 10 });
    await passTicks(broker);
    broker.venue.set(0, { bids: [[100, 12]], asks: [[101, 10]], last: 100, reference: 100 });
    await broker.close(one.member, orderNo, { lots: 10 });
    broker.venue.set(0, { bids: [[99, 2]], asks: [[101, 10]], last: 100, reference: 100 });
    await passTicks(broker);
    // Half a percent below the bid, on a tick.
    const resting = { status: "readyToClose", closed_lots: 2, closing_lots: 3, close_pricing: "limit", close_price: price(986_000) };
    expect((await copyOrders(broker, member))[0]).toMatchObject(resting);
    priced(broker, 98);
    await passTicks(broker);
    expect((await copyOrders(broker, member))[0]).toMatchObject({
      status: "closed",
      closed_lots: 5,
      close_cents: 2 * 9_900_000 + 3 * 9_800_000,
    });
  });
});

describe("a stop", () => {
  const bought = async (over: Parameters<typeof follower>[2] = {}) => {
    const one = await mentor(broker);
    const { member, copyNo } = await follower(broker, one, { amount: 250_000, stopPercent: 8, ...over });
    await broker.place(one.member, { lots: 10 });
    await passTicks(broker);
    return { one, member, copyNo };
  };

  it("at the loss sells everything at the market, and loses no more than the market and the costs", async () => {
    const { member, copyNo } = await bought();
    priced(broker, 92);
    await passTicks(broker);
    expect((await read(broker, member, copyNo)).copy.status).toBe("following");
    priced(broker, 89);
    await passTicks(broker);
    const { copy, valuation } = await read(broker, member, copyNo);
    expect(copy).toMatchObject({ status: "stopped", reason: "loss", kept: false });
    const [order] = await copyOrders(broker, member);
    expect(order).toMatchObject({ status: "closed", close_cause: "copy", close_cents: 17_800_000 });
    const costs = (order?.open_fee_cents ?? 0) + (order?.close_fee_cents ?? 0) + (order?.close_tax_cents ?? 0);
    expect(valuation?.realisedCents).toBe(17_800_000 - 20_000_000 - costs);
    const { items } = await broker.call("listMessages", member, { cursor: null });
    expect(items.find(({ notice }) => notice)?.notice).toMatchObject({
      about: "copyStopped",
      values: { mentor: "Teacher", reason: "copyLoss" },
    });
  });

  it("comes at the deadline and when the mentor is removed; nothing is copied after it", async () => {
    const late = await bought({ days: 7 });
    broker.clock.now += 7 * DAY_MS;
    await passTicks(broker);
    expect((await read(broker, late.member, late.copyNo)).copy).toMatchObject({ status: "stopped", reason: "deadline" });
    const gone = await bought();
    await query(broker.db.kysely, "UPDATE mentor SET removed_at = $2 WHERE mentor_no = $1", [gone.one.mentorNo, broker.clock.now]);
    await passTicks(broker);
    expect((await read(broker, gone.member, gone.copyNo)).copy).toMatchObject({ status: "stopped", reason: "removed" });
    await broker.place(gone.one.member, { lots: 10 });
    await passTicks(broker);
    expect(await copyOrders(broker, gone.member)).toMatchObject([{ status: "closed" }]);
  });

  it("by the member sells, or keeps what was copied as the member's own", async () => {
    const sold = await bought();
    await broker.call("stopCopy", sold.member, { requestId: newId(), copyNo: sold.copyNo, keep: false });
    await passTicks(broker);
    expect((await read(broker, sold.member, sold.copyNo)).copy).toMatchObject({ status: "stopped", reason: "member" });
    expect(await copyOrders(broker, sold.member)).toMatchObject([{ status: "closed" }]);
    const kept = await bought();
    const asked = { requestId: newId(), copyNo: kept.copyNo, keep: true };
    const first = await broker.call("stopCopy", kept.member, asked);
    expect(first).toMatchObject({ status: "stopped", kept: true });
    expect(await broker.call("stopCopy", kept.member, asked)).toEqual(first);
    await passTicks(broker);
    expect(await copyOrders(broker, kept.member)).toMatchObject([{ status: "holding" }]);
  });

  it("waits while nothing can be sold", async () => {
    const { member, copyNo } = await bought();
    broker.venue.setPhase("closed");
    await broker.call("stopCopy", member, { requestId: newId(), copyNo, keep: false });
    await passTicks(broker);
    expect((await read(broker, member, copyNo)).copy.status).toBe("stopping");
    broker.venue.setPhase("open");
    await passTicks(broker);
    expect((await read(broker, member, copyNo)).copy.status).toBe("stopped");
  });
});
