/** Tests securities lending: its fee to the cent, lots that nobody sells, what the broker and ex-events do to them, and every refusal. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CorporateAction } from "#contract/corporate-action.ts";
import { PlaceOrderBody } from "#contract/order.ts";
import { taipeiDay } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import { adjustOrder } from "#server/trading/clearing/corporate-action.ts";
import { place } from "#tests/server/money/fixture.ts";
import { action, units } from "#tests/server/trading/ex-terms.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { asks, available, calm, close, expectCleanBooks, lend, lender, newId, orderOf, pass, read } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(() => {
  calm(broker);
  broker.venue.setDemands([]);
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

/** The fee of a day at 4 % a year. */
const feeOn = (valueCents: number, days = 1): number => Math.floor((valueCents * 0.04) / 365) * days;
const refusal = (code: string, field?: string, params: object = {}) => ({ code, ...(field === undefined ? {} : { field }), params });
const flows = async (member: number): Promise<number[]> => {
  const { items } = await broker.call("listFlows", member, { kinds: ["lendingFee"], from: null, until: null, cursor: null });
  return items.map(({ amountCents }) => amountCents);
};

describe("a loan of shares", () => {
  it("counts each day at its close and pays the lender's part at the end of its term", async () => {
    const { member, orderNo } = await lender(broker);
    const before = await available(broker, member);
    const { lendingNo } = await lend(broker, member, asks(broker), orderNo, 3);
    expect((await orderOf(broker, member, orderNo)).onLoanLots).toBe(3);
    await pass(broker, 1, 110);
    await pass(broker, 3, 90);
    const fee = feeOn(33_000_000) + feeOn(27_000_000, 3);
    expect(await read(broker, member, lendingNo)).toMatchObject({ status: "inProgress", feeCents: fee, paidCents: 0 });
    const market = await broker.call("readLendingMarket", member, {});
    expect(market).toMatchObject({ paidCents: 0, accruedCents: Math.floor((fee * 3) / 4) });
    // The term ends within these days: what comes after it brings nothing.
    await pass(broker, 40, 100);
    const whole = fee + feeOn(30_000_000, 26);
    const paid = Math.floor((whole * 3) / 4);
    expect(await read(broker, member, lendingNo)).toMatchObject({ status: "completed", reason: "term", feeCents: whole, paidCents: paid });
    expect(await flows(member)).toEqual([paid]);
    expect((await available(broker, member)) - before).toBe(paid);
    expect(await orderOf(broker, member, orderNo)).toMatchObject({ lendingCents: paid });
    const { items } = await broker.call("listMessages", member, { cursor: null });
    expect(items[0]?.notice).toMatchObject({ about: "lendingReturned", values: { code: "2330", shares: "3000" } });
    const closed = await close(broker, member, orderNo, 5);
    expect(closed.status).toBe("closed");
    expect(closed.profitCents).toBe((await available(broker, member)) - 1_000_000_000);
  });

  it("returns after the notice of a recall, and counts its days", async () => {
    const { member, orderNo } = await lender(broker);
    const { lendingNo } = await lend(broker, member, asks(broker, { noticeDays: 10 }), orderNo, 5);
    await broker.call("recallShares", member, { requestId: newId(), lendingNo });
    await pass(broker, 9);
    expect((await read(broker, member, lendingNo)).status).toBe("recalled");
    await expect(close(broker, member, orderNo, 1)).rejects.toMatchObject(refusal("TRD_SHARES_LENT", "orderNo", { n: "5,000" }));
    await pass(broker, 1);
    expect(await read(broker, member, lendingNo)).toMatchObject({ status: "completed", reason: "recall", feeCents: feeOn(50_000_000, 10) });
    expect((await close(broker, member, orderNo, 5)).status).toBe("closed");
  });

  it("acts once, and is known after a restart", async () => {
    const { member, orderNo } = await lender(broker);
    const requestId = newId();
    const demand = asks(broker);
    const first = await lend(broker, member, demand, orderNo, 2, { requestId });
    expect(await lend(broker, member, demand, orderNo, 2, { requestId })).toEqual(first);
    await broker.stop();
    await broker.settled();
    const { db, venue, clock } = broker;
    broker = await openTestBroker({ db, venue, clock });
    await pass(broker, 2);
    expect((await read(broker, member, first.lendingNo)).feeCents).toBe(feeOn(20_000_000, 2));
    await expect(close(broker, member, orderNo, 4)).rejects.toMatchObject(refusal("TRD_SHARES_LENT", "lots", { n: "2,000" }));
  });
});

describe("lent shares", () => {
  it("are sold on no way of the member's, the others are", async () => {
    const { member, orderNo } = await lender(broker);
    await lend(broker, member, asks(broker), orderNo, 3);
    const lent = { n: "3,000" };
    await expect(close(broker, member, orderNo, 3)).rejects.toMatchObject(refusal("TRD_SHARES_LENT", "lots", lent));
    const position = { code: "2330", direction: "rise", funding: "cash", dayTrade: false } as const;
    const all = {
      requestId: newId(),
      ...position,
      orderNos: [],
      shares: 5_000,
      pricing: "market",
      price: null,
      validity: "rod",
      fixed: false,
    };
    await expect(broker.call("closePosition", member, all as never)).rejects.toMatchObject(refusal("TRD_SHARES_LENT", "shares", lent));
    await expect(broker.call("reverseOrder", member, { requestId: newId(), orderNo })).rejects.toMatchObject({ code: "TRD_SHARES_LENT" });
    const outcome = await broker.call("closeOrders", member, { requestId: newId(), code: null });
    expect(outcome.orders).toMatchObject([{ closedLots: 2, onLoanLots: 3 }]);
    const again = await broker.call("closeOrders", member, { requestId: newId(), code: null });
    expect(again.refused).toMatchObject([{ orderNo, code: "TRD_SHARES_LENT" }]);
  });

  it("come back at once when the broker has to sell them for a debt, with the fee so far", async () => {
    const { member, orderNo } = await lender(broker);
    const { lendingNo } = await lend(broker, member, asks(broker), orderNo, 5);
    await pass(broker, 2);
    await broker.sequencer.submit({
      memberIds: [member],
      decide: (batch) => {
        const owed = batch.ledger.balance(member, "available") + 1_000_000;
        batch.ledger.settle({ memberId: member, kind: "tax", orderNo: null, moves: [] }, [{ to: "tax", amount: owed }]);
        batch.emit(member, { type: "debt.incurred", owedCents: 1_000_000 as never });
      },
    });
    await vi.waitFor(async () => expect((await orderOf(broker, member, orderNo)).status).toBe("closed"), { timeout: 30_000, interval: 50 });
    expect(await read(broker, member, lendingNo)).toMatchObject({ status: "completed", reason: "broker", feeCents: feeOn(50_000_000, 2) });
  });

  it.each([
    ["a split", { freeMillionths: 1_000_000 }, { lots: 4, lotShares: 1000 }],
    ["bonus shares that make single shares", { freeMillionths: 77_000 }, { lots: 2154, lotShares: 1 }],
    ["a dividend", { cash: units(3) }, { lots: 2, lotShares: 1000 }],
  ] as const)("follow %s", async (_, terms, expected) => {
    const { member, orderNo } = await lender(broker);
    const { lendingNo } = await lend(broker, member, asks(broker), orderNo, 2);
    const event: CorporateAction = action("cash" in terms ? "dividend" : "split", terms, taipeiDay(broker.clock.now));
    await broker.sequencer.submit({
      memberIds: [member],
      orderNos: [orderNo],
      decide: (batch) => {
        const order = batch.order(member, orderNo);
        if (order) adjustOrder(batch, order, event);
      },
    });
    expect(await read(broker, member, lendingNo)).toMatchObject({ status: "inProgress", ...expected });
    const order = await orderOf(broker, member, orderNo);
    expect(order.onLoanLots).toBe(expected.lots);
    // Compensated as if they were held: on all five lots.
    if ("cash" in terms) expect(order.dividendCents).toBe(1_500_000);
  });

  it("are not sold short by their lender, and what is short is not lent", async () => {
    const { member, orderNo } = await lender(broker);
    const { lendingNo } = await broker.call("offerShares", member, {
      requestId: newId(),
      orderNo,
      lots: 1,
      ratePerMillion: 40_000,
      days: 7,
    });
    await expect(place(broker, member, { direction: "fall" })).rejects.toMatchObject(refusal("TRD_LEND_SHORT", "direction"));
    await broker.call("withdrawLendingOffer", member, { requestId: newId(), lendingNo });
    await broker.call(
      "placeOrder",
      member,
      PlaceOrderBody.parse({ requestId: newId(), code: "2330", direction: "fall", pricing: "limit", price: 1_050_000, lots: 1 }),
    );
    await expect(lend(broker, member, asks(broker), orderNo, 1)).rejects.toMatchObject(refusal("TRD_LEND_SHORT", "orderNo"));
  });
});

describe("lending is refused", () => {
  it("without the agreement", async () => {
    const member = await broker.newMember();
    const { orderNo } = await place(broker, member, { lots: 5 });
    await expect(lend(broker, member, asks(broker), orderNo, 1)).rejects.toMatchObject({ code: "ACC_AGREEMENT_UNSIGNED" });
  });

  it("for shares that are not there, not free, or not the member's own", async () => {
    const { member, orderNo } = await lender(broker);
    const demand = asks(broker, { minimumCents: 0 });
    const other = await lender(broker);
    for (const none of ["K999999999999" as never, other.orderNo]) {
      const own = { requestId: newId(), orderNo: none, lots: 1, ratePerMillion: 40_000, days: 7 } as const;
      await expect(lend(broker, member, demand, none, 1)).rejects.toMatchObject(refusal("TRD_ORDER_NOT_FOUND", "orderNo"));
      await expect(broker.call("offerShares", member, own)).rejects.toMatchObject(refusal("TRD_ORDER_NOT_FOUND", "orderNo"));
    }
    await expect(lend(broker, member, demand, orderNo, 6)).rejects.toMatchObject(refusal("TRD_SELL_EXCEEDS", "lots"));
    await lend(broker, member, demand, orderNo, 4);
    await expect(lend(broker, member, demand, orderNo, 2)).rejects.toMatchObject(refusal("TRD_SHARES_LENT", "lots", { n: "4,000" }));
    const margin = await lender(broker, 2);
    await query(broker.db.kysely, "UPDATE trader SET margin_status = 'approved' WHERE member_id = $1", [margin.member]);
    const borrowed = await place(broker, margin.member, { lots: 2, funding: "margin" });
    await expect(lend(broker, margin.member, demand, borrowed.orderNo, 1)).rejects.toMatchObject(refusal("TRD_LEND_INELIGIBLE", "orderNo"));
    const resting = await place(broker, margin.member, { lots: 1, price: 95 });
    await expect(lend(broker, margin.member, demand, resting.orderNo, 1)).rejects.toMatchObject(
      refusal("TRD_ORDER_NOT_HOLDING", "orderNo"),
    );
    await query(broker.db.kysely, `UPDATE "order" SET locked = true WHERE order_no = $1`, [margin.orderNo]);
    await expect(lend(broker, margin.member, demand, margin.orderNo, 1)).rejects.toMatchObject(refusal("TRD_POSITION_LOCKED", "orderNo"));
  });

  it("beyond the quota, below the least amount, and when it is closed", async () => {
    const { member, orderNo } = await lender(broker);
    const other = await lender(broker);
    const demand = asks(broker, { lots: 4 });
    await lend(broker, other.member, demand, other.orderNo, 3);
    await expect(lend(broker, member, demand, orderNo, 2)).rejects.toMatchObject(refusal("TRD_LEND_QUOTA_FULL", "lots"));
    const small = asks(broker, { minimumCents: 20_000_000 });
    await expect(lend(broker, member, small, orderNo, 1)).rejects.toMatchObject(refusal("TRD_LEND_MIN", "lots", { n: "200,000" }));
    await expect(lend(broker, member, demand, orderNo, 1)).rejects.toMatchObject(refusal("TRD_LEND_CLOSED", "demandId"));
    broker.venue.setDemands(null);
    const own = { requestId: newId(), orderNo, lots: 1, ratePerMillion: 40_000, days: 7 } as const;
    await expect(broker.call("offerShares", member, own)).rejects.toMatchObject({ code: "TRD_LEND_CLOSED" });
  });

  it("at a rate above what a short pays without the broker's part, and of another's loan", async () => {
    const { member, orderNo } = await lender(broker);
    const own = { requestId: newId(), orderNo, lots: 1, days: 7 } as const;
    for (const ratePerMillion of [41_000, 39_500, 0, -1_000, 2_000_000])
      await expect(broker.call("offerShares", member, { ...own, ratePerMillion })).rejects.toMatchObject(
        refusal("VAL_LEND_RATE", "ratePerMillion", { n: 4 }),
      );
    const { lendingNo } = await broker.call("offerShares", member, { ...own, ratePerMillion: 40_000 });
    const stranger = await broker.newMember();
    for (const endpoint of ["recallShares", "withdrawLendingOffer"] as const)
      await expect(broker.call(endpoint, stranger, { requestId: newId(), lendingNo })).rejects.toMatchObject(
        refusal("GEN_NOT_FOUND", "lendingNo"),
      );
    expect((await broker.call("listLendings", stranger, { cursor: null })).items).toEqual([]);
  });
});
