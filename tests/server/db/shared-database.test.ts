/** Tests the shared test databases: reset between uses, closed to late queries, and removed after a killed run. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cents } from "#contract/kernel/money.ts";
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { remember } from "#tests/support/database-snapshot.ts";
import type { DatabaseSnapshot } from "#tests/support/database-snapshot.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

const MEMBER = { account: "A", idNumber: "A", name: "王小明", password: "s", guaranteeCode: "s", identity: "verified" as const, at: 1 };

let fresh: Database;
beforeAll(async () => {
  fresh = await openTestDatabase({ own: true });
});
afterAll(() => fresh.close());

/** A snapshot whose rows are in an order of their own: a table gives them as they lie in its pages, where what was deleted leaves room. */
const contentOf = ({ rows, ...rest }: DatabaseSnapshot) => ({
  ...rest,
  rows: new Map(
    [...rows].map(([table, { json }]) => [table, (JSON.parse(json) as unknown[]).map((row) => JSON.stringify(row)).toSorted()]),
  ),
});

it("the next user gets a freshly migrated database", async () => {
  const pristine = await remember(fresh.kysely);
  const first = await openTestDatabase();
  const id = await createMember(first, { ...MEMBER, depositCents: cents(100) });
  await query(first.kysely, `INSERT INTO rule (part, code, body) VALUES ('trade', '2330', '{"maxLots": 2}')`);
  await query(first.kysely, "DELETE FROM rule WHERE kind = 'etf'");
  await query(first.kysely, "SELECT nextval('order_no'), nextval('message_no')");
  await first.close();
  const second = await openTestDatabase();
  expect(contentOf(await remember(second.kysely))).toEqual(contentOf(pristine));
  expect(await createMember(second, { ...MEMBER, depositCents: cents(100) })).toBe(id);
  await second.close();
});

it("a ledger emptied for the next user keeps its constraints", async () => {
  const db = await openTestDatabase();
  await expect(query(db.kysely, "TRUNCATE entry, ledger_tx")).rejects.toThrow("only ever added to");
  await expect(query(db.kysely, "DELETE FROM pocket")).rejects.toThrow("only ever added to");
  await db.close();
});

it("two databases open at once are separate", async () => {
  const [one, other] = [await openTestDatabase(), await openTestDatabase()];
  await createMember(one, { ...MEMBER, depositCents: cents(100) });
  expect(await query(other.kysely, "SELECT id FROM member")).toEqual([]);
  await Promise.all([one.close(), other.close()]);
});

it("a closed database refuses queries, but running ones finish first", async () => {
  const db = await openTestDatabase();
  const work = db.transaction((tx) => tx.insertInto("setting").values({ name: "late", value: "", open: false }).execute());
  await db.close();
  await expect(work).resolves.toBeDefined();
  expect(() => db.kysely.selectFrom("setting")).toThrow("the database is closed");
  await expect(db.transaction(async () => undefined)).rejects.toThrow("the database is closed");
});

it("a test that alters the schema gets an error that says to open its own", async () => {
  const db = await openTestDatabase();
  await query(db.kysely, "ALTER TABLE setting ADD COLUMN more text");
  await expect(db.close()).rejects.toThrow("{ own: true }");
  const next = await openTestDatabase();
  await expect(query(next.kysely, "SELECT more FROM setting")).rejects.toThrow("more");
  await next.close();
});

/** Runs the global test setup in a separate process, with a schema on PostgreSQL. */
async function begin() {
  const program = `
    const { setup } = await import("#tests/support/global-setup.ts");
    const { openTestDatabase } = await import("#tests/support/test-database.ts");
    await setup();
    if (process.env.DATABASE_URL) await openTestDatabase();
    console.log(process.env.TMPDIR + " " + process.env.TEST_RUN);
    setInterval(() => undefined, 1_000);`;
  const { TEST_RUN: _run, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const [folder = "", run = ""] = line.split(" ");
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  return { folder, run, end };
}

const schemasOf = (run: string) => query(fresh.kysely, "SELECT nspname FROM pg_namespace WHERE starts_with(nspname, $1)", [`test_${run}_`]);

it("a stopped run leaves nothing; a killed run is cleaned up by the next one, a running one is not", async () => {
  const [killed, living] = [await begin(), await begin()];
  await killed.end("SIGKILL");
  // PostgreSQL releases the run's lock when its connection ends.
  const held = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = 20331 AND objid = ('x' || $1)::bit(32)::bigint::oid";
  while ((await query(fresh.kysely, held, [killed.run])).length > 0) continue;
  expect(existsSync(killed.folder)).toBe(true);
  const next = await begin();
  expect([killed, living, next].map(({ folder }) => existsSync(folder))).toEqual([false, true, true]);
  expect(await schemasOf(killed.run)).toEqual([]);
  if (fresh.kind === "postgres") expect(await schemasOf(living.run)).toHaveLength(1);
  await Promise.all([living.end("SIGTERM"), next.end("SIGTERM")]);
  expect([living, next].map(({ folder }) => existsSync(folder))).toEqual([false, false]);
  for (const { run } of [living, next]) expect(await schemasOf(run)).toEqual([]);
});
