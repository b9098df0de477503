/** Tests matching between members: by price and then by time, at the price of the resting order, never with themselves. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let buyer: number;
let seller: number;
let other: number;

beforeEach(async () => {
  broker = await openTestBroker();
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  [buyer, seller, other] = [await broker.newMember(), await broker.newMember(), await broker.newMember()];
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const read = (member: number, orderNo: OrderNo) => broker.call("readOrder", member, { orderNo });
const sell = (member: number, price: number | null, lots = 1) => broker.place(member, { direction: "fall", price, lots });
const buy = (member: number, price: number | null, lots = 1) => broker.place(member, { price, lots });

describe("an order that matches another member's", () => {
  it("is executed at the price of the resting order, on both sides in one batch", async () => {
    const rests = await sell(seller, 99, 2);
    const comes = await buy(buyer, 101, 2);
    expect(comes).toMatchObject({ status: "holding", openCents: 19_800_000, heldCents: 0 });
    const [taken, gave] = [await read(buyer, comes.orderNo), await read(seller, rests.orderNo)];
    expect(taken.fills).toMatchObject([{ price: 990_000, lots: 2, reason: "member", level: 0, best: 990_000 }]);
    expect(gave.fills).toMatchObject([{ price: 990_000, lots: 2, reason: "resting", level: 0 }]);
    expect(gave.order).toMatchObject({ status: "holding", openCents: 19_800_000 });
    expect(broker.published.map(({ memberId, fact }) => [memberId, fact.type])).toEqual([
      [seller, "order.placed"],
      [buyer, "order.placed"],
      [buyer, "order.filled"],
      [seller, "order.filled"],
    ]);
  });

  it("matches a close even when another command concerns it at the same time", async () => {
    broker.venue.set(0, { bids: [[100, 2]] });
    const held = await sell(buyer, null, 2);
    expect(held.status).toBe("holding");
    const rests = await sell(seller, 100);
    broker.venue.set(0, { bids: [], asks: [[99, 1]] });
    await broker.settled();
    const [named, closed] = await Promise.allSettled([broker.cancel(other, rests.orderNo), broker.close(buyer, held.orderNo, { lots: 2 })]);
    expect(named).toMatchObject({ reason: { code: "TRD_ORDER_NOT_FOUND" } });
    // A refused command does not consume the displayed lot.
    expect(closed).toMatchObject({ value: { status: "closed", closeCents: 19_900_000 } });
  });

  it("takes the better price first, then the earlier order, and members before the book at one price", async () => {
    const late = await sell(seller, 100, 1);
    const later = await sell(other, 100, 1);
    const best = await sell(other, 99.5, 1);
    broker.venue.set(0, {
      asks: [
        [99.8, 1],
        [100, 5],
      ],
    });
    await broker.settled();
    const { orderNo } = await buy(buyer, null, 5);
    const { fills } = await read(buyer, orderNo);
    expect(fills.map(({ price, lots, reason }) => [price, lots, reason])).toEqual([
      [995_000, 1, "member"],
      [998_000, 1, "bookLevel"],
      [1_000_000, 1, "member"],
      [1_000_000, 1, "member"],
      [1_000_000, 1, "bookLevel"],
    ]);
    expect(fills.map(({ best: each }) => each)).toEqual([995_000, 995_000, 995_000, 995_000, 995_000]);
    for (const [member, one] of [
      [seller, late],
      [other, later],
      [other, best],
    ] as const)
      expect((await read(member, one.orderNo)).order.status).toBe("holding");
  });

  it("fills the earliest order first, and the next one from the rest", async () => {
    const rests = await sell(seller, 100, 3);
    await Promise.all([buy(buyer, 100, 2), buy(other, 100, 2)]);
    expect((await read(seller, rests.orderNo)).order).toMatchObject({ status: "holding", filledLots: 3 });
    const filled = async (member: number) =>
      (await broker.call("listOrders", member, { statuses: ["pending", "holding"], cursor: null })).items[0]?.filledLots;
    expect([await filled(buyer), await filled(other)]).toEqual([2, 1]);
  });

  it("never matches the same member's order", async () => {
    const own = await sell(buyer, 99, 1);
    expect(await buy(buyer, 101, 1)).toMatchObject({ status: "pending", filledLots: 0 });
    expect((await read(buyer, own.orderNo)).order).toMatchObject({ status: "pending", filledLots: 0 });
    // Another member matches the orders that are left.
    expect(await buy(other, 99, 1)).toMatchObject({ status: "holding", openCents: 9_900_000 });
    expect((await read(buyer, own.orderNo)).order.status).toBe("holding");
  });

  it("skips the same member's order and matches the next", async () => {
    await sell(buyer, 99, 1);
    await sell(seller, 99.5, 1);
    expect(await buy(buyer, 101, 1)).toMatchObject({ status: "holding", openCents: 9_950_000 });
  });

  it("matches a resting market order at the last price or the best displayed one, never beyond its bound", async () => {
    const rests = await buy(buyer, null, 2);
    expect(rests).toMatchObject({ status: "pending", price: null });
    broker.venue.set(0, { bids: [[100.5, 1]], last: 100 });
    await broker.settled();
    const { orderNo } = await sell(seller, 99, 1);
    expect((await read(seller, orderNo)).fills).toMatchObject([{ price: 1_005_000, reason: "member" }]);
    expect((await read(buyer, rests.orderNo)).fills).toMatchObject([{ price: 1_005_000, reason: "resting" }]);
  });

  it("matches a resting market order before a limit below the last trade", async () => {
    const limited = await sell(seller, 99);
    const atMarket = await sell(other, null);
    expect([limited.status, atMarket.status]).toEqual(["pending", "pending"]);
    expect(await buy(buyer, 100)).toMatchObject({ status: "holding", openCents: 9_900_000 });
    expect((await read(other, atMarket.orderNo)).order).toMatchObject({ status: "holding", openCents: 9_900_000 });
    expect((await read(seller, limited.orderNo)).order.status).toBe("pending");
  });

  it("matches a close with an opening order and with another close", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const long = await buy(seller, null, 2);
    broker.venue.set(0, { asks: [], bids: [[100, 1]] });
    const short = await sell(other, null, 1);
    broker.venue.set(0, { bids: [] });
    await broker.settled();
    const waits = await buy(buyer, 101, 1);
    expect(await broker.close(seller, long.orderNo, { price: 101, lots: 2 })).toMatchObject({ status: "readyToClose", closedLots: 1 });
    expect((await read(buyer, waits.orderNo)).order).toMatchObject({ status: "holding", openCents: 10_100_000 });
    expect(await broker.close(other, short.orderNo, { lots: 1 })).toMatchObject({ status: "closed", closeCents: 10_100_000 });
    expect((await read(seller, long.orderNo)).order).toMatchObject({ status: "closed", closedLots: 2 });
  });

  it("does not trade during a call auction, but when continuous trading resumes", async () => {
    broker.venue.setMatching(0, "call");
    await sell(seller, 99, 1);
    const comes = await buy(buyer, 100, 1);
    expect(comes.status).toBe("pending");
    broker.venue.setMatching(0, null);
    broker.venue.set(0, { last: 100 });
    await broker.settled();
    expect((await read(buyer, comes.orderNo)).order).toMatchObject({ status: "holding", openCents: 9_900_000 });
  });
});
