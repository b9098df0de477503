/**
 * Tests that rewards never cost the broker more than the commissions they belong to, and that an agent and a member they invited earn nothing by
 * trading with each other or the book, whatever the orders, vouchers, rebates and seats, also under a rule that gives nearly everything away.
 */
import fc from "fast-check";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { payRebates } from "#server/accounts/rebate-payment.ts";
import { expireDueVouchers } from "#server/accounts/reward-clock.ts";
import { query } from "#server/db/database.ts";
import { Refusal } from "#server/kernel/refusal.ts";
import { OWNED_POCKETS } from "#server/ledger/pocket.ts";
import { readBalances } from "#server/ledger/ledger.ts";
import { ordersOf } from "#tests/server/money/fixture.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { OrderNo } from "#contract/kernel/id.ts";
import { brokersPart, expectCleanBooks, giveVoucher, invite, open, setReward } from "./fixture.ts";

let broker: TestBroker;
beforeAll(async () => {
  broker = await openTestBroker();
  await broker.stop();
});
afterAll(async () => {
  await expectCleanBooks(broker);
  await broker.shut();
});

const BID = 99;
const ASK = 100;
/** The book never moves: a trade with it costs the spread. */
const market = (lots: number): void => broker.venue.set(0, { bids: [[BID, lots]], asks: [[ASK, lots]], last: BID, reference: BID });

const who = fc.constantFrom("agent" as const, "invited" as const);
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant("place" as const),
      who,
      direction: fc.constantFrom("rise" as const, "fall" as const),
      // Below, inside and above the spread: resting, met by the other one, or filled by the book.
      price: fc.constantFrom(98, 99.5, 100, null),
      lots: fc.integer({ min: 1, max: 7 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("close" as const), who, price: fc.constantFrom(99, 99.5, null) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("cancel" as const), who }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant("voucher" as const), who }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("seat" as const), who, feePerMillion: fc.constantFrom(0, 1, 855, 1_425, 3_000) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("book" as const), lots: fc.constantFrom(1, 3, 1_000) }) },
  { weight: 1, arbitrary: fc.constant({ does: "month" as const }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type Pair = Record<"agent" | "invited", number>;

const mayRefuse = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });

async function firstOf(member: number, status: string) {
  return (await ordersOf(broker, member)).find((order) => order.status === status);
}

async function seat(member: number, feePerMillion: number): Promise<void> {
  await query(broker.db.kysely, "DELETE FROM rule WHERE part = 'trade' AND member_id = $1", [member]);
  await query(broker.db.kysely, "INSERT INTO rule (part, member_id, body) VALUES ('trade', $1, $2)", [
    member,
    JSON.stringify({ feePerMillion }),
  ]);
  await broker.sequencer.rules.reload(broker.db.kysely);
}

async function take(one: Step, pair: Pair): Promise<void> {
  const now = (): number => broker.clock.now;
  const clock = { db: broker.db, sequencer: broker.sequencer, now };
  if (one.does === "month") {
    broker.clock.now += 31 * DAY_MS;
    await payRebates(clock);
    return expireDueVouchers(clock);
  }
  if (one.does === "book") return market(one.lots);
  const member = pair[one.who];
  if (one.does === "place") await mayRefuse(broker.place(member, { direction: one.direction, price: one.price, lots: one.lots }));
  else if (one.does === "voucher") await giveVoucher(broker, member);
  else if (one.does === "seat") await seat(member, one.feePerMillion);
  else if (one.does === "close") {
    const order = await firstOf(member, "holding");
    if (order)
      await mayRefuse(
        broker.close(member, OrderNo.parse(order.order_no), { price: one.price, lots: order.filled_lots - order.closed_lots }),
      );
  } else {
    const order = (await firstOf(member, "pending")) ?? (await firstOf(member, "readyToClose"));
    if (order) await mayRefuse(broker.cancel(member, OrderNo.parse(order.order_no)));
  }
}

/** All the money of a member, and the rebates not paid yet. */
async function wealthOf(member: number): Promise<number> {
  const balances = await readBalances(broker.db.kysely, member);
  const { accruedCents } = await broker.call("readAgent", member, {});
  return OWNED_POCKETS.reduce<number>((sum, pocket) => sum + balances[pocket], accruedCents);
}

/** Cancels and closes everything with the book. */
async function finish({ agent, invited }: Pair): Promise<void> {
  market(1_000);
  await broker.settled();
  for (const member of [agent, invited]) {
    for (const order of await ordersOf(broker, member)) {
      const orderNo = OrderNo.parse(order.order_no);
      if (order.status === "pending" || order.status === "readyToClose") await mayRefuse(broker.cancel(member, orderNo));
    }
    for (const order of await ordersOf(broker, member)) {
      if (order.status !== "holding") continue;
      const lots = order.filled_lots - order.closed_lots;
      expect(await broker.close(member, OrderNo.parse(order.order_no), { lots })).toMatchObject({ status: "closed" });
    }
  }
}

it("the broker never gives back more than it took, and the pair never earns", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), fc.constantFrom(200_000, 999_999, 2_000_000), async (steps, part) => {
      market(1_000);
      const agent = await broker.newMember();
      const pair = { agent, invited: await invite(broker, agent) };
      await setReward(broker, null, { rebatePerMillion: part, voucherCents: (part === 200_000 ? 2_000 : 10_000_000) as never });
      await open(broker, agent, "agent");
      await giveVoucher(broker, pair.invited);
      const members = [pair.agent, pair.invited];
      const before = (await wealthOf(agent)) + (await wealthOf(pair.invited));
      for (const one of steps) {
        await take(one, pair);
        await broker.settled();
        const { fees, vouchers, rebates } = await brokersPart(broker, members);
        expect(vouchers + rebates).toBeLessThanOrEqual(fees);
        for (const order of (await Promise.all(members.map((member) => ordersOf(broker, member)))).flat()) {
          expect(order.voucher_cents).toBeLessThanOrEqual(order.open_fee_cents);
          if (order.status !== "pending") expect(order.voucher_left_cents).toBe(0);
        }
      }
      await finish(pair);
      expect((await wealthOf(agent)) + (await wealthOf(pair.invited))).toBeLessThanOrEqual(before);
    }),
    { numRuns: Number(process.env["PROPERTY_RUNS"] ?? 12), endOnFailure: true },
  );
});
