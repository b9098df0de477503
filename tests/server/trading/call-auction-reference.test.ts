/** Tests call auctions against a slow reference implementation of the exchange's rules: random books first, then the whole engine. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { holdAuction } from "#server/trading/matching-engine/auction-allocation.ts";
import type { Auction } from "#server/trading/matching-engine/auction-queue.ts";
import { restingOf } from "#server/trading/sequencer/order-book.ts";
import type { RestingOrder } from "#server/trading/sequencer/order-book.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { auctionOrders } from "#server/venue/simulator/auction-order-flow.ts";
import { auctionPriceOf } from "#server/venue/matching/call-auction.ts";
import type { CallOrder } from "#server/venue/matching/call-auction.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { referenceAuction } from "./reference-auction.ts";
import type { ReferenceResult } from "./reference-auction.ts";

const units = (amount: number): number => Math.round(amount * PRICE_ONE);
const [DOWN, UP] = [units(90), units(110)];
const lots = fc.integer({ min: 1, max: 7 });

/** The engine's result of an auction, in the reference's format. */
function resultOf(auction: Auction): ReferenceResult | null {
  const result = holdAuction(auction);
  if (!result || result.allocations.length === 0) return null;
  return {
    price: result.price,
    lots: Object.fromEntries(result.allocations.map(({ order, lots: got }) => [order.orderNo, got])),
    ahead: Object.fromEntries(result.unfilled.map(({ order, ahead }) => [order.orderNo, ahead])),
  };
}

describe("a call auction", () => {
  /** Prices in half dollars near the middle, and both price limits. */
  const price = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 196, max: 204 }).map((half) => units(half / 2)) },
    { weight: 1, arbitrary: fc.constantFrom(DOWN, UP) },
  );
  const way = fc.oneof(
    { weight: 3, arbitrary: price.map((limit) => ({ atMarket: false, limit: limit as number | null })) },
    { weight: 1, arbitrary: fc.constant({ atMarket: true, limit: null }) },
    // A market buy is bounded by the price its money was held for.
    { weight: 1, arbitrary: price.map((limit) => ({ atMarket: true, limit: limit as number | null })) },
  );
  const member = fc.record({
    side: fc.constantFrom("buy" as const, "sell" as const),
    way,
    lots,
    memberId: fc.integer({ min: 1, max: 4 }),
    cameAt: fc.option(fc.integer({ min: -20, max: 100 }), { nil: null }),
    place: fc.option(fc.record({ ahead: fc.integer({ min: 0, max: 40 }), aheadOf: fc.constantFrom(0, 40) }), { nil: {} }),
  });
  const ownOrder: fc.Arbitrary<CallOrder> = fc.tuple(fc.option(price, { nil: null, freq: 6 }), fc.integer({ min: 1, max: 30 }));
  const auctions: fc.Arbitrary<Auction> = fc
    .record({
      members: fc.array(member, { maxLength: 9 }),
      turns: fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 9 }),
      bids: fc.array(ownOrder, { maxLength: 5 }),
      asks: fc.array(ownOrder, { maxLength: 5 }),
      anchor: price,
      came: fc.option(fc.constant({ from: 0, until: 100 }), { nil: undefined }),
      queued: fc.option(fc.constantFrom("buy" as const, "sell" as const), { nil: undefined, freq: 2 }),
      fixedPrice: fc.option(fc.constant(units(100)), { nil: null, freq: 3 }),
    })
    .map(({ members, turns, bids, asks, anchor, came, queued, fixedPrice }) => ({
      own: { kind: "stock", bids, asks, anchor, came, queued: fixedPrice === null ? queued : undefined, limits: { up: UP, down: DOWN } },
      members: members.map(({ side, way: { atMarket, limit }, lots: size, memberId, cameAt, place }, n): RestingOrder => ({
        orderNo: `K${n}`,
        memberId,
        row: 0,
        side,
        market: fixedPrice === null ? "board" : "fixed",
        atMarket,
        limit,
        lots: size,
        timePriority: `K${turns[n]}`,
        cameAt,
        ...(fixedPrice === null ? place : {}),
      })),
      fixedPrice,
    }));

  it("gives every order the lots of the reference implementation, at the same price", () => {
    fc.assert(
      fc.property(auctions, (auction) => {
        expect(resultOf(auction)).toEqual(referenceAuction(auction));
      }),
      { numRuns: 2_000 },
    );
  });

  it("serves market orders before limit orders at the price cap, then by price, then by time", () => {
    const sell = (n: number, limit: number | null, turn: number): RestingOrder => ({
      orderNo: `K${n}`,
      memberId: n,
      row: 0,
      side: "sell",
      market: "board",
      atMarket: limit === null,
      limit,
      lots: 2,
      timePriority: `K${turn}`,
    });
    const members = [sell(1, units(99.5), 1), sell(2, units(99), 4), sell(3, units(99), 2), sell(4, DOWN, 3), sell(5, null, 5)];
    const servedBy = (bid: number) =>
      resultOf({
        own: { kind: "stock", bids: [[units(100), bid]], asks: [[DOWN, 1]], anchor: units(100), limits: { up: UP, down: DOWN } },
        members,
        fixedPrice: null,
      })?.lots;
    expect(servedBy(2)).toEqual({ K5: 2 });
    expect(servedBy(3)).toEqual({ K5: 2, K4: 1 });
    // After the limit order at the cap comes the market's own order at the same price, and then a higher price.
    expect(servedBy(5)).toEqual({ K5: 2, K4: 2 });
    expect(servedBy(8)).toEqual({ K5: 2, K4: 2, K3: 2, K2: 1 });
    expect(servedBy(10)).toEqual({ K5: 2, K4: 2, K3: 2, K2: 2, K1: 1 });
  });

  it("at a locked limit serves by a draw: neither the early nor market orders are preferred, and nobody may count on it", () => {
    const base = { row: 0, market: "board" as const, side: "buy" as const, lots: 30 };
    const own = {
      kind: "stock" as const,
      bids: [[UP, 4_200]] as const,
      asks: [[UP, 200]] as const,
      anchor: UP,
      limits: { up: UP, down: DOWN },
    };
    const served = { early: 0, late: 0, market: 0, below: 0 };
    const calls = 2_000;
    for (let draw = 0; draw < calls; draw += 1) {
      const orders = [
        { ...base, memberId: 1, orderNo: "K1", atMarket: false, limit: UP, timePriority: "K1", cameAt: 0 },
        { ...base, memberId: 2, orderNo: "K2", atMarket: false, limit: UP, timePriority: "K2", cameAt: 99 },
        { ...base, memberId: 3, orderNo: "K3", atMarket: true, limit: null, timePriority: "K3", cameAt: 99 },
        { ...base, memberId: 4, orderNo: "K4", atMarket: false, limit: units(109), timePriority: "K4", cameAt: 0 },
      ];
      const call = { ...own, came: { from: 0, until: 100 }, lot: { side: "buy" as const, draw } };
      const result = holdAuction({ own: call, members: orders, fixedPrice: null });
      expect([result?.price, result?.lots]).toEqual([UP, 200]);
      for (const { order, lots: got } of result?.allocations ?? [])
        served[order.orderNo === "K1" ? "early" : order.orderNo === "K2" ? "late" : order.orderNo === "K3" ? "market" : "below"] += got;
      // A draw gives no place: who is left stands behind all of the market that is left.
      const left = 4_200 - 200 + (result?.allocations ?? []).reduce((sum, { lots: got }) => sum + got, 0);
      for (const { order, ahead } of result?.unfilled ?? []) expect(ahead).toBe(order.orderNo === "K4" ? 0 : left);
    }
    // 200 of 4,290 lots that want to buy at the limit are served: 4.7 %.
    for (const part of [served.early, served.late, served.market]) {
      expect(part / (30 * calls)).toBeGreaterThan(0.03);
      expect(part / (30 * calls)).toBeLessThan(0.065);
    }
    expect(served.below).toBe(0);
    // Without the draw, members would be served before the market's own orders of the same time.
    const alone = holdAuction({
      own: { ...own, came: undefined },
      members: [{ ...base, memberId: 1, orderNo: "K1", atMarket: false, limit: UP, timePriority: "K1" }],
      fixedPrice: null,
    });
    expect(alone?.allocations[0]?.lots).toBe(30);
  });

  it("pays nobody for pushing it: what all members trade with the market is never worth more at the market's own price", () => {
    const call = fc.record({
      at: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 190, max: 210 }) }, { weight: 1, arbitrary: fc.constantFrom(180, 220) }),
      lots: fc.integer({ min: 1, max: 60 }),
      key: fc.integer(),
      members: fc.array(
        fc.record({
          side: fc.constantFrom("buy" as const, "sell" as const),
          way,
          lots: fc.integer({ min: 1, max: 90 }),
          cameAt: fc.integer({ min: 0, max: 100 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    });
    let pushed = 0;
    fc.assert(
      fc.property(call, ({ at, lots: size, key, members }) => {
        const fair = units(at / 2);
        const orders = auctionOrders({
          kind: "stock",
          price: fair,
          lots: size,
          anchor: units(100),
          limits: { up: UP, down: DOWN },
          served: "drawn",
          key,
        });
        const own = { ...orders, came: { from: 0, until: 100 } };
        expect(auctionPriceOf(own)?.price).toBe(fair);
        const result = holdAuction({
          own,
          members: members.map(({ side, way: { atMarket, limit }, lots: each, cameAt }, n) => ({
            orderNo: `K${n}`,
            timePriority: `K${n}`,
            memberId: n,
            row: 0,
            market: "board" as const,
            side,
            atMarket,
            limit,
            lots: each,
            cameAt,
          })),
          fixedPrice: null,
        });
        if (!result) return;
        const net = result.allocations.reduce((sum, { order, lots: got }) => sum + (order.side === "buy" ? got : -got), 0);
        if (result.price !== fair) pushed += 1;
        expect(net * (fair - result.price)).toBeLessThanOrEqual(0);
      }),
      { numRuns: 3_000 },
    );
    expect(pushed).toBeGreaterThan(300);
  });

  it("includes a market order although its member has a bid far below", () => {
    const base = { memberId: 1, row: 0, market: "board" as const, lots: 1 };
    const members: RestingOrder[] = [
      { ...base, orderNo: "K1", side: "buy", atMarket: false, limit: units(91), timePriority: "K1" },
      { ...base, orderNo: "K2", side: "sell", atMarket: true, limit: null, timePriority: "K2" },
    ];
    const own = { kind: "stock" as const, bids: [[units(100), 1]] as const, asks: [], anchor: units(100), limits: { up: UP, down: DOWN } };
    expect(resultOf({ own, members, fixedPrice: null })).toMatchObject({ price: units(100), lots: { K2: 1 } });
  });
});

describe("in the whole engine", () => {
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await openTestBroker();
    broker.venue.set(0, { bids: [], asks: [], last: 100, reference: 100 });
  });
  afterAll(async () => {
    expect(broker.faults).toEqual([]);
    expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
    await broker.shut();
  });

  type Kind = "closing" | "odd" | "fixed";
  const at = fc.integer({ min: 196, max: 204 }).map((half) => half / 2);
  const level = fc.tuple(at, fc.integer({ min: 1, max: 6 }));
  const call = fc.record({
    kind: fc.constantFrom<Kind>("closing", "odd", "fixed"),
    /** Positions to close at market, by direction and lots. */
    closes: fc.array(fc.record({ direction: fc.constantFrom("rise" as const, "fall" as const), lots }), { minLength: 1, maxLength: 3 }),
    orders: fc.array(fc.record({ direction: fc.constantFrom("rise" as const, "fall" as const), at, lots, who: fc.nat(3) }), {
      maxLength: 6,
    }),
    bids: fc.array(level, { maxLength: 4 }),
    asks: fc.array(level, { maxLength: 4 }),
  });

  /** Requests the market closes: before the auction on the board, where they rest, or in the after-hours session. */
  async function closeAtMarket(kind: Kind, closes: readonly { direction: "rise" | "fall"; lots: number }[]): Promise<void> {
    broker.venue.setPhase("open");
    const held = [];
    for (const { direction, lots: size } of closes) {
      const member = await broker.newMember();
      broker.venue.set(0, { bids: [[100, size]], asks: [[100, size]], last: 100 });
      held.push({ member, size, position: await broker.place(member, { direction, lots: size }) });
    }
    broker.venue.set(0, { bids: [], asks: [] });
    if (kind === "fixed") broker.venue.setPhase("fixedPrice");
    for (const { member, size, position } of held)
      await broker.close(member, position.orderNo, { lots: size, also: { fixed: kind === "fixed" } });
  }

  const open = () =>
    broker.db.kysely.selectFrom("order").selectAll().where("status", "in", ["pending", "readyToClose"]).orderBy("order_no").execute();

  it("auctions match the reference implementation, including market closes", async () => {
    await fc.assert(
      fc.asyncProperty(call, async ({ kind, closes, orders, bids, asks }) => {
        if (kind !== "odd") await closeAtMarket(kind, closes);
        broker.venue.setPhase(kind === "odd" ? "open" : kind === "fixed" ? "fixedPrice" : "closingAuction");
        const members = [await broker.newMember(), await broker.newMember(), await broker.newMember(), await broker.newMember()];
        for (const { direction, at: limit, lots: size, who } of orders) {
          const market = kind === "closing" ? "board" : kind;
          const ticket = { direction, price: kind === "fixed" ? null : limit, lots: size, also: { market } };
          await broker.place(members[who] ?? 0, ticket);
        }
        broker.venue.setCall(0, { bids, asks, anchor: 100 }, kind === "odd");
        const own = broker.venue.callBook(0, kind === "odd");
        if (!own) throw new Error("there is no call");
        const before = await open();
        const resting = before.flatMap((order) => restingOf(order, broker.venue) ?? []);
        const expected = referenceAuction({ own, members: resting, fixedPrice: kind === "fixed" ? units(100) : null });
        broker.venue.call(kind, [0]);
        await broker.settled();
        const got = await broker.db.kysely
          .selectFrom("order")
          .select(["order_no", "filled_lots", "closed_lots"])
          .where("order_no", "in", ["", ...before.map(({ order_no }) => order_no)])
          .execute();
        const increments = got.flatMap((order) => {
          const was = before.find(({ order_no }) => order_no === order.order_no);
          const more = order.filled_lots + order.closed_lots - (was?.filled_lots ?? 0) - (was?.closed_lots ?? 0);
          return more > 0 ? [[order.order_no, more]] : [];
        });
        expect(Object.fromEntries(increments)).toEqual(expected?.lots ?? {});
        broker.venue.setPhase("closed");
        await broker.settled();
      }),
      { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 15), endOnFailure: true },
    );
  });
});
