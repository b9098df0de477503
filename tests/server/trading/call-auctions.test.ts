/** Tests call auctions: members' orders and the market's own trade at one price, by price and then by time. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OrderNo } from "#contract/kernel/id.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { holdAuction } from "#server/trading/matching-engine/auction-allocation.ts";
import type { RestingOrder } from "#server/trading/sequencer/order-book.ts";
import type { CallOrder } from "#server/venue/matching/call-auction.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let first: number;
let second: number;

beforeEach(async () => {
  broker = await openTestBroker();
  broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  [first, second] = [await broker.newMember(), await broker.newMember()];
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const read = (member: number, { orderNo }: { orderNo: OrderNo }) => broker.call("readOrder", member, { orderNo });
const odd = { market: "odd" };
const fixed = { market: "fixed" };

describe("the opening auction", () => {
  it("accepts ROD limit orders only, and executes all at one price", async () => {
    broker.venue.setPhase("preOpen");
    expect(await refusalOf(broker.place(first))).toMatchObject({ code: "TRD_AUCTION_LIMIT_ONLY", field: "pricing" });
    expect(await refusalOf(broker.place(first, { price: 100, also: { validity: "ioc" } }))).toMatchObject({
      code: "TRD_AUCTION_LIMIT_ONLY",
      field: "validity",
    });
    const high = await broker.place(first, { price: 102, lots: 2 });
    const low = await broker.place(second, { price: 101, lots: 2 });
    const third = await broker.newMember();
    const gives = await broker.place(third, { direction: "fall", price: 99, lots: 1 });
    expect([high.status, low.status, gives.status]).toEqual(["pending", "pending", "pending"]);
    broker.venue.setCall(0, { bids: [[100, 3]], asks: [[101, 2]], anchor: 100 });
    broker.venue.setPhase("open");
    broker.venue.call("opening");
    await broker.settled();
    // Bids at 101 and above have four lots, asks at 101 and below three. All three trade at 101.
    expect((await read(first, high)).fills).toMatchObject([{ price: 1_010_000, lots: 2, reason: "auction", level: 0 }]);
    expect((await read(third, gives)).fills).toMatchObject([{ price: 1_010_000, lots: 1, reason: "auction" }]);
    expect((await read(second, low)).order).toMatchObject({ status: "pending", filledLots: 1 });
    // The rest continues in continuous trading.
    broker.venue.set(0, { asks: [[101, 1]] });
    await broker.settled();
    expect((await read(second, low)).order).toMatchObject({ status: "holding", filledLots: 2 });
  });

  it("serves the better price, then the earlier order, and members before the market's own orders at one price", async () => {
    broker.venue.setPhase("preOpen");
    const early = await broker.place(first, { price: 100, lots: 2 });
    const late = await broker.place(second, { price: 100, lots: 2 });
    broker.venue.setCall(0, {
      bids: [
        [100.5, 2],
        [100, 9],
      ],
      asks: [[100, 5]],
      anchor: 100,
    });
    broker.venue.setPhase("open");
    broker.venue.call("opening");
    await broker.settled();
    expect((await read(first, early)).order.filledLots).toBe(2);
    expect((await read(second, late)).order.filledLots).toBe(1);
  });

  it("executes nothing when no orders cross, and members among themselves when the market has no orders", async () => {
    broker.venue.setPhase("preOpen");
    const buys = await broker.place(first, { price: 99, lots: 1 });
    broker.venue.call("opening", [0]);
    await broker.settled();
    expect((await read(first, buys)).order.status).toBe("pending");
    const sells = await broker.place(second, { direction: "fall", price: 98, lots: 1 });
    broker.venue.call("opening", [0]);
    await broker.settled();
    // Every price between the two executes it; the one closest to the last price is chosen.
    expect((await read(second, sells)).fills).toMatchObject([{ price: 990_000, lots: 1 }]);
    expect((await read(first, buys)).order.status).toBe("holding");
  });
});

describe("an auction missed while the server was down", () => {
  it("is not held late: its orders rest on and are filled at their own price", async () => {
    broker.venue.setPhase("preOpen");
    const high = await broker.place(first, { price: 102, lots: 2 });
    const low = await broker.place(second, { price: 97, lots: 1 });
    await broker.stop();
    await broker.settled();
    // The auction is held at 100 without the broker; the market falls to 98 since.
    broker.venue.setCall(0, { bids: [[99, 5]], asks: [[100, 3]], anchor: 100 });
    broker.clock.now += 60_000;
    broker.venue.setPhase("open");
    broker.venue.set(0, { bids: [[97, 9]], asks: [[98, 9]], last: 98 });
    broker = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
    await broker.settled();
    expect((await read(first, high)).fills).toMatchObject([{ price: 1_020_000, lots: 2, reason: "resting" }]);
    expect(await read(second, low)).toMatchObject({ order: { status: "pending", filledLots: 0 }, fills: [] });
  });
});

describe("a locked position", () => {
  it("takes no part in an auction: its resting close is cancelled", async () => {
    broker.venue.set(0, { bids: [[99, 9]], asks: [[100, 9]] });
    const held = await broker.place(first, { lots: 2 });
    broker.venue.setPhase("closingAuction");
    await broker.close(first, held.orderNo, { price: 98, lots: 2 });
    const buys = await broker.place(second, { price: 100, lots: 2 });
    await broker.db.kysely.updateTable("order").set({ locked: true }).where("order_no", "=", held.orderNo).execute();
    broker.venue.call("closing");
    await broker.settled();
    expect((await read(first, held)).order).toMatchObject({ status: "holding", closedLots: 0, closingLots: 0 });
    expect((await read(second, buys)).order).toMatchObject({ filledLots: 0 });
  });
});

describe("a member with orders on both sides of an auction", () => {
  it("does not trade with themselves, but with others", async () => {
    broker.venue.setPhase("preOpen");
    const buys = await broker.place(first, { price: 101, lots: 1 });
    const sells = await broker.place(first, { direction: "fall", price: 99, lots: 1 });
    broker.venue.call("opening");
    await broker.settled();
    expect([(await read(first, buys)).order.status, (await read(first, sells)).order.status]).toEqual(["pending", "pending"]);
    const theirs = await broker.place(second, { direction: "fall", price: 100, lots: 1 });
    broker.venue.setPhase("open");
    broker.venue.call("opening");
    await broker.settled();
    expect((await read(first, buys)).order.status).toBe("holding");
    expect((await read(second, theirs)).order.status).toBe("holding");
    expect((await read(first, sells)).order.status).toBe("pending");
  });
});

describe("the closing auction", () => {
  it("is executed before resting orders expire at the end of the day", async () => {
    broker.venue.setPhase("closingAuction");
    const filled = await broker.place(first, { price: 101, lots: 1 });
    const left = await broker.place(second, { price: 98, lots: 1 });
    broker.venue.setCall(0, { bids: [], asks: [[100, 1]], anchor: 100 });
    broker.venue.setPhase("closed");
    broker.venue.call("closing");
    await broker.settled();
    await broker.settled();
    expect((await read(first, filled)).order).toMatchObject({ status: "holding", openCents: 10_000_000 });
    expect((await read(second, left)).order).toMatchObject({ status: "cancelled", heldCents: 0 });
  });
});

describe("a volatility halt", () => {
  it("accepts ROD limit orders, trades nothing, and ends with an auction", async () => {
    broker.venue.setMatching(0, "call");
    broker.venue.set(0, { asks: [[100, 9]] });
    expect(await refusalOf(broker.place(first))).toMatchObject({ code: "TRD_INSTRUMENT_HALTED", field: "pricing" });
    const order = await broker.place(first, { price: 101, lots: 1 });
    expect(order.status).toBe("pending");
    broker.venue.setCall(0, { asks: [[100.5, 4]], anchor: 100 });
    broker.venue.setMatching(0, null);
    broker.venue.call("resume", [0]);
    await broker.settled();
    expect((await read(first, order)).fills).toMatchObject([{ price: 1_010_000 - 5_000, reason: "auction" }]);
  });
});

describe("a market order that rests when a halt begins", () => {
  it("is cancelled, unless an exit order or the broker closes with it", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const held = await broker.place(second, { lots: 1 });
    const stopped = await broker.place(second, { lots: 1 });
    await broker.close(second, held.orderNo, { lots: 1 });
    await broker.close(second, stopped.orderNo, { lots: 1 });
    await broker.db.kysely.updateTable("order").set({ close_cause: "condition" }).where("order_no", "=", stopped.orderNo).execute();
    const waits = await broker.place(first, { direction: "fall", lots: 1 });
    expect(waits.status).toBe("pending");
    broker.venue.setMatching(0, "call");
    broker.venue.set(0, { last: 100 });
    await broker.settled();
    expect((await read(first, waits)).order).toMatchObject({ status: "cancelled", heldCents: 0 });
    expect((await read(second, held)).order.status).toBe("holding");
    expect((await read(second, stopped)).order.status).toBe("readyToClose");
    // It takes what the auction at the end of the halt offers.
    broker.venue.setCall(0, { bids: [[99.5, 4]], anchor: 100 });
    broker.venue.call("resume", [0]);
    await broker.settled();
    expect((await read(second, stopped)).fills.at(-1)).toMatchObject({ price: 995_000, reason: "auction" });
  });
});

describe("the odd-lot market", () => {
  it("counts shares, trades only in its own auctions, and charges its own minimum fee", async () => {
    broker.venue.set(0, { asks: [[100, 9]] });
    const order = await broker.place(first, { price: 100, lots: 30, also: odd });
    expect(order).toMatchObject({ status: "pending", market: "odd", lotShares: 1, lots: 30, heldCents: 300_000 + 400 });
    broker.venue.call("opening");
    await broker.settled();
    expect((await read(first, order)).order.status).toBe("pending");
    broker.venue.setCall(0, { asks: [[99.5, 12]], anchor: 99.5 }, true);
    broker.venue.call("odd");
    await broker.settled();
    expect((await read(first, order)).fills).toMatchObject([{ price: 1_000_000, lots: 12, reason: "oddAuction", feeCents: 100 }]);
    // Another member's shares match the rest.
    const gives = await broker.place(second, { direction: "fall", price: 99, lots: 18, also: odd });
    broker.venue.setCall(0, {}, true);
    broker.venue.call("odd");
    await broker.settled();
    expect((await read(second, gives)).order.status).toBe("holding");
    expect((await read(first, order)).order).toMatchObject({ status: "holding", filledLots: 30 });
    broker.venue.setCall(0, { bids: [[100, 50]], anchor: 100 }, true);
    expect(await broker.close(first, order.orderNo, { price: 99, lots: 30 })).toMatchObject({ status: "readyToClose" });
    broker.venue.call("odd");
    await broker.settled();
    expect((await read(first, order)).order).toMatchObject({ status: "closed", closedLots: 30 });
  });

  it("accepts ROD limit orders only, for fewer shares than a lot", async () => {
    expect(await refusalOf(broker.place(first, { lots: 30, also: odd }))).toMatchObject({ code: "TRD_ODD_LIMIT_ONLY", field: "pricing" });
    expect(await refusalOf(broker.place(first, { price: 100, lots: 30, also: { ...odd, validity: "ioc" } }))).toMatchObject({
      code: "TRD_ODD_LIMIT_ONLY",
    });
    expect(await refusalOf(broker.place(first, { price: 100, lots: 1_000, also: odd }))).toMatchObject({
      code: "TRD_LOTS_MAX",
      params: { n: 999 },
      field: "lots",
    });
  });
});

describe("odd lots after hours", () => {
  it("come since the close, are matched once when after-hours trading ends, and then expire; those of the day have expired", async () => {
    const { clock, venue } = broker;
    const closesAt = clock.now + 60_000;
    venue.setDay(clock.now - 1_000, closesAt);
    const ofTheDay = await broker.place(first, { price: 101, lots: 30, also: odd });
    clock.now = closesAt + 60_000;
    venue.setPhase("oddLot");
    await broker.settled();
    expect((await read(first, ofTheDay)).order).toMatchObject({ status: "cancelled", heldCents: 0 });
    for (const also of [{}, fixed])
      expect(await refusalOf(broker.place(first, { price: 100, also }))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
    expect(await refusalOf(broker.place(first, { lots: 30, also: odd }))).toMatchObject({ code: "TRD_ODD_LIMIT_ONLY" });
    const early = await broker.place(first, { price: 101, lots: 30, also: odd });
    const cancelled = await broker.place(second, { price: 102, lots: 30, also: odd });
    venue.setPhase("fixedPrice");
    await broker.settled();
    const better = await broker.place(second, { price: 102, lots: 20, also: odd });
    await broker.cancel(second, cancelled.orderNo);
    venue.setCall(0, { asks: [[100, 40]], anchor: 100 }, true);
    venue.setPhase("closed");
    venue.call("lateOdd");
    await broker.settled();
    expect((await read(second, better)).fills).toMatchObject([{ price: 1_010_000, lots: 20, reason: "oddAuction" }]);
    expect((await read(first, early)).order).toMatchObject({ filledLots: 20, status: "holding", lots: 20, heldCents: 0 });
  });

  it("of one price are served in an order that is drawn, on both sides", () => {
    const member = (orderNo: string, side: "buy" | "sell", nth: number): RestingOrder =>
      ({ orderNo, memberId: nth, side, market: "odd", limit: 1_000_000, lots: 10, atMarket: false, timePriority: orderNo }) as RestingOrder;
    for (const side of ["buy", "sell"] as const) {
      const members = [member("K1", side, 1), member("K2", side, 2)];
      const own: CallOrder[] = [[1_000_000, 10]];
      const served = Array.from({ length: 40 }, (_, draw) => {
        const lot = { side: "both" as const, draw };
        const sides = side === "buy" ? { bids: [], asks: own } : { bids: own, asks: [] };
        const result = holdAuction({ own: { kind: "stock", ...sides, anchor: 1_000_000, limits: null, lot }, members, fixedPrice: null });
        return result?.allocations.map(({ order }) => order.orderNo).join();
      });
      expect(new Set(served)).toEqual(new Set(["K1", "K2"]));
    }
  });
});

describe("after-hours fixed-price trading", () => {
  it("trades at the day's closing price, only in its own phase, the earlier order first", async () => {
    expect(await refusalOf(broker.place(first, { also: fixed }))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
    broker.venue.set(0, { last: 101 });
    broker.venue.setPhase("fixedPrice");
    expect(await refusalOf(broker.place(first, { price: 101 }))).toMatchObject({ code: "TRD_NON_TRADING_HOURS" });
    expect(await refusalOf(broker.place(first, { price: 102, also: fixed }))).toMatchObject({ code: "TRD_PRICE_LIMIT_EXCEEDED" });
    const one = await broker.place(first, { lots: 2, also: fixed });
    const two = await broker.place(second, { lots: 2, also: fixed });
    expect(one).toMatchObject({ status: "pending", heldCents: 20_200_000 + 28_700 });
    broker.venue.setCall(0, { asks: [[101, 3]] });
    broker.venue.call("fixed");
    await broker.settled();
    expect((await read(first, one)).fills).toMatchObject([{ price: 1_010_000, lots: 2, reason: "fixedPrice" }]);
    expect((await read(second, two)).order).toMatchObject({ status: "pending", filledLots: 1 });
    broker.venue.setPhase("closed");
    await broker.settled();
    expect((await read(second, two)).order).toMatchObject({ status: "holding", lots: 1 });
  });

  it("closes positions, and does not exist for instruments without a closing price", async () => {
    broker.venue.set(0, { asks: [[100, 2]] });
    const held = await broker.place(first, { lots: 2 });
    broker.venue.setPhase("fixedPrice");
    expect(await broker.close(first, held.orderNo, { lots: 2, also: { fixed: true } })).toMatchObject({ status: "readyToClose" });
    broker.venue.setCall(0, { bids: [[100, 2]] });
    broker.venue.call("fixed");
    await broker.settled();
    expect((await read(first, held)).order).toMatchObject({ status: "closed", closeCents: 20_000_000 });
    broker.venue.set(1, { last: 0, reference: 100 });
    expect(await refusalOf(broker.place(first, { code: "2603", also: fixed }))).toMatchObject({ code: "TRD_STOCK_PRICE_UNAVAILABLE" });
  });
});
