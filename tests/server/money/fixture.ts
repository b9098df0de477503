/** Fixture of tests with borrowed money: orders with every option, passing days, and checks of the ledger. */
import { randomUUID } from "node:crypto";
import { expect, vi } from "vitest";
import { PlaceOrderBody } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import { PRICE_ONE } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { share } from "#contract/profit.ts";
import { query } from "#server/db/database.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import type { TestBroker } from "#tests/support/trading.ts";

/** Options of an order, the price in currency units (null at market). */
export interface Choices {
  code?: string;
  direction?: "rise" | "fall";
  price?: number | null;
  lots?: number;
  funding?: "cash" | "margin" | "leverage";
  leverage?: number;
  dayTrade?: boolean;
}

/** Places an order with any options. */
export function place(broker: TestBroker, memberId: number, choices: Choices = {}): Promise<Order> {
  const { code = "2330", direction = "rise", price = null, lots = 1, funding = "cash", leverage = 1, dayTrade = false } = choices;
  return broker.call(
    "placeOrder",
    memberId,
    PlaceOrderBody.parse({
      requestId: randomUUID(),
      code,
      direction,
      pricing: price === null ? "market" : "limit",
      price: price === null ? null : Math.round(price * PRICE_ONE),
      lots,
      funding,
      leverage,
      dayTrade,
    }),
  );
}

/** A member who may trade on margin and day trade. */
export async function newTrader(broker: TestBroker, depositCents = 1_000_000_000): Promise<number> {
  const memberId = await broker.newMember({ depositCents });
  await query(broker.db.kysely, "UPDATE trader SET margin_status = 'approved', day_signed_at = 1 WHERE member_id = $1", [memberId]);
  return memberId;
}

/** Lets days pass. */
export function pass(broker: TestBroker, days: number): void {
  broker.clock.now += days * DAY_MS;
}

/** The stored orders of a member. */
export function ordersOf(broker: TestBroker, memberId: number): Promise<OrderRecord[]> {
  return broker.db.kysely.selectFrom("order").selectAll().where("member_id", "=", memberId).orderBy("order_no").execute();
}

/** The effect of an order on its member's money so far: realised profit, the cost of the open lots, their dividends and lending fees. */
export function movedBy(order: OrderRecord): number {
  const stillOpen = order.open_cents - share(order.open_cents, order.closed_lots, order.filled_lots);
  const costs = order.open_fee_cents + order.open_tax_cents;
  const stillCosts = costs - share(costs, order.closed_lots, order.filled_lots);
  const own = order.direction === "rise" ? order.loan_cents - stillOpen : stillOpen;
  return order.profit_cents - stillCosts + own + order.dividend_cents + order.lending_cents;
}

/** Everything a member owns and owes in money, and what the broker had to add. */
export async function moneyOf(broker: TestBroker, memberId: number): Promise<{ owned: number; added: number }> {
  const { available, held, collateral, unsettled, owing, margin, debt } = await readBalances(broker.db.kysely, memberId);
  const [row] = await query<{ cents: number }>(
    broker.db.kysely,
    `SELECT coalesce(-sum(amount), 0)::bigint AS cents FROM entry JOIN ledger_tx ON ledger_tx.id = tx_id JOIN pocket ON pocket.id = pocket_id
     WHERE ledger_tx.member_id = $1 AND pocket.kind = 'shortfall'`,
    [memberId],
  );
  return { owned: available + held + collateral + unsettled + margin + owing + debt, added: row?.cents ?? 0 };
}

/**
 * Asserts that the ledger is consistent and that it contains every cent of a member's orders. `depositCents` is the member's first deposit.
 */
export async function expectConsistentBooks(broker: TestBroker, memberId: number, depositCents: number): Promise<void> {
  expect(broker.faults).toEqual([]);
  expect((await auditBooks(broker.db.kysely)).differences).toEqual([]);
  const orders = await ordersOf(broker, memberId);
  const { owned, added } = await moneyOf(broker, memberId);
  const owing = await readBalances(broker.db.kysely, memberId);
  const moved = orders.reduce((sum, order) => sum + movedBy(order), 0);
  // Unsettled purchase money is still in this pocket, although it is spent.
  expect(owned - owing.owing).toBe(depositCents + moved + added);
}

/** A stored order. */
export function orderOf(broker: TestBroker, orderNo: string): Promise<OrderRecord> {
  return broker.db.kysely.selectFrom("order").selectAll().where("order_no", "=", orderNo).executeTakeFirstOrThrow();
}

/** Waits until an assertion holds. */
export async function eventually(look: () => Promise<void>): Promise<void> {
  await vi.waitFor(look, { timeout: 60_000, interval: 20 });
}

/** Waits until an order has these fields. */
export function orderBecomes(broker: TestBroker, orderNo: string, what: Partial<OrderRecord>): Promise<void> {
  return eventually(async () => expect(await orderOf(broker, orderNo)).toMatchObject(what));
}
