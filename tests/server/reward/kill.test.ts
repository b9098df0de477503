/**
 * Tests that the server may die at any statement of a check-in, of redeeming a voucher, of a fill with both, and of a month's payment: afterwards
 * it happened wholly or not at all, and repeated it happens once.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PlaceOrderBody } from "#contract/order.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { payRebates } from "#server/accounts/rebate-payment.ts";
import { query } from "#server/db/database.ts";
import type { Database, Tx } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeVenue } from "#tests/support/fake-venue.ts";
import { INSTRUMENTS, openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { invite, newId, open } from "./fixture.ts";

/** What a dead process leaves behind: the transaction that was open is rolled back. */
class Died extends Error {}

let db: Database;
let member: number;
let agent: number;
const JULY = Date.UTC(2026, 6, 10, 2, 0, 0);
const clock = { now: JULY };
const venue = fakeVenue(INSTRUMENTS, () => clock.now);

beforeAll(async () => {
  db = await openTestDatabase();
  venue.set(0, { bids: [[99, 100_000]], asks: [[100, 100_000]], last: 100, reference: 100 });
  const broker = await openTestBroker({ db, venue, clock });
  agent = await broker.newMember();
  member = await invite(broker, agent, 100_000_000_000);
  await open(broker, agent, "agent");
  await broker.stop();
  await broker.sequencer.idle();
});
afterAll(() => db.close());

/** The database of a process that dies at the statement after so many ones of a transaction. */
function dyingAt(statements: number): Database {
  const counted = (tx: Tx): Tx => {
    let left = statements;
    return new Proxy(tx, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...given: unknown[]): unknown => {
          if (name === "executeQuery" || name === "insertInto" || name === "updateTable") {
            left -= 1;
            if (left < 0) throw new Died();
          }
          return Reflect.apply(value, target, given);
        };
      },
    });
  };
  return {
    ...db,
    kysely: db.kysely,
    writable: () => db.writable(),
    close: () => Promise.resolve(),
    transaction: (work) => db.transaction((tx) => work(counted(tx))),
  };
}

/** Everything that the acts may change. */
async function stateNow(): Promise<object> {
  const [row] = await query<object>(
    db.kysely,
    `SELECT (SELECT count(*)::integer FROM check_in) AS "checkIns", (SELECT sum(check_ins_spent)::integer FROM trader) AS spent,
      (SELECT json_agg(json_build_array(voucher_no, status, paid_cents) ORDER BY id) FROM voucher) AS vouchers,
      (SELECT json_agg(json_build_array(month, commission_cents, rebate_cents) ORDER BY month) FROM rebate) AS rebates,
      (SELECT json_agg(json_build_array(month, cents) ORDER BY month) FROM rebate_payment) AS paid,
      (SELECT count(*)::integer FROM "order") AS orders, (SELECT count(*)::integer FROM request) AS requests,
      (SELECT count(*)::integer FROM message) AS messages, (SELECT sum(fact_n)::integer FROM tally) AS facts,
      (SELECT json_agg(json_build_array(member_id, kind, balance) ORDER BY id) FROM pocket WHERE currency = 'TWD') AS pockets`,
  );
  return row ?? {};
}

const requests = { checkIn: newId(), redeem: newId(), order: newId() };
type Act = (broker: TestBroker) => Promise<unknown>;
const place = (requestId: string): Act => {
  const ticket = { requestId: RequestId.parse(requestId), code: "2330", direction: "rise", pricing: "market", price: null, lots: 1 };
  return (broker) => broker.call("placeOrder", member, PlaceOrderBody.parse(ticket));
};

/** A broker without jobs, so that only the act opens transactions. */
async function withDatabase(database: Database): Promise<TestBroker> {
  const broker = await openTestBroker({ db: database, venue, clock });
  await broker.stop();
  await broker.sequencer.idle();
  return broker;
}

describe("the server may die at any statement of", () => {
  it.each<[string, () => Promise<void>, Act]>([
    ["a check-in", async () => undefined, (broker) => broker.call("checkIn", member, { requestId: requests.checkIn })],
    [
      "redeeming",
      async () => {
        await query(
          db.kysely,
          "INSERT INTO check_in (member_id, day, at, streak) SELECT $1, day, 0, day FROM generate_series(1, 7) AS day",
          [member],
        );
      },
      (broker) => broker.call("redeemVoucher", member, { requestId: requests.redeem }),
    ],
    ["a fill with a voucher and a rebate", async () => undefined, place(requests.order)],
    [
      "a month's payment",
      async () => undefined,
      // The month ends after the start of the process, which pays what is due.
      async ({ sequencer }) => {
        clock.now = Date.UTC(2026, 7, 1, 2, 0, 0);
        await payRebates({ db, sequencer, now: () => clock.now }).finally(() => {
          clock.now = JULY;
        });
      },
    ],
  ])("%s", async (_name, prepare, act) => {
    await prepare();
    const before = await stateNow();
    let deaths = 0;
    for (let statements = 0; ; statements += 1) {
      const broker = await withDatabase(dyingAt(statements));
      const died = await act(broker).then(
        () => false,
        (error: unknown) => error instanceof Died,
      );
      if (!died) break;
      deaths += 1;
      expect(await stateNow()).toEqual(before);
    }
    expect(deaths).toBeGreaterThan(3);
    const after = await stateNow();
    expect(after).not.toEqual(before);
    // The answer was lost: the next process is asked again.
    await act(await withDatabase(dyingAt(Number.POSITIVE_INFINITY)));
    expect(await stateNow()).toEqual(after);
    expect((await auditBooks(db.kysely)).differences).toEqual([]);
  });
});
