/** Tests leverage: added margin moves the liquidation price away, and the broker closes a position at its maintenance level. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo, RequestId } from "#contract/kernel/id.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { liquidationPrice } from "#contract/profit.ts";
import { runCommand } from "#server/ops/run-command.ts";
import { onOwnBatch } from "#tests/support/own-batch.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { orderBecomes, newTrader, orderOf, place, expectConsistentBooks } from "./fixture.ts";

const DEPOSIT = 1_000_000_000;
/** The digital currency has no daily limits, so its price can be set freely. */
const MOVING = 7;

let broker: TestBroker;
let memberId: number;
beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  memberId = await newTrader(broker, DEPOSIT);
  market(100);
});
afterAll(() => broker.shut());

function market(at: number, lots = 1_000): void {
  broker.venue.set(MOVING, { bids: lots > 0 ? [[at, lots]] : [], asks: lots > 0 ? [[at, lots]] : [], last: at, reference: at });
}

const open = (direction: "rise" | "fall", leverage = 2, lots = 10) =>
  place(broker, memberId, { code: "2454", direction, funding: "leverage", leverage, lots });
const add = (orderNo: OrderNo, amount: number, requestId = randomUUID()) =>
  broker.call("addMargin", memberId, { requestId: requestId as RequestId, orderNo, amount });

describe("a liquidation", () => {
  it.each([
    ["rise", 2, 67, 66],
    ["fall", 2, 119, 121],
    ["rise", 3, 81, 79],
  ] as const)("of a %s at %i times happens not at %i, but at %i", async (direction, leverage, safe, due) => {
    const order = await open(direction, leverage);
    market(safe);
    await broker.settled();
    expect(await orderOf(broker, order.orderNo)).toMatchObject({ status: "holding", closed_lots: 0 });
    market(due);
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "liquidation", loan_cents: 0, collateral_cents: 0 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("happens at exactly the price that the ticket shows", async () => {
    const order = await open("rise", 3);
    const at = liquidationPrice(order) ?? 0;
    market((at + 100) / PRICE_ONE);
    await broker.settled();
    expect((await orderOf(broker, order.orderNo)).status).toBe("holding");
    market(at / PRICE_ONE);
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "liquidation" });
  });

  it("of odd lots is placed once, even if the price changes often until their auction, and again after the member amends its price", async () => {
    broker.venue.set(0, { bids: [[100, 100]], asks: [[100, 100]], last: 100, reference: 100 });
    const { orderNo } = await place(broker, memberId, { funding: "leverage", leverage: 2 });
    // As an ex-event would leave it.
    await broker.db.kysely
      .updateTable("order")
      .set({ lot_shares: 1, lots: 500, filled_lots: 500 })
      .where("order_no", "=", orderNo)
      .execute();
    await broker.stop();
    await broker.settled();
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    const sales = () => broker.published.filter(({ fact }) => fact.type === "order.closeRequested").length;
    for (const last of [99, 98, 97]) {
      broker.venue.set(0, { last });
      await orderBecomes(broker, orderNo, {
        status: "readyToClose",
        close_cause: "liquidation",
        close_market: "odd",
        close_price: 900_000,
      });
      await broker.settled();
    }
    expect(sales()).toBe(1);
    await broker.call("amendOrder", memberId, { requestId: randomUUID() as RequestId, orderNo, lots: null, price: 1_000_000 });
    await orderBecomes(broker, orderNo, { status: "readyToClose", close_cause: "liquidation", close_price: 900_000 });
    broker.venue.setCall(0, { bids: [[95, 999]] }, true);
    broker.venue.call("odd");
    await orderBecomes(broker, orderNo, { status: "closed" });
  });

  it("happens although the member's limit order rests, and continues with what the market did not take", async () => {
    const order = await open("rise", 2);
    await broker.close(memberId, order.orderNo, { lots: 10, price: 109 });
    market(60, 4);
    await orderBecomes(broker, order.orderNo, { status: "readyToClose", close_cause: "liquidation", closed_lots: 4 });
    market(61, 6);
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "liquidation", closed_lots: 10 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("of a locked position is asked for once a minute, not at every price, and happens when the lock is lifted", async () => {
    const { orderNo } = await open("rise", 2);
    await runCommand(broker.db, ["order", orderNo, "lock"], () => undefined);
    let decisions = 0;
    const stop = onOwnBatch(broker, memberId, () => (decisions += 1));
    for (const last of [60, 59, 58, 57]) {
      market(last);
      await broker.settled();
    }
    expect(decisions).toBe(1);
    await runCommand(broker.db, ["order", orderNo, "unlock"], () => undefined);
    broker.clock.now += MINUTE_MS;
    market(56);
    await orderBecomes(broker, orderNo, { status: "closed", close_cause: "liquidation" });
    stop();
  });

  it("closes the filled part of an order and cancels its pending rest", async () => {
    market(100, 3);
    const order = await place(broker, memberId, { code: "2454", funding: "leverage", leverage: 2, lots: 10, price: 100 });
    expect(order).toMatchObject({ status: "pending", filledLots: 3 });
    broker.venue.set(MOVING, { bids: [[60, 100]], asks: [[101, 100]], last: 60, reference: 60 });
    await orderBecomes(broker, order.orderNo, { status: "closed", lots: 3, closed_lots: 3, held_cents: 0 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("waits until a closed market opens", async () => {
    const order = await open("rise", 2);
    broker.venue.setPhase("closed");
    market(60);
    await broker.settled();
    expect((await orderOf(broker, order.orderNo)).status).toBe("holding");
    broker.venue.setPhase("open");
    await orderBecomes(broker, order.orderNo, { status: "closed", close_cause: "liquidation" });
  });

  it("happens at the next open after a restart during which the price fell", async () => {
    const order = await open("rise", 2);
    await broker.stop();
    market(60);
    const again = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await orderBecomes(again, order.orderNo, { status: "closed", close_cause: "liquidation" });
    broker = again;
  });
});

describe("adding margin", () => {
  it("reduces the loan of a long and moves its liquidation price away", async () => {
    const order = await open("rise", 2);
    const before = liquidationPrice(order) ?? 0;
    const after = await add(order.orderNo, 200_000);
    expect(after.loanCents).toBe(order.loanCents - 20_000_000);
    expect(liquidationPrice(after) ?? 0).toBeLessThan(before);
    // Of 1,000,000, 500,000 are borrowed. After 200,000 are repaid, the liquidation price is far lower.
    market(60);
    await broker.settled();
    expect((await orderOf(broker, order.orderNo)).status).toBe("holding");
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("increases the collateral of a short, which is fully returned with the last lot", async () => {
    const order = await open("fall", 2);
    const after = await add(order.orderNo, 300_000);
    expect(after.collateralCents).toBe(order.collateralCents + 30_000_000);
    expect(liquidationPrice(after) ?? 0).toBeGreaterThan(liquidationPrice(order) ?? 0);
    await broker.close(memberId, order.orderNo, { lots: 4 });
    await broker.close(memberId, order.orderNo, { lots: 6 });
    expect(await orderOf(broker, order.orderNo)).toMatchObject({ status: "closed", collateral_cents: 0 });
    await expectConsistentBooks(broker, memberId, DEPOSIT);
  });

  it("is applied once, even if it is sent repeatedly", async () => {
    const order = await open("rise", 2);
    const requestId = randomUUID();
    await Promise.all([add(order.orderNo, 10, requestId), add(order.orderNo, 10, requestId)]);
    expect((await orderOf(broker, order.orderNo)).loan_cents).toBe(order.loanCents - 1_000);
    expect(await refusalOf(add(order.orderNo, 11, requestId))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  });

  it("is refused with its own codes", async () => {
    const cash = await place(broker, memberId, { code: "2454", lots: 1 });
    expect(await refusalOf(add(cash.orderNo, 1))).toMatchObject({ code: "TRD_NOT_LEVERAGED" });
    const order = await open("rise", 2);
    expect(await refusalOf(add(order.orderNo, 500_001))).toMatchObject({
      code: "TRD_MARGIN_TOO_MUCH",
      params: { n: 500_000 },
      field: "amount",
    });
    const fall = await open("fall", 2);
    expect(await refusalOf(add(fall.orderNo, 1_000_000_000))).toMatchObject({ code: "FUND_AVAILABLE_INSUFFICIENT" });
    expect(await refusalOf(add("K999999999999" as OrderNo, 1))).toMatchObject({ code: "TRD_ORDER_NOT_FOUND" });
    await broker.close(memberId, order.orderNo, { lots: 10 });
    expect(await refusalOf(add(order.orderNo, 1))).toMatchObject({ code: "TRD_ALREADY_CLOSED" });
    market(100, 0);
    const pending = await place(broker, memberId, { code: "2454", funding: "leverage", leverage: 2, lots: 1, price: 100 });
    expect(await refusalOf(add(pending.orderNo, 1))).toMatchObject({ code: "TRD_ORDER_NOT_HOLDING" });
    await broker.cancel(memberId, pending.orderNo);
    expect(await refusalOf(add(pending.orderNo, 1))).toMatchObject({ code: "TRD_ALREADY_CANCELLED" });
  });
});
