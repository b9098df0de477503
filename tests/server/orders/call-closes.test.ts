/** Closes at market in call auctions: what a stop, a liquidation or a margin call sells is served first, and starves nobody behind it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { sellOut, submitSale } from "#server/clockwork/selling.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openHouse } from "#tests/support/trading.ts";
import type { House } from "#tests/support/trading.ts";

let house: House;
let holder: number;
let other: number;

beforeAll(async () => {
  house = await openHouse();
});
beforeEach(async () => {
  house.venue.setPhase("open");
  house.venue.setMatching(0, null);
  house.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  [holder, other] = [await house.newMember(), await house.newMember()];
});
afterAll(async () => {
  expect(house.faults).toEqual([]);
  expect((await auditBooks(house.db.kysely)).differences).toEqual([]);
  await house.shut();
});

type Direction = "rise" | "fall";
type Cause = "condition" | "liquidation" | "marginCall";
const read = async (member: number, orderNo: OrderNo) => house.call("readOrder", member, { orderNo });
const against = (direction: Direction): Direction => (direction === "rise" ? "fall" : "rise");

/** A position of two lots whose close rests at market: nobody was there when it was set off. */
async function restingClose(direction: Direction, cause: Cause): Promise<OrderNo> {
  house.venue.set(0, direction === "rise" ? { asks: [[100, 2]] } : { bids: [[100, 2]] });
  const stop = { kind: "stop", price: direction === "rise" ? 980_000 : 1_020_000 };
  const also = cause === "condition" ? { exits: [stop] } : {};
  const { orderNo } = await house.place(holder, { direction, lots: 2, also });
  const last = direction === "rise" ? 98 : 102;
  house.venue.set(0, { bids: [], asks: [], last, volume: house.venue.quote(0).volume + 1 });
  await house.settled();
  if (cause !== "condition")
    await submitSale(house.counter, { member_id: holder, order_no: orderNo }, (round, order) => sellOut(round, order, cause));
  await house.settled();
  expect((await read(holder, orderNo)).order).toMatchObject({ status: "readyToClose", closePricing: "market", closeCause: cause });
  return orderNo;
}

/** The market brings 50 lots to one side and 80 to the other, which the close is on. */
function crowd(direction: Direction, at: number): void {
  const [few, many] = [[[at, 50]] as const, [[at, 80]] as const];
  house.venue.setCall(0, direction === "rise" ? { bids: few, asks: many, anchor: at } : { bids: many, asks: few, anchor: at });
}

describe.each(["rise", "fall"] as const)("of a %s", (direction) => {
  describe.each(["condition", "liquidation", "marginCall"] as const)("closed by %s", (cause) => {
    it.each(["closing", "resume"] as const)("the %s call fills it whole, and the order behind it", async (kind) => {
      const orderNo = await restingClose(direction, cause);
      if (kind === "closing") house.venue.setPhase("closingAuction");
      else house.venue.setMatching(0, "call");
      house.venue.set(0, { last: 100 });
      const behind = await house.place(other, { direction: against(direction), price: 100, lots: 2 });
      crowd(direction, 100);
      house.venue.call(kind, [0]);
      await house.settled();
      expect(await read(holder, orderNo)).toMatchObject({ order: { status: "closed", closedLots: 2, closeCause: cause } });
      expect((await read(holder, orderNo)).fills.at(-1)).toMatchObject({ price: 1_000_000, lots: 2, reason: "auction" });
      expect((await read(other, behind.orderNo)).order).toMatchObject({ status: "holding", filledLots: 2 });
    });
  });

  it("after hours a close at market is filled, whatever else is for sale", async () => {
    house.venue.set(0, { bids: [[100, 2]], asks: [[100, 2]] });
    const { orderNo } = await house.place(holder, { direction, lots: 2 });
    house.venue.setPhase("fixedPrice");
    await house.close(holder, orderNo, { lots: 2, also: { fixed: true } });
    const behind = await house.place(other, { direction: against(direction), price: 100, lots: 2, also: { market: "fixed" } });
    crowd(direction, 100);
    house.venue.call("fixed", [0]);
    await house.settled();
    expect((await read(holder, orderNo)).order).toMatchObject({ status: "closed", closedLots: 2 });
    expect((await read(other, behind.orderNo)).order).toMatchObject({ status: "holding", filledLots: 2 });
  });
});
