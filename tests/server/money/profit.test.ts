/** Tests that the profit of closed lots equals the ledger's movements to the cent, for every funding and history of a position. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cents, price } from "#contract/kernel/money.ts";
import type { OrderNo, RequestId } from "#contract/kernel/id.ts";
import { heldOf, profitAt } from "#contract/profit.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { toOrder } from "#server/trading/sequencer/order-record.ts";
import { chargeInterest } from "#server/trading/clearing/charge-interest.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { movedBy, newTrader, ordersOf, pass, place, expectConsistentBooks } from "./fixture.ts";
import type { Choices } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(() => broker.shut());

const ROWS = { "2330": 0, "00646": 8 } as const;
type Code = keyof typeof ROWS;

type Step =
  | { does: "place"; choices: Required<Choices> }
  | { does: "close"; which: number; lots: number }
  | { does: "add"; which: number; amount: number }
  | { does: "market"; code: Code; at: number }
  | { does: "day"; days: number };

const code = fc.constantFrom<Code>("2330", "00646");
const funding = fc.constantFrom(
  { funding: "cash" as const, leverage: 1 },
  { funding: "margin" as const, leverage: 1 },
  { funding: "leverage" as const, leverage: 2 },
  { funding: "leverage" as const, leverage: 3 },
);
const which = fc.nat({ max: 20 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(code, funding, fc.constantFrom("rise" as const, "fall" as const), fc.integer({ min: 1, max: 7 }))
      .map(([one, paid, direction, lots]): Step => ({
        does: "place",
        choices: { code: one, direction, lots, price: null, dayTrade: false, ...paid },
      })),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("close" as const), which, lots: fc.integer({ min: 1, max: 7 }) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("add" as const), which, amount: fc.integer({ min: 1, max: 50_000 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("market" as const),
      code,
      at: fc.oneof(fc.integer({ min: 91, max: 109 }), fc.constantFrom(40, 250)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("day" as const), days: fc.integer({ min: 1, max: 40 }) }) },
);

/** A deep market around a price; a stock stays within its daily limits. */
function market(one: Code, at: number): void {
  const last = one === "2330" ? Math.min(109, Math.max(91, at)) : at;
  broker.venue.set(ROWS[one], {
    bids: [
      [last - 1, 3],
      [last - 2, 500],
    ],
    asks: [
      [last, 3],
      [last + 1, 500],
    ],
    last,
  });
}

async function openOf(memberId: number, at: number) {
  const open = (await ordersOf(broker, memberId)).filter(({ status }) => status === "holding");
  return open[at % Math.max(1, open.length)];
}

async function take(memberId: number, one: Step): Promise<void> {
  const act = async (): Promise<unknown> => {
    if (one.does === "place") return place(broker, memberId, one.choices);
    if (one.does === "market") return market(one.code, one.at);
    if (one.does === "day") {
      pass(broker, one.days);
      return chargeInterest({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
    }
    const order = await openOf(memberId, one.which);
    if (!order) return undefined;
    const orderNo = order.order_no as OrderNo;
    if (one.does === "close") return broker.close(memberId, orderNo, { lots: 1 + (one.lots % (order.filled_lots - order.closed_lots)) });
    return broker.call("addMargin", memberId, { requestId: randomUUID() as RequestId, orderNo, amount: one.amount });
  };
  await act().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
  await broker.settled();
}

describe("profit and the ledger", () => {
  it("agree after any sequence of cash and borrowed positions, and exactly once all are closed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 40, size: "max" }), async (steps) => {
        for (const one of ["2330", "00646"] as const) market(one, 100);
        const deposit = 1_000_000_000;
        const memberId = await newTrader(broker, deposit);
        for (const one of steps) await take(memberId, one);
        await expectConsistentBooks(broker, memberId, deposit);
        for (let at = 0; at < 60; at += 1) {
          const [order] = (await ordersOf(broker, memberId)).filter(({ status }) => status === "holding");
          if (!order) break;
          await broker.close(memberId, order.order_no as OrderNo, { lots: order.filled_lots - order.closed_lots });
          for (const one of ["2330", "00646"] as const) market(one, 100);
          await broker.settled();
        }
        await expectConsistentBooks(broker, memberId, deposit);
        const orders = await ordersOf(broker, memberId);
        expect(orders.filter(({ status }) => status === "holding" || status === "readyToClose")).toEqual([]);
        for (const order of orders) {
          expect([order.loan_cents, order.interest_cents, order.dividend_cents, order.collateral_cents]).toEqual([0, 0, 0, 0]);
          // A closed order leaves only its profit.
          if (order.status === "closed") expect(movedBy(order)).toBe(order.profit_cents);
        }
        const [tally] = await query<{ profit_cents: number }>(broker.db.kysely, "SELECT profit_cents FROM tally WHERE member_id = $1", [
          memberId,
        ]);
        expect(orders.reduce((sum, order) => sum + order.profit_cents, 0)).toBe(tally?.profit_cents);
      }),
      { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 15), endOnFailure: true },
    );
  });

  it("the displayed profit of an open position is what closing it realises", async () => {
    const memberId = await newTrader(broker);
    for (const direction of ["rise", "fall"] as const) {
      for (const paid of [
        { funding: "cash", leverage: 1 },
        { funding: "margin", leverage: 1 },
        { funding: "leverage", leverage: 3 },
      ] as const) {
        broker.venue.set(0, { bids: [[99, 10]], asks: [[100, 10]], last: 100 });
        const order = await place(broker, memberId, { direction, lots: 3, ...paid });
        const whole = await place(broker, memberId, { direction, lots: 3, ...paid });
        pass(broker, 20);
        await chargeInterest({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
        const at = direction === "rise" ? 101 : 98;
        broker.venue.set(0, { bids: [[direction === "rise" ? 101 : 97, 10]], asks: [[direction === "rise" ? 102 : 98, 10]], last: at });
        const [before] = (await ordersOf(broker, memberId)).filter((one) => one.order_no === order.orderNo);
        if (!before) throw new Error("the order is gone");
        const displayed = profitAt(heldOf(toOrder(before)), price(at * 10_000));
        // One of the three lots first: it takes its share, and the profit of the rest still matches.
        const part = await broker.close(memberId, order.orderNo, { lots: 1 });
        const rest = profitAt(heldOf(part), price(at * 10_000));
        const closed = await broker.close(memberId, order.orderNo, { lots: 2 });
        expect(closed.status).toBe("closed");
        expect(closed.profitCents).toBe(part.profitCents + rest.profitCents);
        // The displayed profit assumes one close order; two would each round their own fee.
        expect((await broker.close(memberId, whole.orderNo, { lots: 3 })).profitCents).toBe(displayed.profitCents);
        if (direction === "rise" && paid.funding !== "cash") expect(displayed.interestCents).toBeGreaterThan(0);
      }
    }
  });
});

describe("a long on a margin loan", () => {
  it("takes its own part from the member and the rest from the broker, and repays the loan with interest", async () => {
    broker.venue.set(0, { bids: [[99, 100]], asks: [[100, 100]], last: 100 });
    const memberId = await newTrader(broker);
    const loans = async (): Promise<number> =>
      (await query<{ balance: number }>(broker.db.kysely, "SELECT balance FROM pocket WHERE kind = 'loans'"))[0]?.balance ?? 0;
    const lentBefore = await loans();
    // 10 lots at 100.00 are 1,000,000: 40 % are the member's own.
    const order = await place(broker, memberId, { lots: 10, funding: "margin" });
    expect(order.status).toBe("holding");
    expect(order.loanCents).toBe(60_000_000);
    expect((await readBalances(broker.db.kysely, memberId)).available).toBe(1_000_000_000 - 40_000_000 - 142_500);
    expect(await loans()).toBe(lentBefore - 60_000_000);
    pass(broker, 10);
    await chargeInterest({ db: broker.db, sequencer: broker.sequencer, now: () => broker.clock.now });
    // 6.5 % a year of 600,000 are 106.84 a day.
    expect((await ordersOf(broker, memberId))[0]?.interest_cents).toBe(106_840);
    const closed = await broker.close(memberId, order.orderNo, { lots: 10 });
    expect(closed.status).toBe("closed");
    expect(await loans()).toBe(lentBefore);
    const costs = 142_500 + 141_000 + 297_000 + 106_840;
    expect(closed.profitCents).toBe(-1_000_000 - costs);
    expect((await readBalances(broker.db.kysely, memberId)).available).toBe(1_000_000_000 - 1_000_000 - costs);
    await expectConsistentBooks(broker, memberId, 1_000_000_000);
  });

  it("counts each day's realised profit from zero", async () => {
    const dayOf = async (id: number) =>
      (
        await query<{ profit_day: number; day_profit_cents: number }>(
          broker.db.kysely,
          "SELECT profit_day, day_profit_cents FROM trader WHERE member_id = $1",
          [id],
        )
      )[0];
    const memberId = await newTrader(broker);
    broker.venue.set(0, { bids: [[100, 100]], asks: [[100, 100]], last: 100 });
    const order = await place(broker, memberId, { lots: 2 });
    await broker.close(memberId, order.orderNo, { lots: 1 });
    const first = await dayOf(memberId);
    const [one] = await ordersOf(broker, memberId);
    expect(first?.day_profit_cents).toBe(one?.profit_cents);
    pass(broker, 1);
    await broker.close(memberId, order.orderNo, { lots: 1 });
    const [both] = await ordersOf(broker, memberId);
    const second = await dayOf(memberId);
    expect(second?.profit_day).toBe((first?.profit_day ?? 0) + 1);
    expect(second?.day_profit_cents).toBe(cents((both?.profit_cents ?? 0) - (first?.day_profit_cents ?? 0)));
  });
});
