/**
 * Tests that the server can be killed while funds are raised and savings plans buy: day after day a server is started, used and killed. Each
 * month of a plan is bought once, each stake that was acknowledged is one position or its money is back, and the books balance.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { openDatabase, query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { LATE_MORNING_MS, spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { STROKES } from "#tests/support/signature.ts";
import { sized } from "#tests/support/size.ts";

/** Days of the market between two kills. A fund is announced about every sixth day, and raised for five. */
const STEP_DAYS = 2;
const KILLS = sized(8, 20);
/** Stakes that the kills must have met. On a slow machine a server may be killed before it has announced anything; then there are more kills. */
const STAKES = 6;
const MOST_KILLS = 60;
/** The clocks tick once a second. After so many of them a market without a raising is left alone. */
const TICKS = 10;
const FUND_PASSWORD = "135790";

const dataDir = mkdtempSync(join(tmpdir(), "kuroshio-fund-kill-"));
const at = { dataDir, databaseUrl: null, databaseSchema: null };
const venue = { seed: 1, rate: 50, hours: "always" as const, newIssues: true };
const config = { ...at, commandsPerSecond: 100_000, venue };

let headers = { token: "", account: "" };
const stakes: string[] = [];
let kills = 0;
const withdrawn = new Set<string>();
const newId = () => RequestId.parse(randomUUID());

/** What the member sets up before the first kill: a fund password, the agreement, and a plan for every day of the month. */
async function begin(server: ServerProcess, credentials: Awaited<ReturnType<typeof createFundedMember>>): Promise<void> {
  const reply = await server.call("signIn", credentials);
  if (reply?.status !== 1) throw new Error("the member could not sign in");
  headers = reply.data;
  await server.call(
    "setFundPassword",
    { current: credentials.password, fundPassword: FUND_PASSWORD, confirmation: FUND_PASSWORD },
    headers,
  );
  const text = await server.call("readAgreement", { kind: "subscription", language: "en" }, headers);
  if (text?.status !== 1) throw new Error("no agreement");
  const signature = {
    kind: "subscription",
    language: "en",
    hash: text.data.hash,
    readToEnd: true,
    typedName: "",
    strokes: STROKES,
  } as const;
  await server.call("signAgreement", signature, headers);
  for (let day = 1; day <= 31; day += 1) {
    const body = { requestId: newId(), code: Code.parse(day % 2 ? "2330" : "0050"), amount: 20_000, day };
    const started = await server.call("startSavingsPlan", body, headers);
    if (started?.status !== 1) throw new Error(`no plan for day ${day}: ${JSON.stringify(started)}`);
  }
}

/** Subscribes to whatever is raised, and withdraws every third stake, until the server no longer answers. */
async function work(server: ServerProcess): Promise<void> {
  for (;;) {
    const list = await server.call("listRaises", {}, headers);
    if (list === null) return;
    const raises = list.status === 1 ? list.data.raises.filter(({ status }) => status === "raising") : [];
    for (const raise of raises) {
      const body = { requestId: newId(), code: raise.code, lots: raise.leastLots, fundPassword: FUND_PASSWORD };
      const reply = await server.call("subscribeRaise", body, headers);
      if (reply === null) return;
      if (reply.status === 1) stakes.push(reply.data.stakeNo);
      if (reply.status === 1 && stakes.length % 3 === 0) {
        const back = await server.call("withdrawStake", { requestId: newId(), stakeNo: reply.data.stakeNo }, headers);
        if (back === null) return;
        if (back.status === 1) withdrawn.add(reply.data.stakeNo);
      }
    }
    if (raises.length === 0) await wait(20);
  }
}

beforeAll(async () => {
  const credentials = await createFundedMember(at);
  const db = await openDatabase({ dataDir });
  await query(db.kysely, `UPDATE rule SET body = body || '{"plans": 31}' WHERE part = 'savings'`);
  await db.close();
  for (; kills < KILLS || (stakes.length < STAKES && kills < MOST_KILLS); kills += 1) {
    const server = await spawnServer(config, LATE_MORNING_MS + kills * STEP_DAYS * DAY_MS);
    if (kills === 0) await begin(server, credentials);
    const before = stakes.length;
    const working = work(server);
    const given = Date.now() + TICKS * SECOND_MS;
    while (stakes.length < before + 2 && Date.now() < given) await wait(1);
    await wait(kills * 7);
    await server.kill();
    await working;
  }
}, 600_000);
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it("every month was bought once, every stake is where its last step put it, and the books balance", async () => {
  const server = await spawnServer(config, LATE_MORNING_MS + kills * STEP_DAYS * DAY_MS);
  // The clocks finish what the last kill interrupted.
  for (;;) {
    const plans = await server.call("listSavingsPlans", {}, headers);
    const own = await server.call("listStakes", { cursor: null }, headers);
    const now = Date.now() + LATE_MORNING_MS + kills * STEP_DAYS * DAY_MS;
    const isDone =
      plans?.status === 1 &&
      plans.data.plans.every(({ nextAt }) => nextAt === null || nextAt > now) &&
      own?.status === 1 &&
      own.data.items.every(({ status, allottedAt }) => status !== "subscribed" || allottedAt > now);
    if (isDone) break;
    await wait(50);
  }
  await server.kill();
  const db = await openDatabase({ dataDir });
  try {
    expect((await auditBooks(db.kysely)).differences).toEqual([]);
    const [plans] = await query<{ runs: number; orders: number; placed: number; late: number }>(
      db.kysely,
      `SELECT (SELECT count(*)::integer FROM savings_run) AS runs, (SELECT sum(cardinality(order_nos))::integer FROM savings_run) AS orders,
        (SELECT count(*)::integer FROM "order" WHERE origin = 'savings') AS placed,
        (SELECT count(*)::integer FROM savings_plan WHERE next_at < $1) AS late`,
      [Date.now() + LATE_MORNING_MS + (kills - 1) * STEP_DAYS * DAY_MS],
    );
    expect(plans?.runs).toBeGreaterThanOrEqual((kills - 1) * STEP_DAYS);
    expect(plans?.placed).toBe(plans?.orders);
    expect(plans?.late).toBe(0);
    const rows = await query<{ stake_no: string; status: string; positions: number }>(
      db.kysely,
      `SELECT stake_no, status, (SELECT count(*)::integer FROM "order" WHERE origin = 'raise' AND request_id = stake.request_id) AS positions FROM stake`,
    );
    const known = new Map(rows.map((row) => [row.stake_no, row]));
    expect(stakes.length).toBeGreaterThanOrEqual(STAKES);
    for (const stakeNo of stakes) expect(known.has(stakeNo), stakeNo).toBe(true);
    for (const stakeNo of withdrawn) expect(known.get(stakeNo)?.status).toBe("withdrawn");
    for (const { status, positions } of rows) expect(positions).toBe(status === "inProgress" ? 1 : 0);
    expect(rows.some(({ status }) => status === "inProgress")).toBe(true);
  } finally {
    await db.close();
  }
}, 120_000);
