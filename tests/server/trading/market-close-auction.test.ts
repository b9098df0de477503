/**
 * Tests market closes in call auctions: closes by a stop, a liquidation or a margin call are served first, and orders behind them still
 * fill.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { forceClose, submitForcedClose } from "#server/trading/risk/forced-close.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let holder: number;
let other: number;

beforeAll(async () => {
  broker = await openTestBroker();
});
beforeEach(async () => {
  broker.venue.setPhase("open");
  broker.venue.setMatching(0, null);
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  [holder, other] = [await broker.newMember(), await broker.newMember()];
});
afterAll(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

type Direction = "rise" | "fall";
type Cause = "condition" | "liquidation" | "marginCall";
const read = async (member: number, orderNo: OrderNo) => broker.call("readOrder", member, { orderNo });
const against = (direction: Direction): Direction => (direction === "rise" ? "fall" : "rise");

/** A position of two lots whose market close rests, because the book was empty when it was triggered. */
async function restingClose(direction: Direction, cause: Cause): Promise<OrderNo> {
  broker.venue.set(0, direction === "rise" ? { asks: [[100, 2]] } : { bids: [[100, 2]] });
  const stop = { kind: "stop", price: direction === "rise" ? 980_000 : 1_020_000 };
  const also = cause === "condition" ? { exits: [stop] } : {};
  const { orderNo } = await broker.place(holder, { direction, lots: 2, also });
  const last = direction === "rise" ? 98 : 102;
  broker.venue.set(0, { bids: [], asks: [], last, volume: broker.venue.quote(0).volume + 1 });
  await broker.settled();
  if (cause !== "condition")
    await submitForcedClose(broker.sequencer, { member_id: holder, order_no: orderNo }, (batch, order) => forceClose(batch, order, cause));
  await broker.settled();
  expect((await read(holder, orderNo)).order).toMatchObject({ status: "readyToClose", closePricing: "market", closeCause: cause });
  return orderNo;
}

/** The market has 50 lots on one side and 80 on the other, the side of the close. */
function crowd(direction: Direction, at: number): void {
  const [few, many] = [[[at, 50]] as const, [[at, 80]] as const];
  broker.venue.setCall(0, direction === "rise" ? { bids: few, asks: many, anchor: at } : { bids: many, asks: few, anchor: at });
}

describe.each(["rise", "fall"] as const)("of a %s", (direction) => {
  describe.each(["condition", "liquidation", "marginCall"] as const)("caused by %s", (cause) => {
    it.each(["closing", "resume"] as const)("the %s auction fills it completely, and the order behind it", async (kind) => {
      const orderNo = await restingClose(direction, cause);
      if (kind === "closing") broker.venue.setPhase("closingAuction");
      else broker.venue.setMatching(0, "call");
      broker.venue.set(0, { last: 100 });
      const behind = await broker.place(other, { direction: against(direction), price: 100, lots: 2 });
      crowd(direction, 100);
      broker.venue.call(kind, [0]);
      await broker.settled();
      expect(await read(holder, orderNo)).toMatchObject({ order: { status: "closed", closedLots: 2, closeCause: cause } });
      expect((await read(holder, orderNo)).fills.at(-1)).toMatchObject({ price: 1_000_000, lots: 2, reason: "auction" });
      expect((await read(other, behind.orderNo)).order).toMatchObject({ status: "holding", filledLots: 2 });
    });
  });

  it("the rest of a stop after a halt's auction trades at the market price, not at its auction limit", async () => {
    broker.venue.set(0, { bids: [[100, 5]], asks: [[100, 5]] });
    const sign = direction === "rise" ? -1 : 1;
    const exits = [{ kind: "stop", price: (100 + 4 * sign) * 10_000 }];
    const { orderNo } = await broker.place(holder, { direction, lots: 5, also: { exits } });
    broker.venue.setMatching(0, "call");
    const now = 100 + 5 * sign;
    const book: [number, number][] = [[now, 10]];
    broker.venue.set(0, { bids: [], asks: [], last: now });
    await broker.settled();
    const worst = (100 + 10 * sign) * 10_000;
    expect((await read(holder, orderNo)).order).toMatchObject({ status: "readyToClose", closePricing: "limit", closePrice: worst });
    broker.venue.setCall(0, direction === "rise" ? { bids: [[now, 2]] } : { asks: [[now, 2]] });
    broker.venue.call("resume", [0]);
    await broker.settled();
    expect((await read(holder, orderNo)).order.closedLots).toBe(2);
    broker.venue.setMatching(0, null);
    broker.venue.set(0, direction === "rise" ? { bids: book } : { asks: book });
    await broker.settled();
    const { order, fills } = await read(holder, orderNo);
    expect(order.status).toBe("closed");
    expect(fills.at(-1)).toMatchObject({ price: now * 10_000, lots: 3, reason: "resting" });
  });

  it("after hours a market close is filled completely, and the order behind it", async () => {
    broker.venue.set(0, { bids: [[100, 2]], asks: [[100, 2]] });
    const { orderNo } = await broker.place(holder, { direction, lots: 2 });
    broker.venue.setPhase("fixedPrice");
    await broker.close(holder, orderNo, { lots: 2, also: { fixed: true } });
    const behind = await broker.place(other, { direction: against(direction), price: 100, lots: 2, also: { market: "fixed" } });
    crowd(direction, 100);
    broker.venue.call("fixed", [0]);
    await broker.settled();
    expect((await read(holder, orderNo)).order).toMatchObject({ status: "closed", closedLots: 2 });
    expect((await read(other, behind.orderNo)).order).toMatchObject({ status: "holding", filledLots: 2 });
  });
});
