/** Tests that the functions which open and write a batch have every part that migrations put into them, in new and in existing databases. */
import { readdirSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { migrate, migrateIn } from "#server/db/migrate.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

/** What each migration put in, which a patch that finds nothing to replace would lose. */
const PARTS = {
  batch_open: ["credit_cents", "AS vouchers", "AS agent_id", "block_until", "lends", "birth_date"],
  batch_write: ["voucher_no = excluded.voucher_no", "lending_cents = excluded.lending_cents", "on_loan_lots = excluded.on_loan_lots"],
} as const;
/** The migration with the last patch of `batch_open`. */
const PATCH = "0360-minor.sql";

let db: Database;
beforeEach(async () => {
  db = await openTestDatabase({ own: true });
});
afterEach(() => db.close());

/** What the functions lack. */
async function lacking(): Promise<string[]> {
  const rows = await query<{ name: keyof typeof PARTS; source: string }>(
    db.kysely,
    "SELECT proname AS name, prosrc AS source FROM pg_proc WHERE pronamespace = current_schema::regnamespace AND proname IN ('batch_open', 'batch_write')",
  );
  expect(rows).toHaveLength(2);
  return rows.flatMap(({ name, source }) => PARTS[name].filter((part) => source.split(part).length !== 2).map((part) => `${name} ${part}`));
}

it("have each part once in a new database", async () => {
  expect(await lacking()).toEqual([]);
});

it("have each part once in a database that was opened before the last patch", async () => {
  const [schema] = await query<{ name: string }>(db.kysely, "SELECT current_schema AS name");
  const files = readdirSync(new URL("../../../server/db/migrations/", import.meta.url)).toSorted();
  const applied = await query<{ name: string; checksum: string }>(db.kysely, "SELECT name, checksum FROM migration");
  await query(db.kysely, `DROP SCHEMA ${schema?.name} CASCADE; CREATE SCHEMA ${schema?.name}`);
  const earlier = applied.filter(({ name }) => name < PATCH);
  await db.kysely.transaction().execute((tx) => migrateIn(tx, earlier));
  expect(await lacking()).toEqual(["batch_open birth_date"]);
  expect(await migrate(db.kysely)).toEqual(files.filter((name) => name >= PATCH));
  expect(await lacking()).toEqual([]);
});

it("are not patched where the part to replace is missing", async () => {
  const patch = (part: string) =>
    query(db.kysely, "SELECT function_patch('batch_open(bigint[], uuid[], text[], integer)', $1, 'birth_date')", [part]);
  await expect(patch("no such part")).rejects.toThrow("does not have the part to replace: no such part");
  expect(await lacking()).toEqual([]);
});
