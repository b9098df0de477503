/** Tests data migrations of older databases: rules, fills, and close orders resting in the market. */
import { describe, expect, it } from "vitest";
import { FILL_REASONS } from "#contract/order.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker } from "#tests/support/trading.ts";

/** The minimum order values of the rules, in order of precedence. */
const minimums = async (db: Database): Promise<[kind: string | null, code: string | null, cents: number][]> => {
  const rows = await query<{ kind: string | null; code: string | null; cents: number }>(
    db.kysely,
    `SELECT kind, code, (body ->> 'minimumCents')::integer AS cents FROM rule WHERE part = 'trade' AND body ? 'minimumCents' ORDER BY id`,
  );
  return rows.map(({ kind, code, cents }) => [kind, code, cents]);
};

/** Restores the earlier rules with an operator's changes, and migrates them. */
async function rulesForward(minimum: number, also = ""): Promise<[string | null, string | null, number][]> {
  const db = await openTestDatabase();
  try {
    await query(db.kysely, "DELETE FROM rule WHERE id < 1");
    await query(db.kysely, "UPDATE rule SET body = body || json_build_object('minimumCents', $1::integer)::jsonb WHERE id = 1", [minimum]);
    if (also) await query(db.kysely, also);
    await query(db.kysely, "DELETE FROM migration WHERE name LIKE '0030-%'");
    await migrate(db.kysely);
    return await minimums(db);
  } finally {
    await db.close();
  }
}

describe("the minimum value of an order", () => {
  it("is removed for exchange-traded instruments, and kept elsewhere", async () => {
    expect(await rulesForward(100_000)).toEqual([
      ["forex", null, 100_000],
      ["crypto", null, 100_000],
      [null, null, 0],
    ]);
  });

  it("keeps an operator's setting, general or for one product", async () => {
    expect(await rulesForward(50_000)).toEqual([[null, null, 50_000]]);
    const exception = `INSERT INTO rule (part, code, body) VALUES ('trade', 'BTC', '{"minimumCents": 7}')`;
    expect((await rulesForward(100_000, exception)).at(-1)).toEqual([null, "BTC", 7]);
  });
});

it("the reasons of fills are the contract's", async () => {
  const db = await openTestDatabase();
  const [check] = await query<{ said: string }>(
    db.kysely,
    `SELECT pg_get_constraintdef(oid) AS said FROM pg_constraint WHERE conname = 'fill_reason_check' AND connamespace = current_schema::regnamespace`,
  );
  expect(new Set([...(check?.said ?? "").matchAll(/'(\w+)'/g)].map(([, word]) => word))).toEqual(new Set(FILL_REASONS));
  await db.close();
});

it("a close order in the market keeps the fee its own fills have paid", async () => {
  const broker = await openTestBroker({ db: await openTestDatabase({ own: true }) });
  const member = await broker.newMember();
  broker.venue.set(0, { bids: [[5, 1]], asks: [[5, 9]], last: 5, reference: 5 });
  const { orderNo } = await broker.place(member, { lots: 4 });
  await broker.close(member, orderNo);
  // The next close is placed later and partially filled.
  broker.clock.now += 1;
  broker.venue.set(0, { bids: [[5, 1]] });
  expect(await broker.close(member, orderNo, { lots: 3, price: 5 })).toMatchObject({ status: "readyToClose", closedLots: 2 });
  const before = (await broker.call("readOrder", member, { orderNo })).order;
  await broker.stop();
  await broker.settled();
  await query(broker.db.kysely, `ALTER TABLE "order" DROP COLUMN closing_cents, DROP COLUMN closing_fee_cents`);
  await query(broker.db.kysely, "DELETE FROM migration WHERE name LIKE '0032-%'");
  await migrate(broker.db.kysely);
  const again = await openTestBroker({ db: broker.db, venue: broker.venue, clock: broker.clock });
  const { order } = await again.call("readOrder", member, { orderNo });
  expect(order).toEqual(before);
  expect(order).toMatchObject({ closingCents: 500_000, closingFeeCents: 2_000 });
  again.venue.set(0, { bids: [[5, 9]] });
  await again.settled();
  // Three lots are worth 15,000 with a fee of 21, one above the minimum.
  expect((await again.call("readOrder", member, { orderNo })).order).toMatchObject({ status: "closed", closeFeeCents: 2_000 + 2_100 });
  await again.shut();
});
