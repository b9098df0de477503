/** Tests closing a position: first in first out or chosen orders, whole or not at all, and the same money as closing order by order. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { price } from "#contract/kernel/money.ts";
import { positionsOf } from "#contract/position.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import { ClosePositionBody } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { closingPlan } from "#src/screens/ticket/closing.ts";
import { FIRST_DRAFT } from "#src/screens/ticket/draft.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import { openTestBroker, refusalOf } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
let member: number;

const deep = (): void => {
  for (const row of [0, 1, 3]) broker.venue.set(row, { bids: [[99.5, 900]], asks: [[100, 900]], last: 100, reference: 100 });
};

beforeEach(async () => {
  broker = await openTestBroker();
  deep();
  member = await broker.newMember();
});
afterEach(async () => {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  await broker.shut();
});

const bodyOf = (shares: number, more: Record<string, unknown> = {}) =>
  ClosePositionBody.parse({
    requestId: randomUUID(),
    code: "2330",
    direction: "rise",
    funding: "cash",
    dayTrade: false,
    shares,
    pricing: "market",
    price: null,
    ...more,
  });
const close = (shares: number, more: Record<string, unknown> = {}, by = member) => broker.call("closePosition", by, bodyOf(shares, more));
const now = async ({ orderNo }: Pick<Order, "orderNo">) => (await broker.call("readOrder", member, { orderNo })).order;
const odd = (lots: number) => broker.place(member, { lots, price: 100, also: { market: "odd" } });

/** Three lots in orders of one, two and three lots, each a second apart. */
async function three(): Promise<[Order, Order, Order]> {
  const held: Order[] = [];
  for (const lots of [1, 2, 3]) {
    held.push(await broker.place(member, { lots }));
    broker.clock.now += 1_000;
  }
  return held as [Order, Order, Order];
}

describe("first in, first out", () => {
  it("closes the oldest orders and a part of the last", async () => {
    const [first, second, third] = await three();
    const { orders, refused } = await close(4_000);
    expect(refused).toEqual([]);
    expect(orders).toMatchObject([
      { orderNo: first.orderNo, status: "closed", closedLots: 1 },
      { orderNo: second.orderNo, status: "closed", closedLots: 2 },
      { orderNo: third.orderNo, status: "holding", closedLots: 1 },
    ]);
    expect(orders).toEqual([await now(first), await now(second), await now(third)]);
    expect(broker.published.filter(({ fact }) => fact.type === "order.closed")).toHaveLength(2);
  });

  it("passes over orders that are being closed, and takes nothing of other positions", async () => {
    const [first, second] = await three();
    const margin = await broker.place(member, { lots: 5, code: "2603" });
    const day = await broker.place(member, { direction: "fall", lots: 1 });
    await broker.close(member, first.orderNo, { price: 105 });
    expect((await close(2_000)).orders).toMatchObject([{ orderNo: second.orderNo, status: "closed" }]);
    expect(await refusalOf(close(4_000))).toMatchObject({ code: "TRD_SELL_EXCEEDS", field: "shares" });
    expect((await now(first)).closingLots).toBe(1);
    for (const other of [margin, day]) expect((await now(other)).closedLots).toBe(0);
  });

  it("passes over orders in their lock-up if the others suffice, and else refuses with the lock", async () => {
    const old = await broker.place(member, { code: "2308", lots: 1 });
    broker.clock.now += 601_000;
    broker.venue.set(3, { bids: [[99.5, 900]], asks: [[100, 900]], last: 100, reference: 100 });
    const young = await broker.place(member, { code: "2308", lots: 2 });
    expect(await refusalOf(close(2_000, { code: "2308" }))).toMatchObject({ code: "TRD_SELL_LOCK_MINUTES", params: { n: 10 } });
    expect((await now(old)).status).toBe("holding");
    expect((await close(1_000, { code: "2308" })).orders).toMatchObject([{ orderNo: old.orderNo, status: "closed" }]);
    expect(await refusalOf(close(1_000, { code: "2308" }))).toMatchObject({ code: "TRD_SELL_LOCK_MINUTES" });
    expect((await now(young)).closedLots).toBe(0);
  });

  it("passes over an order that an operator locked", async () => {
    const [first, second] = await three();
    await broker.db.kysely.updateTable("order").set({ locked: true }).where("order_no", "=", first.orderNo).execute();
    expect((await close(1_000)).orders).toMatchObject([{ orderNo: second.orderNo }]);
    expect(await refusalOf(close(5_000))).toMatchObject({ code: "TRD_POSITION_LOCKED" });
  });

  it("covers a short", async () => {
    const one = await broker.place(member, { direction: "fall" });
    const two = await broker.place(member, { direction: "fall", lots: 2 });
    const { orders } = await close(3_000, { direction: "fall" });
    expect(orders).toMatchObject([one, two].map(({ orderNo }) => ({ orderNo, status: "closed", closeAverage: 1_000_000 })));
  });
});

describe("chosen orders", () => {
  it("are closed in the order they were named", async () => {
    const [first, second, third] = await three();
    const { orders } = await close(4_000, { orderNos: [third.orderNo, first.orderNo] });
    expect(orders).toMatchObject([
      { orderNo: third.orderNo, status: "closed" },
      { orderNo: first.orderNo, status: "closed" },
    ]);
    expect((await now(second)).closedLots).toBe(0);
  });

  it("must exist, belong to the position, be held and suffice", async () => {
    const [first, second] = await three();
    const other = await broker.place(member, { code: "2603" });
    const theirs = await broker.place(await broker.newMember(), {});
    await broker.close(member, first.orderNo, { price: 105 });
    const refused = (orderNos: string[], shares = 1_000) => refusalOf(close(shares, { orderNos }));
    expect(await refused([theirs.orderNo])).toMatchObject({ code: "TRD_ORDER_NOT_FOUND" });
    expect(await refused([second.orderNo, other.orderNo])).toMatchObject({ code: "TRD_ORDER_NOT_FOUND" });
    expect(await refused([first.orderNo])).toMatchObject({ code: "TRD_ORDER_NOT_HOLDING" });
    // Named twice, an order is there once.
    expect(await refused([second.orderNo, second.orderNo], 3_000)).toMatchObject({ code: "TRD_SELL_EXCEEDS" });
    expect((await now(second)).closedLots).toBe(0);
  });
});

describe("all or nothing", () => {
  it("refuses more than is held, another member's position, and a wrong price, and changes nothing", async () => {
    const held = await three();
    const facts = broker.published.length;
    const stranger = await broker.newMember();
    expect(await refusalOf(close(7_000))).toMatchObject({ code: "TRD_SELL_EXCEEDS", field: "shares" });
    expect(await refusalOf(close(1_000, {}, stranger))).toMatchObject({ code: "TRD_ORDER_NOT_FOUND" });
    expect(await refusalOf(close(1_000, { dayTrade: true }))).toMatchObject({ code: "TRD_ORDER_NOT_FOUND" });
    expect(await refusalOf(close(1_000, { pricing: "limit", price: 2_000_000 }))).toMatchObject({ code: "TRD_PRICE_LIMIT_EXCEEDED" });
    expect(await refusalOf(close(1_500))).toMatchObject({ code: "TRD_ODD_LOTS_APART", field: "shares" });
    expect(broker.published.length).toBe(facts);
    for (const order of held) expect(await now(order)).toEqual(order);
  });

  it("leaves every order as it was when a fill-or-kill close cannot be filled as a whole", async () => {
    const held = await three();
    broker.venue.set(0, { bids: [[99.5, 2]], asks: [[100, 900]], last: 100, reference: 100 });
    const { orders } = await close(6_000, { pricing: "limit", price: 990_000, validity: "fok" });
    expect(orders).toMatchObject(held.map(({ orderNo }) => ({ orderNo, status: "holding", closedLots: 0, closingLots: 0 })));
    expect((await close(2_000, { pricing: "limit", price: 990_000, validity: "fok" })).orders).toMatchObject([
      { status: "closed" },
      { closedLots: 1 },
    ]);
  });

  it("rests what is not filled, order by order", async () => {
    await three();
    const { orders } = await close(3_000, { pricing: "limit", price: 1_010_000 });
    expect(orders).toMatchObject([
      { status: "readyToClose", closingLots: 1, closePrice: 1_010_000 },
      { status: "readyToClose", closingLots: 2 },
    ]);
  });

  it("acts once, with one answer", async () => {
    const [, , third] = await three();
    const body = bodyOf(4_000);
    const answer = await broker.call("closePosition", member, body);
    expect(await broker.call("closePosition", member, body)).toEqual(answer);
    expect((await now(third)).closedLots).toBe(1);
    expect(await broker.call("askOutcome", member, { requestId: body.requestId, giveUp: false })).toEqual({
      known: true,
      order: null,
      answer,
    });
    expect(await refusalOf(broker.call("closePosition", member, { ...body, shares: 1_000 }))).toMatchObject({ code: "GEN_REQUEST_REUSED" });
  });
});

describe("single shares", () => {
  it("go to the odd-lot market and whole lots to the board, and never mix", async () => {
    const lot = await broker.place(member, { lots: 1 });
    const one = await odd(400);
    const two = await odd(300);
    broker.venue.setCall(0, { asks: [[100, 700]], anchor: 100 }, true);
    broker.venue.call("odd");
    await broker.settled();
    const limit = { pricing: "limit", price: 995_000 };
    expect(await refusalOf(close(1_400, limit))).toMatchObject({ code: "TRD_ODD_LOTS_APART", field: "shares" });
    expect(await refusalOf(close(500))).toMatchObject({ code: "TRD_ODD_LIMIT_ONLY" });
    expect(await refusalOf(close(800, limit))).toMatchObject({ code: "TRD_ODD_LOTS_APART" });
    expect((await close(500, limit)).orders).toMatchObject([
      { orderNo: one.orderNo, status: "readyToClose", closingLots: 400 },
      { orderNo: two.orderNo, status: "readyToClose", closingLots: 100 },
    ]);
    expect((await close(1_000)).orders).toMatchObject([{ orderNo: lot.orderNo, status: "closed" }]);
    broker.venue.setCall(0, { bids: [[100, 500]], anchor: 100 }, true);
    broker.venue.call("odd");
    await broker.settled();
    expect(await now(one)).toMatchObject({ status: "closed" });
    expect(await now(two)).toMatchObject({ status: "holding", closedLots: 100 });
  });

  it("of several orders do not make up a lot of the board", async () => {
    const held = [await odd(600), await odd(400)];
    broker.venue.setCall(0, { asks: [[100, 1_000]], anchor: 100 }, true);
    broker.venue.call("odd");
    await broker.settled();
    expect(await refusalOf(close(1_000))).toMatchObject({ code: "TRD_ODD_LOTS_APART" });
    for (const order of held) expect((await now(order)).status).toBe("holding");
  });
});

/** What the ticket and the close sheet show for so many lots at the price of the book. */
async function estimate(who: number, lots: number, direction: string) {
  const { positions } = await broker.call("listPositions", who, {});
  const draft = { ...FIRST_DRAFT, pricing: "market", lotsText: String(lots) } as const;
  const depth = { bids: [[995_000, 900]], asks: [[1_000_000, 900]] } satisfies Record<string, [number, number][]>;
  const { closing } = closingPlan(positionsOf(positions)[0]?.orders ?? [], draft, 1_000, { depth, quote: null });
  if (!closing) throw new Error(`${direction}: nothing to close`);
  return closing;
}

it("realises exactly what closing the same lots one by one realises, and what was estimated", async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.nat(), fc.constantFrom("rise", "fall"), async (lots, pick, direction) => {
      const [together, apart] = [await broker.newMember(), await broker.newMember()];
      for (const who of [together, apart]) for (const n of lots) await broker.place(who, { lots: n, direction });
      const total = lots.reduce((sum, n) => sum + n, 0);
      const wanted = 1 + (pick % total);
      const estimated = await estimate(together, wanted, direction);
      const before = (await broker.call("readMember", together, {})).availableCents;
      const { orders } = await close(wanted * 1_000, { direction }, together);
      const { positions } = await broker.call("listPositions", apart, {});
      let left = wanted;
      let expected = 0;
      for (const order of positions.toReversed()) {
        const part = Math.min(left, order.filledLots);
        if (part > 0) expected += (await broker.close(apart, order.orderNo, { lots: part })).profitCents;
        left -= part;
      }
      expect(orders.reduce((sum, order) => sum + order.profitCents, 0)).toBe(expected);
      const [a, b] = [await broker.call("readMember", together, {}), await broker.call("readMember", apart, {})];
      expect(a.availableCents).toBe(b.availableCents);
      // What the client showed before.
      expect(estimated).toMatchObject({ profitCents: expected, proceedsCents: a.availableCents - before });
      expect(estimated.feeCents).toBe(orders.reduce((sum, order) => sum + order.closeFeeCents, 0));
      expect(estimated.taxCents).toBe(orders.reduce((sum, order) => sum + order.closeTaxCents, 0));
      expect(a.todayRealisedCents).toBe(expected);
      deep();
    }),
    { numRuns: 12 },
  );
});

/** What a position costs and brings as it is shown, over all of its orders, and what the ledger moved for it. */
async function shownAndMoved() {
  const orders = await broker.db.kysely.selectFrom("order").selectAll().where("member_id", "=", member).execute();
  const closing = orders.map((order) => profitAt(heldOf(toOrder(order)), price(1_000_000)));
  const sum = (of: (order: (typeof orders)[number]) => number): number => orders.reduce((total, order) => total + of(order), 0);
  const pockets = await broker.db.kysely
    .selectFrom("pocket")
    .select(["kind", "balance"])
    .where("member_id", "is", null)
    .where("currency", "=", "TWD")
    .execute();
  const earned = (kind: string): number => pockets.find((pocket) => pocket.kind === kind)?.balance ?? 0;
  return {
    fees: sum((order) => order.open_fee_cents + order.close_fee_cents),
    taxes: sum((order) => order.open_tax_cents + order.close_tax_cents),
    feesAtTheEnd:
      sum((order) => order.open_fee_cents + order.close_fee_cents) + closing.reduce((total, one) => total + one.closeFeeCents, 0),
    profitAtTheEnd: sum((order) => order.profit_cents) + closing.reduce((total, one) => total + one.profitCents, 0),
    earned: { fees: earned("fees"), taxes: earned("tax") },
  };
}

it("shows the fees and the profit that the ledger moves, however its orders are filled in parts", async () => {
  const part = fc.integer({ min: 1, max: 3 });
  const orders = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      orders,
      fc.constantFrom("rise", "fall"),
      fc.array(part, { minLength: 3, maxLength: 6 }),
      async (lots, direction, parts) => {
        member = await broker.newMember();
        const before = (await shownAndMoved()).earned;
        const check = async () => {
          const { fees, taxes, earned, ...ends } = await shownAndMoved();
          expect({ fees, taxes }).toEqual({ fees: earned.fees - before.fees, taxes: earned.taxes - before.taxes });
          return ends;
        };
        const total = lots.reduce((sum, n) => sum + n, 0);
        let turn = 0;
        /** The market trades at 100, a few lots at a time, until the working orders are filled. */
        const fill = async (each: () => Promise<void>): Promise<void> => {
          for (let left = total; left > 0; turn += 1) {
            const some = parts[turn % parts.length] ?? 1;
            broker.venue.set(0, { bids: [[100, some]], asks: [[100, some]], last: 100 });
            await broker.settled();
            left -= some;
            await each();
          }
        };
        broker.venue.set(0, { bids: [], asks: [], last: 100 });
        for (const n of lots) await broker.place(member, { lots: n, direction, price: 100 });
        await fill(async () => void (await check()));
        const shown = await check();
        broker.venue.set(0, { bids: [], asks: [], last: 100 });
        await close(total * 1_000, { direction, pricing: "limit", price: 1_000_000 });
        // From here on the end is known: each part filled turns some of what was estimated into what was charged.
        await fill(async () => expect(await check()).toEqual(shown));
        const { availableCents } = await broker.call("readMember", member, {});
        expect(availableCents).toBe(1_000_000_000 + shown.profitAtTheEnd);
        expect((await broker.call("listPositions", member, {})).positions).toEqual([]);
      },
    ),
    { numRuns: 12 },
  );
});
