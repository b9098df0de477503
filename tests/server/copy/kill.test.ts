/**
 * Tests the durability of copy trading: the server is killed again and again while a mentor trades; every act of the mentor is decided once,
 * each follower has one copy of it, what the mentor sold is sold, and the ledger balances.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Asked } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import type { Code, OrderNo } from "#contract/kernel/id.ts";
import { cents } from "#contract/kernel/money.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { openDatabase, query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { LATE_MORNING_MS, spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { schemaNameOrNull } from "#tests/support/run.ts";
import { sized } from "#tests/support/size.ts";
import { fillDataDir } from "#tests/support/template.ts";

const KILLS = sized(4, 12);
const FOLLOWERS = 3;
/** The mentor's purchases between kills. */
const ACTS = 4;
/** Time for the clock to do what is due once the mentor rests. */
const REST_MS = 4_000;

const databaseUrl = process.env["DATABASE_URL"] || null;
const databaseSchema = schemaNameOrNull();
const dataDir = databaseUrl ? null : mkdtempSync(join(tmpdir(), "kuroshio-copy-kill-"));
const config = { dataDir, databaseUrl, databaseSchema, commandsPerSecond: 100_000, venue: { seed: 1, rate: 50, hours: "always" as const } };
const credentials = { idNumber: "C100000003", password: "mentor-secret", guaranteeCode: "888888" };

const open = (): Promise<Database> => openDatabase({ dataDir, databaseUrl: databaseUrl ?? undefined, schema: databaseSchema ?? undefined });

/** A mentor of NT$10,000,000 and followers with as much, in a database that no server has open. */
async function prepare(): Promise<void> {
  if (dataDir) await fillDataDir(dataDir);
  const db = await open();
  const shared = { identity: "verified" as const, depositCents: cents(100_000_000_000), at: Date.now() };
  const mentor = await createMember(db, { account: "KS900001", name: "金滿堂", ...shared, ...credentials });
  await query(
    db.kysely,
    "INSERT INTO mentor (mentor_no, member_id, name, capital_cents, since, acted_at) VALUES ('T99', $1, 'Teacher', 1000000000, 0, 0)",
    [mentor],
  );
  for (let nth = 1; nth <= FOLLOWERS; nth += 1) {
    const account = `KS90001${nth}`;
    const id = await createMember(db, { account, name: "跟單人", idNumber: account, password: "x", guaranteeCode: "x", ...shared });
    await query(
      db.kysely,
      `INSERT INTO copy (copy_no, id, member_id, mentor_no, status, amount_cents, stop_percent, started_at, copies_from, until_at, version)
      SELECT 'Y' || n, n, $2, 'T99', 'following', 1000000000, 90, 0, 0, 9000000000000, 1 FROM (SELECT $1::bigint AS n) AS numbered`,
      [900 + nth, id],
    );
  }
  await db.close();
}

interface Headers {
  token: string;
  account: string;
}

let headers: Headers = { token: "", account: "" };
let code = "" as Code;
/** The answer to the latest purchase, for a failure. */
let lastReply = "";

/** An instrument that the mentor can buy and sell at once. A new market has no prices in its first moments. */
async function choose(server: ServerProcess): Promise<Code> {
  const list = await server.call("listInstruments", {}, headers);
  if (list?.status !== 1) throw new Error("no instruments");
  const fit = list.data.instruments.filter(
    ({ kind, tradable, sellLockSeconds, limitPercent }) => kind === "etf" && tradable && sellLockSeconds === 0 && limitPercent !== null,
  );
  for (let round = 0; round < 40; round += 1) {
    for (const one of fit.slice(0, 10)) if (await buy(server, one.code)) return one.code;
    await wait(500);
  }
  throw new Error(`nothing could be bought: ${lastReply}`);
}

const newId = () => RequestId.parse(randomUUID());

/** Buys ten lots at the market. @returns the order, null when nothing came of it */
async function buy(server: ServerProcess, of: Code): Promise<OrderNo | null> {
  const body = {
    requestId: newId(),
    code: of,
    direction: "rise",
    pricing: "market",
    price: null,
    lots: 10,
    validity: "ioc",
  } as Asked<"placeOrder">;
  const reply = await server.call("placeOrder", body, headers);
  lastReply = JSON.stringify(reply);
  return reply?.status === 1 && reply.data.filledLots > 0 ? reply.data.orderNo : null;
}

/** Sells a lot of an order. */
const sell = (server: ServerProcess, orderNo: OrderNo) =>
  server.call(
    "closeOrder",
    { requestId: newId(), orderNo, pricing: "market", price: null, lots: 1, validity: "rod", fixed: false },
    headers,
  );

/** The mentor's purchases, of which every other is sold in part. */
async function trade(server: ServerProcess): Promise<void> {
  let acts = 0;
  for (let attempt = 0; attempt < 20 * ACTS && acts < ACTS; attempt += 1) {
    const orderNo = await buy(server, code);
    if (!orderNo) {
      await wait(50);
      continue;
    }
    acts += 1;
    if (acts % 2 === 0) await sell(server, orderNo);
  }
}

beforeAll(async () => {
  await prepare();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnServer(config, LATE_MORNING_MS);
    if (kill === 0) {
      const reply = await server.call("signIn", credentials);
      if (reply?.status !== 1) throw new Error("the mentor could not sign in");
      headers = reply.data;
      code = await choose(server);
    }
    await trade(server);
    // At another moment of the rounds each time.
    await wait((kill * 53) % 200);
    await server.kill();
  }
  const server = await spawnServer(config, LATE_MORNING_MS);
  await trade(server);
  await wait(REST_MS);
  await server.stop();
}, 600_000);

afterAll(async () => {
  if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  if (!databaseUrl || !databaseSchema) return;
  const db = await open();
  await db.kysely.schema.dropSchema(databaseSchema).cascade().execute();
  await db.close();
});

describe(`after ${KILLS} kills while a mentor trades`, () => {
  it("every act is decided once, with one copy for each follower, and the ledger balances", async () => {
    const db = await open();
    const count = async (text: string): Promise<number> =>
      (await query<{ n: number }>(db.kysely, `SELECT count(*)::integer AS n ${text}`))[0]?.n ?? -1;
    const acts = await count("FROM copy_act WHERE mentor_no = 'T99'");
    expect(acts).toBeGreaterThanOrEqual((KILLS + 1) * 2);
    const covered = "SELECT FROM copy_act WHERE copy_act.order_no = fill.order_no AND fill.n BETWEEN from_n AND to_n";
    expect(await count(`FROM fill JOIN mentor USING (member_id) WHERE mentor_no = 'T99' AND NOT EXISTS (${covered})`)).toBe(0);
    const doubled =
      "FROM (SELECT FROM copy_act a JOIN copy_act b USING (order_no) WHERE a.from_n < b.from_n AND a.to_n >= b.from_n) AS twice";
    expect(await count(doubled)).toBe(0);
    const purchases = await count(
      "FROM copy_act JOIN fill ON fill.order_no = copy_act.order_no AND fill.n = from_n WHERE mentor_no = 'T99' AND side = 'open'",
    );
    const copied = await query<{ copy_no: string; n: number; bought: number }>(
      db.kysely,
      `SELECT copy_no, count(*)::integer AS n, count(order_no)::integer AS bought FROM copy_part WHERE side = 'buy' GROUP BY copy_no ORDER BY copy_no`,
    );
    expect(copied.map(({ n }) => n)).toEqual(Array.from({ length: FOLLOWERS }, () => purchases));
    for (const { bought } of copied) expect(bought).toBeGreaterThan(0);
    expect(await count(`FROM "order" WHERE origin = 'copy'`)).toBe(copied.reduce((sum, { bought }) => sum + bought, 0));
    const over = `FROM copy_part JOIN copy_lead ON copy_lead.order_no = lead_no JOIN "order" AS held ON held.order_no = copy_part.order_no
      WHERE side = 'buy' AND (filled_lots - closed_lots - closing_lots) * of_lots > filled_lots * keep_lots`;
    expect(await count(over)).toBe(0);
    expect((await auditBooks(db.kysely)).differences).toEqual([]);
    await db.close();
  });
});
