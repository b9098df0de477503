/** Tests upgrades: released migrations never change, and databases of earlier versions migrate to the same schema with a balanced ledger. */
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OrderNo } from "#contract/kernel/id.ts";
import { query } from "#server/db/database.ts";
import type { Database, Reader } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { fakeInstrument, fakeVenue } from "#tests/support/fake-venue.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { openTestBroker } from "#tests/support/trading.ts";

const MIGRATIONS = new URL("../../../server/db/migrations/", import.meta.url);
const FIXTURES = new URL("./fixtures/", import.meta.url);

/** Dumps by the last migration their server had applied, in the edition released then. */
const DUMPS = ["at-0005", "at-0011", "at-0015", "at-0015-second-edition"];

/** The definition of a schema, one line per object, without the schema's name. */
async function describeSchema(on: Reader): Promise<string[]> {
  const rows = await query<{ line: string }>(
    on,
    `SELECT format('%s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid)) AS line
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relnamespace = current_schema::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
     UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
     WHERE connamespace = current_schema::regnamespace AND contype <> 'n'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema
     UNION ALL SELECT pg_get_triggerdef(pg_trigger.oid) FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
     WHERE relnamespace = current_schema::regnamespace AND NOT tgisinternal
     UNION ALL SELECT format('%s(%s) %s %s', proname, pg_get_function_arguments(oid), proconfig, md5(prosrc)) FROM pg_proc
     WHERE pronamespace = current_schema::regnamespace
     UNION ALL SELECT format('%s %s', sequencename, data_type) FROM pg_sequences WHERE schemaname = current_schema`,
  );
  const [schema] = await query<{ name: string }>(on, "SELECT current_schema AS name");
  return rows.map(({ line }) => line.replaceAll(`${schema?.name}.`, "")).toSorted();
}

/** Replaces the database's content by a dump. */
async function loadDump(db: Database, name: string): Promise<void> {
  const [schema] = await query<{ name: string }>(db.kysely, "SELECT current_schema AS name");
  await query(db.kysely, `DROP SCHEMA ${schema?.name} CASCADE; CREATE SCHEMA ${schema?.name}`);
  await query(db.kysely, gunzipSync(readFileSync(new URL(`${name}.sql.gz`, FIXTURES))).toString());
}

describe("released migrations", () => {
  const released = new Map(
    readFileSync(new URL("released-migrations.sha256", FIXTURES), "utf8")
      .trim()
      .split("\n")
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  );
  const files = readdirSync(MIGRATIONS).toSorted();

  it("are unchanged: a change needs a new migration", () => {
    for (const [name, hash] of released) {
      const text = readFileSync(new URL(name, MIGRATIONS));
      expect(createHash("sha256").update(text).digest("hex"), name).toBe(hash);
    }
  });

  it("are all listed, except those newer than the last entry", () => {
    const last = [...released.keys()].at(-1) ?? "";
    expect(files.filter((name) => name <= last)).toEqual([...released.keys()]);
  });
});

describe.each(DUMPS)("a database %s", (dump) => {
  let db: Database;
  beforeEach(async () => {
    db = await openTestDatabase({ own: true });
  });
  afterEach(() => db.close());

  it("opens with the schema and rules of a new one, its ledger balances, and its orders can be cancelled", async () => {
    const expected = await describeSchema(db.kysely);
    const rules = (on: Reader) => query(on, "SELECT part, board, kind, code, member_id, body FROM rule ORDER BY id");
    const expectedRules = await rules(db.kysely);
    await loadDump(db, dump);
    expect((await migrate(db.kysely)).length).toBeGreaterThan(0);
    expect(await migrate(db.kysely)).toEqual([]);
    expect(await describeSchema(db.kysely)).toEqual(expected);
    expect(await rules(db.kysely)).toEqual(expectedRules);
    expect((await auditBooks(db.kysely)).differences).toEqual([]);

    const open = await db.kysely.selectFrom("order").selectAll().where("status", "in", ["pending", "readyToClose"]).execute();
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set(["pending", "readyToClose"]));
    const codes = [...new Set(open.map(({ code }) => code))];
    const clock = { now: Math.max(...open.map((order) => order.placed_at)) + 1_000 };
    const venue = fakeVenue(
      codes.map((code, row) => fakeInstrument(row, code)),
      () => clock.now,
    );
    const broker = await openTestBroker({ db, venue, clock });
    expect(broker.sequencer.orderBook.size).toBe(open.length);
    for (const { member_id, order_no } of open) await broker.cancel(member_id, OrderNo.parse(order_no));
    await broker.settled();
    await broker.stop();
    expect(broker.faults).toEqual([]);
    expect(broker.sequencer.orderBook.size).toBe(0);
    expect((await auditBooks(db.kysely)).differences).toEqual([]);
  });
});
