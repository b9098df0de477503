/**
 * Tests invariants for random commands of several members and random markets: every sum is zero, no debt appears, and every cent of profit
 * is in the ledger.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import fc from "fast-check";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { price, worth } from "#contract/kernel/money.ts";
import { share } from "#contract/profit.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { buyingPowerLeft } from "#server/trading/order-entry/buying-power.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { restingOf } from "#server/trading/sequencer/order-book.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
});
afterAll(() => broker.shut());

const CODES = ["2330", "0050", "00646"] as const;
const ROWS = { "2330": 0, "0050": 4, "00646": 8 } as const;
type Listed = (typeof CODES)[number];

/** Options of an order besides direction and price. */
interface Way {
  validity?: "ioc" | "fok";
  market?: "odd";
  funding?: "leverage";
  leverage?: number;
  trigger?: { kind: "stop" | "takeProfit"; price: number };
}

type Step =
  | { does: "place"; code: Listed; direction: "rise" | "fall"; at: number | null; lots: number; twice: boolean; way: Way }
  | { does: "cancel"; which: number }
  | { does: "amend"; which: number; at: number | null; lots: number | null }
  | { does: "close"; which: number; at: number | null; lots: number }
  | { does: "reverse"; which: number }
  | { does: "cancelAll"; code: Listed | null }
  | { does: "closeAll"; code: Listed | null }
  | { does: "market"; code: Listed; best: number; wild: number | null; spread: number; sizes: number[] }
  | { does: "call"; code: Listed; odd: boolean; bids: number[]; asks: number[] }
  | { does: "wait" };
/** A step and its member. */
type Turn = { who: number; step: Step };

const MEMBERS = 3;
const code = fc.constantFrom(...CODES);
/** Prices in currency units; whole ones are on every tick. */
const at = fc.integer({ min: 91, max: 109 });
const orMarket = fc.option(at, { nil: null });
const lots = fc.integer({ min: 1, max: 6 });
const which = fc.nat({ max: 30 });
const sizes = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 });
const ways: fc.Arbitrary<Way> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.record({ validity: fc.constantFrom("ioc" as const, "fok" as const) }) },
  { weight: 1, arbitrary: fc.constant({ market: "odd" as const }) },
  { weight: 1, arbitrary: fc.record({ funding: fc.constant("leverage" as const), leverage: fc.constantFrom(2, 3) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      trigger: fc.record({ kind: fc.constantFrom("stop" as const, "takeProfit" as const), price: at.map((each) => each * 10_000) }),
    }),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      does: fc.constant("place" as const),
      code,
      direction: fc.constantFrom("rise", "fall"),
      at: orMarket,
      lots,
      twice: fc.boolean(),
      way: ways,
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("cancel" as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("amend" as const), which, at: orMarket, lots: fc.option(lots, { nil: null }) }),
  },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("close" as const), which, at: orMarket, lots }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("reverse" as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constantFrom("cancelAll" as const, "closeAll" as const), code: fc.option(code, { nil: null }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("market" as const),
      code,
      best: at,
      // Without daily limits a short can lose more than its collateral.
      wild: fc.option(fc.constantFrom(3, 240, 400), { nil: null }),
      spread: fc.integer({ min: 0, max: 2 }),
      sizes,
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("call" as const), code, odd: fc.boolean(), bids: sizes, asks: sizes }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("wait" as const) }) },
);
const turns: fc.Arbitrary<Turn[]> = fc.array(fc.record({ who: fc.nat({ max: MEMBERS - 1 }), step }), { minLength: 1, maxLength: 5 });

const ordersOf = (member: number): Promise<OrderRecord[]> =>
  broker.db.kysely.selectFrom("order").selectAll().where("member_id", "=", member).orderBy("order_no").execute();

/** Picks an order for a command: usually one it applies to, sometimes any. */
async function pick(
  member: number,
  one: { does: "cancel" | "amend" | "close" | "reverse"; which: number },
): Promise<OrderRecord | undefined> {
  const orders = await ordersOf(member);
  const position = one.does === "close" || one.does === "reverse";
  const fitting = orders.filter(({ status }) => (status === "holding") === position && status !== "closed" && status !== "cancelled");
  const among = fitting.length > 0 && one.which > 3 ? fitting : orders;
  return among[one.which % Math.max(1, among.length)];
}

async function place(member: number, one: Extract<Step, { does: "place" }>): Promise<unknown> {
  const requestId = crypto.randomUUID();
  const single = one.way.market === "odd" && one.code !== "00646";
  const also = single || one.way.market === undefined ? one.way : {};
  const ticket = {
    code: one.code,
    direction: one.direction,
    price: one.at,
    lots: single ? one.lots * 50 : one.lots,
    requestId,
    also: { ...also },
  };
  const asked = [broker.place(member, ticket), ...(one.twice ? [broker.place(member, ticket)] : [])];
  const answers = await Promise.allSettled(asked);
  expect(new Set(answers.map((answer) => (answer.status === "fulfilled" ? answer.value.orderNo : "refused"))).size).toBe(1);
  return asked[0];
}

/** Changes the market, or runs a call auction with orders of the market's own. */
function moveMarket(one: Extract<Step, { does: "market" | "call" }>): void {
  const row = ROWS[one.code];
  const levels = (from: number, direction: 1 | -1, some: readonly number[]) =>
    some.map((size, n): [number, number] => [Math.max(1, from + direction * n), size]);
  if (one.does === "call") {
    broker.venue.setCall(row, { bids: levels(101, -1, one.bids), asks: levels(100, 1, one.asks) }, one.odd);
    broker.venue.call(one.odd ? "odd" : "resume", [row]);
    return;
  }
  const best = one.code === "00646" ? (one.wild ?? one.best) : one.best;
  broker.venue.set(row, { bids: levels(best, -1, one.sizes), asks: levels(best + one.spread, 1, one.sizes), last: best });
}

async function act(member: number, one: Step): Promise<unknown> {
  const requestId = RequestId.parse(crypto.randomUUID());
  if (one.does === "place") return place(member, one);
  if (one.does === "market" || one.does === "call") return moveMarket(one);
  if (one.does === "cancelAll" || one.does === "closeAll") {
    const body = { requestId, code: one.code === null ? null : Code.parse(one.code) };
    return one.does === "cancelAll" ? broker.call("cancelOrders", member, body) : broker.call("closeOrders", member, body);
  }
  if (one.does === "wait") return broker.settled();
  const order = await pick(member, one);
  if (!order) return broker.settled();
  const orderNo = order.order_no as Parameters<TestBroker["cancel"]>[1];
  if (one.does === "cancel") return broker.cancel(member, orderNo);
  if (one.does === "reverse") return broker.call("reverseOrder", member, { requestId, orderNo });
  if (one.does === "amend") {
    const price = one.at === null ? null : one.at * 10_000;
    return broker.call("amendOrder", member, { requestId, orderNo, lots: one.lots, price });
  }
  // Sometimes one lot too many, which is refused.
  return broker.close(member, orderNo, { price: one.at, lots: 1 + (one.lots % (order.filled_lots - order.closed_lots + 1)) });
}

/** Runs a step. A refusal is a valid result; any other error fails the test. */
async function take(member: number, one: Step): Promise<void> {
  await act(member, one).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

/** The amount that an unfinished order must still hold: the worst case of its rest, less what its fills took. */
function needed(order: OrderRecord): number {
  if (order.status !== "pending" || order.code === "00646") return 0;
  const bound = order.direction === "rise" ? (order.price ?? order.bound_price) : order.bound_price;
  return buyingPowerLeft(order, worth(price(bound ?? 0), (order.lots - order.filled_lots) * order.lot_shares));
}

/** The effect of an order on its member's money so far: realised profit, the cost of the open lots, and their loans. */
function movedBy(order: OrderRecord): number {
  const stillOpen = order.open_cents - share(order.open_cents, order.closed_lots, order.filled_lots);
  const costs = order.open_fee_cents + order.open_tax_cents;
  const stillCosts = costs - share(costs, order.closed_lots, order.filled_lots);
  return order.profit_cents - stillCosts + (order.direction === "rise" ? -stillOpen : stillOpen) + order.loan_cents;
}

/** Resting orders of one row that cross: none, except a member's own. */
async function crossed(): Promise<string[]> {
  const orders = await broker.db.kysely.selectFrom("order").selectAll().where("status", "in", ["pending", "readyToClose"]).execute();
  const resting = orders.flatMap((order) => restingOf(order, broker.venue) ?? []).filter((one) => one.market === "board" && !one.atMarket);
  const buys = resting.filter((one) => one.side === "buy");
  const sells = resting.filter((one) => one.side === "sell");
  return buys.flatMap((buy) =>
    sells
      .filter((sell) => sell.row === buy.row && sell.memberId !== buy.memberId && (sell.limit ?? 0) <= (buy.limit ?? 0))
      .map((sell) => `${buy.orderNo} bids ${buy.limit}, ${sell.orderNo} asks ${sell.limit}`),
  );
}

async function prove(member: number, depositCents: number): Promise<void> {
  const orders = await ordersOf(member);
  for (const order of orders) {
    expect(order.held_cents, `held by ${order.order_no}`).toBeGreaterThanOrEqual(needed(order));
    if (order.status !== "pending") expect(order.held_cents).toBe(0);
    if (order.status === "closed") expect([order.collateral_cents, order.loan_cents]).toEqual([0, 0]);
  }
  const { available, held, collateral, margin, debt } = await readBalances(broker.db.kysely, member);
  const [added] = await query<{ cents: number }>(
    broker.db.kysely,
    `SELECT coalesce(-sum(amount), 0)::bigint AS cents FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id
     WHERE ledger_tx.member_id = $1 AND pocket.kind = 'shortfall'`,
    [member],
  );
  const moved = orders.reduce((sum, order) => sum + movedBy(order), 0);
  expect(available + held + collateral + margin + debt).toBe(depositCents + moved + (added?.cents ?? 0));
}

describe("any sequence of concurrent commands and market changes", () => {
  it("keeps the ledger consistent", async () => {
    const deposits = fc.array(fc.integer({ min: 9_100_000, max: 200_000_000 }), { minLength: MEMBERS, maxLength: MEMBERS });
    await fc.assert(
      fc.asyncProperty(deposits, fc.array(turns, { minLength: 5, maxLength: 20, size: "max" }), async (purses, rounds) => {
        for (const row of Object.values(ROWS)) broker.venue.set(row, { bids: [[100, 3]], asks: [[101, 3]], last: 100 });
        await broker.settled();
        const members: number[] = [];
        for (const depositCents of purses) members.push(await broker.newMember({ depositCents }));
        broker.clock.now += 100_000_000;
        for (const together of rounds) {
          await Promise.all(together.map(({ who, step: one }) => take(members[who] ?? 0, one)));
          await broker.settled();
          // The exchange-traded fund is locked for a day after buying; the next steps happen two days later.
          broker.clock.now += 200_000_000;
        }
        await broker.settled();
        expect(broker.faults).toEqual([]);
        expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
        expect(await crossed()).toEqual([]);
        for (const [n, member] of members.entries()) await prove(member, purses[n] ?? 0);
      }),
      { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 20), endOnFailure: true },
    );
  });
});
