/**
 * Tests the durability of strategies: the server is killed again and again, on another day each time, while it decides many runs; each run is
 * decided at most once a day, every order belongs to one decision, and the ledger balances.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { RequestId } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { STRATEGY_CODES } from "#contract/strategy.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { openDatabase, query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { LATE_MORNING_MS, spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { schemaNameOrNull } from "#tests/support/run.ts";
import { sized } from "#tests/support/size.ts";
import { fillDataDir } from "#tests/support/template.ts";
import { sampleUniverse } from "#tests/support/test-universe.ts";

const KILLS = sized(4, 12);
/** Strategies that hold something on most days. */
const STRATEGIES = ["grid", "volatility"] as const;
const CODES = STRATEGY_CODES.slice(0, 4);

const databaseUrl = process.env["DATABASE_URL"] || null;
const databaseSchema = schemaNameOrNull();
const dataDir = databaseUrl ? null : mkdtempSync(join(tmpdir(), "kuroshio-strategy-kill-"));
const venue = { seed: 1, rate: 50, hours: "always" as const, codes: sampleUniverse(1, ...STRATEGY_CODES) };
const config = { dataDir, databaseUrl, databaseSchema, commandsPerSecond: 100_000, venue };
const secrets = { password: "strategy-secret", guaranteeCode: "888888" };
/** Of the members. */
const ID_NUMBERS = ["C100000012", "C100000021", "C100000030", "C100000049"] as const;
const RUNS = ID_NUMBERS.length * STRATEGIES.length * CODES.length;

const open = (): Promise<Database> => openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined });
const dayAt = (nth: number): number => LATE_MORNING_MS + nth * DAY_MS;

/** Members with NT$100,000,000, in a database that no server has open. */
async function prepare(): Promise<void> {
  if (dataDir) await fillDataDir(dataDir);
  const db = await open();
  for (const [nth, idNumber] of ID_NUMBERS.entries()) {
    const shared = { identity: "verified" as const, depositCents: cents(10_000_000_000), at: Date.now(), name: "量化人" };
    const id = await createMember(db, { account: `KS90010${nth}`, idNumber, ...secrets, ...shared });
    await query(db.kysely, "UPDATE member SET fund_password_hash = 'x' WHERE id = $1", [id]);
  }
  await db.close();
}

/** Starts every run, as the members do. */
async function startRuns(server: ServerProcess): Promise<void> {
  for (const idNumber of ID_NUMBERS) {
    const session = await server.call("signIn", { idNumber, ...secrets });
    if (session?.status !== 1) throw new Error("a member could not sign in");
    for (const strategy of STRATEGIES)
      for (const code of CODES) {
        const requestId = RequestId.parse(randomUUID());
        const reply = await server.call("startStrategy", { requestId, strategy, code, amount: 500_000, stopPercent: 90 }, session.data);
        expect(reply).toMatchObject({ status: 1 });
      }
  }
}

const countOf = async (db: Database, text: string): Promise<number> =>
  (await query<{ n: number }>(db.kysely, `SELECT count(*)::integer AS n ${text}`))[0]?.n ?? -1;

beforeAll(async () => {
  await prepare();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnServer(config, dayAt(kill));
    if (kill === 0) await startRuns(server);
    // At another moment of the decisions each time.
    else await wait(1_000 + kill * 300);
    await server.kill();
  }
  const server = await spawnServer(config, dayAt(KILLS));
  const session = await server.call("signIn", { idNumber: ID_NUMBERS[3], ...secrets });
  const own = STRATEGIES.length * CODES.length;
  // The last member's runs are decided last.
  for (let decided = 0; decided < own; await wait(200)) {
    const reply = session?.status === 1 ? await server.call("listStrategyRuns", {}, session.data) : null;
    const today = Date.now() + dayAt(KILLS) - 600_000;
    decided = reply?.status === 1 ? reply.data.runs.filter(({ decidedAt }) => decidedAt !== null && decidedAt > today).length : 0;
  }
  await server.stop();
}, 600_000);

afterAll(async () => {
  if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  if (!databaseUrl || !databaseSchema) return;
  const db = await open();
  await db.kysely.schema.dropSchema(databaseSchema).cascade().execute();
  await db.close();
});

it(`after ${KILLS} kills every run was decided at most once a day, every order belongs to one decision, and the ledger balances`, async () => {
  const db = await open();
  expect(await countOf(db, "FROM strategy_run WHERE status = 'running' AND decided_day IS NOT NULL")).toBe(RUNS);
  expect(await countOf(db, "FROM strategy_trade WHERE order_no IS NOT NULL")).toBeGreaterThan(RUNS / 2);
  const twice = "(at + 28800000) / 86400000";
  expect(
    await countOf(db, `FROM (SELECT FROM strategy_trade WHERE side = 'buy' GROUP BY run_no, ${twice} HAVING count(*) > 1) AS twice`),
  ).toBe(0);
  const orphans = `FROM "order" WHERE origin = 'strategy' AND (filled_lots > 0) <> EXISTS (
    SELECT FROM strategy_trade WHERE strategy_trade.order_no = "order".order_no AND side = 'buy')`;
  expect(await countOf(db, orphans)).toBe(0);
  const counts = `FROM strategy_run AS run WHERE bought <> (SELECT count(*) FROM strategy_trade AS t WHERE t.run_no = run.run_no AND side = 'buy' AND order_no IS NOT NULL)
    OR sold <> (SELECT count(*) FROM strategy_trade AS t WHERE t.run_no = run.run_no AND side = 'sell')
    OR left_out <> (SELECT count(*) FROM strategy_trade AS t WHERE t.run_no = run.run_no AND left_out IS NOT NULL)`;
  expect(await countOf(db, counts)).toBe(0);
  expect((await auditBooks(db.kysely)).differences).toEqual([]);
  await db.close();
});
