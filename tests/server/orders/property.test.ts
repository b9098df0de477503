/** Whatever members do and whatever the market does: every sum is zero, nobody owes, and every cent of profit is in the ledger. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import fc from "fast-check";
import { collateralOf, feeOf, taxOf } from "#contract/fee.ts";
import { cents, price, worth } from "#contract/kernel/money.ts";
import { share } from "#contract/profit.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/desks/desk.ts";
import { restOf } from "#server/desks/order/record.ts";
import type { OrderRecord } from "#server/desks/order/record.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openHouse } from "#tests/support/trading.ts";
import type { House } from "#tests/support/trading.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.shut());

const CODES = ["2330", "0050", "BTC"] as const;
const ROWS = { "2330": 0, "0050": 4, BTC: 6 } as const;
type Code = (typeof CODES)[number];

type Step =
  | { does: "place"; code: Code; direction: "rise" | "fall"; at: number | null; lots: number; twice: boolean }
  | { does: "cancel"; which: number }
  | { does: "close"; which: number; at: number | null; lots: number }
  | { does: "market"; code: Code; best: number; wild: number | null; spread: number; sizes: number[] }
  | { does: "wait" };

const code = fc.constantFrom(...CODES);
/** Prices of the test market, in currency units: whole ones lie on every tick. */
const at = fc.integer({ min: 91, max: 109 });
const orMarket = fc.option(at, { nil: null });
const lots = fc.integer({ min: 1, max: 6 });
const which = fc.nat({ max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("place" as const),
      code,
      direction: fc.constantFrom("rise", "fall"),
      at: orMarket,
      lots,
      twice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("cancel" as const), which }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("close" as const), which, at: orMarket, lots }) },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("market" as const),
      code,
      best: at,
      // Where no daily limit holds the price: a short position can lose more than its collateral.
      wild: fc.option(fc.constantFrom(3, 240, 400), { nil: null }),
      spread: fc.integer({ min: 0, max: 2 }),
      sizes: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("wait" as const) }) },
);

const ordersOf = (member: number): Promise<OrderRecord[]> =>
  house.db.kysely.selectFrom("order").selectAll().where("member_id", "=", member).orderBy("order_no").execute();

/** An order a command is meant for: mostly one it fits, now and then any. */
async function pick(member: number, one: { does: "cancel" | "close"; which: number }): Promise<OrderRecord | undefined> {
  const orders = await ordersOf(member);
  const fitting = orders.filter(
    ({ status }) => (status === "holding") === (one.does === "close") && status !== "closed" && status !== "cancelled",
  );
  const among = fitting.length > 0 && one.which > 3 ? fitting : orders;
  return among[one.which % Math.max(1, among.length)];
}

/** Do a step; being refused is an answer, anything else thrown is a failure. */
async function take(member: number, one: Step): Promise<void> {
  const order = "which" in one ? await pick(member, one) : undefined;
  const orderNo = order?.order_no as Parameters<House["cancel"]>[1] | undefined;
  const act = async (): Promise<unknown> => {
    if (one.does === "place") {
      const requestId = crypto.randomUUID();
      const ticket = { code: one.code, direction: one.direction, price: one.at, lots: one.lots, requestId };
      const asked = [house.place(member, ticket), ...(one.twice ? [house.place(member, ticket)] : [])];
      const answers = await Promise.allSettled(asked);
      expect(new Set(answers.map((answer) => (answer.status === "fulfilled" ? answer.value.orderNo : "refused"))).size).toBe(1);
      return asked[0];
    }
    if (one.does === "cancel" && orderNo) return house.cancel(member, orderNo);
    if (one.does === "close" && order && orderNo) {
      // One more than there are now and then, to be refused.
      const lotsAsked = 1 + (one.lots % (order.filled_lots - order.closed_lots + 1));
      return house.close(member, orderNo, { price: one.at, lots: lotsAsked });
    }
    if (one.does === "market") {
      const best = one.code === "BTC" ? (one.wild ?? one.best) : one.best;
      const levels = (direction: 1 | -1, from: number) =>
        one.sizes.map((size, n): [number, number] => [Math.max(1, from + direction * n), size]);
      house.venue.set(ROWS[one.code], { bids: levels(-1, best), asks: levels(1, best + one.spread), last: best });
    }
    return house.settled();
  };
  await act().catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

/** What an order that is not finished must still have held: the worst its rest can cost, less what was paid of the fee. */
function needOf(order: OrderRecord): number {
  const rest = order.status === "pending" ? restOf(order) : null;
  if (!rest || order.code === "BTC") return 0;
  if (order.direction === "rise") {
    const worst = worth(price(rest.limit ?? 0), rest.lots * order.lot_shares);
    return worst + feeOf(order.terms, cents(order.open_cents + worst)) - order.open_fee_cents;
  }
  const worst = order.open_cents + worth(price(order.bound_price ?? 0), rest.lots * order.lot_shares);
  const putUp = order.pledged_cents - order.open_cents;
  return (
    collateralOf(order.terms, cents(worst)) -
    putUp +
    feeOf(order.terms, cents(worst)) -
    order.open_fee_cents +
    taxOf(order.terms, cents(worst)) -
    order.open_tax_cents
  );
}

/** How an order moved its member's money so far: what it realised, and what lies in the lots still open. */
function movedBy(order: OrderRecord): number {
  const stillOpen = order.open_cents - share(order.open_cents, order.closed_lots, order.filled_lots);
  const costs = order.open_fee_cents + order.open_tax_cents;
  const stillCosts = costs - share(costs, order.closed_lots, order.filled_lots);
  return order.profit_cents - stillCosts + (order.direction === "rise" ? -stillOpen : stillOpen);
}

async function prove(member: number, depositCents: number): Promise<void> {
  expect(house.faults).toEqual([]);
  expect((await auditBooks(house.db.kysely)).differences).toEqual([]);
  const orders = await ordersOf(member);
  for (const order of orders) {
    expect(order.held_cents, `held by ${order.order_no}`).toBeGreaterThanOrEqual(needOf(order));
    if (order.status !== "pending") expect(order.held_cents).toBe(0);
    if (order.status === "closed") expect(order.collateral_cents).toBe(0);
  }
  const { available, held, collateral } = await readBalances(house.db.kysely, member);
  const [added] = await query<{ cents: number }>(
    house.db.kysely,
    `SELECT coalesce(-sum(amount), 0)::bigint AS cents FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id
     WHERE ledger_tx.member_id = $1 AND pocket.kind = 'shortfall'`,
    [member],
  );
  const moved = orders.reduce((sum, order) => sum + movedBy(order), 0);
  expect(available + held + collateral).toBe(depositCents + moved + (added?.cents ?? 0));
}

describe("any sequence of commands and markets", () => {
  it("keeps the books", async () => {
    const deposit = fc.integer({ min: 9_100_000, max: 200_000_000 });
    await fc.assert(
      fc.asyncProperty(deposit, fc.array(step, { minLength: 10, maxLength: 50, size: "max" }), async (depositCents, steps) => {
        for (const row of Object.values(ROWS)) house.venue.set(row, { bids: [[100, 3]], asks: [[101, 3]], last: 100 });
        await house.settled();
        const member = await house.newMember({ depositCents });
        house.clock.now += 100_000_000;
        for (const one of steps) {
          await take(member, one);
          // The exchange-traded fund is locked for a day after buying; the next step comes two days later.
          house.clock.now += 200_000_000;
        }
        await house.settled();
        await prove(member, depositCents);
      }),
      { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 20), endOnFailure: true },
    );
  });
});
