/** Tests what a run sells: everything it holds, whatever the member does with it; and that no decision shares a request with another. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { query } from "#server/db/database.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import {
  expectCleanBooks,
  FALLING,
  investor,
  newId,
  nextDay,
  openStrategyBroker,
  passTicks,
  past,
  priced,
  read,
  RISING,
} from "./fixture.ts";
import { start, strategyOrders, trades } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openStrategyBroker();
});
beforeEach(() => {
  broker.clock.now += DAY_MS;
  priced(broker, 30);
  past(broker, RISING);
});
afterEach(() => expectCleanBooks(broker));
afterAll(() => broker.shut());

/** A run that has bought three lots at 30. */
async function bought(): Promise<{ member: number; runNo: string; orderNo: never }> {
  const member = await investor(broker);
  const { runNo } = await start(broker, member, { stopPercent: 10 });
  await passTicks(broker);
  const [order] = await strategyOrders(broker, member);
  return { member, runNo, orderNo: order?.order_no as never };
}

describe("a run", () => {
  it("that is resumed on the day it bought buys on another request", async () => {
    const { member, runNo, orderNo } = await bought();
    await broker.call("pauseStrategy", member, { requestId: newId(), runNo });
    await broker.close(member, orderNo, { lots: 3 });
    await broker.call("resumeStrategy", member, { requestId: newId(), runNo });
    await passTicks(broker);
    const orders = await strategyOrders(broker, member);
    expect(orders).toHaveLength(2);
    expect(new Set(orders.map((order) => order.request_id)).size).toBe(2);
  });

  it("at its loss takes the place of a sale that the member asked for at a price above the market", async () => {
    const { member, runNo, orderNo } = await bought();
    await broker.close(member, orderNo, { lots: 3, price: 31 });
    priced(broker, 26);
    await passTicks(broker);
    await passTicks(broker);
    expect((await read(broker, member, runNo)).run).toMatchObject({ status: "stopped", reason: "loss" });
    expect(await strategyOrders(broker, member)).toMatchObject([{ status: "closed", close_cause: "strategy" }]);
  });

  it("sells single shares that an ex-event left in their auction, and ends", async () => {
    const { member, runNo, orderNo } = await bought();
    await query(broker.db.kysely, 'UPDATE "order" SET lot_shares = 1, lots = 3150, filled_lots = 3150 WHERE order_no = $1', [orderNo]);
    await nextDay(broker, FALLING);
    expect((await trades(broker, member, runNo)).at(-1)).toMatchObject({ side: "sell", wantedLots: 3, lots: 3 });
    await broker.call("stopStrategy", member, { requestId: newId(), runNo, keep: false });
    await passTicks(broker);
    broker.venue.setCall(0, { bids: [[30, 1_000]], anchor: 30 }, true);
    broker.venue.call("odd");
    await broker.settled();
    await passTicks(broker);
    expect(await strategyOrders(broker, member)).toMatchObject([{ status: "closed", closed_lots: 3150 }]);
    expect((await read(broker, member, runNo)).run).toMatchObject({ status: "stopped", sold: 1 });
  });
});
