/** Tests retention: inboxes and ended alerts are bounded; waiting alerts and alerts with a message are kept. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { ALERTS_KEPT_MS, MESSAGES_KEPT, deleteExpired } from "#server/jobs/retention.ts";
import { query } from "#server/db/database.ts";
import { openTestBroker } from "#tests/support/trading.ts";
import type { TestBroker } from "#tests/support/trading.ts";

const MANY = MESSAGES_KEPT + 20;
let broker: TestBroker;
let member: number;

beforeAll(async () => {
  broker = await openTestBroker();
  member = await broker.newMember();
  const now = broker.clock.now;
  await query(
    broker.db.kysely,
    `INSERT INTO alert (member_id, id, code, kind, level, status, set_at, fired_at, price_day)
     SELECT $1, gen_random_uuid(), '2330', 'above', 1, 'fired', $2::bigint + n, $2::bigint + n, 0 FROM generate_series(1, $3::integer) AS n`,
    [member, now, MANY],
  );
  await query(
    broker.db.kysely,
    "INSERT INTO message (member_id, at, kind, alert_id) SELECT member_id, fired_at, 'alert', id FROM alert ORDER BY fired_at",
  );
  await query(
    broker.db.kysely,
    `INSERT INTO alert (member_id, id, code, kind, level, status, set_at, price_day)
     VALUES ($1, gen_random_uuid(), '2330', 'above', 1, 'waiting', $2, 0), ($1, gen_random_uuid(), '2330', 'above', 1, 'withdrawn', $2, 0)`,
    [member, now],
  );
});
afterAll(() => broker.shut());

const counted = async (table: "alert" | "message"): Promise<number> => (await query(broker.db.kysely, `SELECT FROM ${table}`)).length;

it("deletes all but a member's last messages, and keeps recent alerts", async () => {
  await deleteExpired({ db: broker.db, now: () => broker.clock.now });
  // Including the waiting and the withdrawn one.
  expect([await counted("message"), await counted("alert")]).toEqual([MESSAGES_KEPT, MANY + 2]);
  const page = await broker.call("listMessages", member, { cursor: null });
  expect(page.items[0]?.alert?.firedAt).toBe(broker.clock.now + MANY);
});

it("deletes old alerts except waiting ones and those with a message", async () => {
  await deleteExpired({ db: broker.db, now: () => broker.clock.now + ALERTS_KEPT_MS + MANY });
  expect(await query(broker.db.kysely, "SELECT status, count(*)::integer AS n FROM alert GROUP BY status ORDER BY status")).toEqual([
    { status: "fired", n: MESSAGES_KEPT },
    { status: "waiting", n: 1 },
  ]);
  expect(await counted("message")).toBe(MESSAGES_KEPT);
});

it("keeps what is not a report of an order, however many reports follow it", async () => {
  const reports = (): Promise<unknown[]> => query(broker.db.kysely, "SELECT FROM message WHERE kind = 'executionReport'");
  await query(
    broker.db.kysely,
    `INSERT INTO message (member_id, at, kind, report)
     SELECT $1, $2::bigint + n, 'executionReport', '{"kind":"filled"}'::jsonb FROM generate_series(1, $3::integer) AS n`,
    [member, broker.clock.now, MANY],
  );
  await deleteExpired({ db: broker.db, now: () => broker.clock.now });
  expect((await reports()).length).toBe(MESSAGES_KEPT);
  expect(await counted("message")).toBe(2 * MESSAGES_KEPT);
});
