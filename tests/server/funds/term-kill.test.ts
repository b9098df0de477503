/**
 * Tests that the server can be killed while a fund with a term of the simulated market ends: again and again a server is started at its end and
 * killed. Every position is redeemed once at the fund's last value, the plan and the alerts end, and the books balance.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, expect, it } from "vitest";
import { Code, RequestId } from "#contract/kernel/id.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import { openDatabase, query } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import type { Issue } from "#server/venue/issue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { createFundedMember } from "#tests/support/funded-member.ts";
import { spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import { STROKES } from "#tests/support/signature.ts";
import { sized } from "#tests/support/size.ts";
import { testMarket } from "#tests/support/test-universe.ts";

const KILLS = sized(8, 20);
const POSITIONS = 24;
const FUND_PASSWORD = "135790";
/** A day on which funds with a term are announced. */
const BEGINS = Date.UTC(2026, 11, 7, 2);

const dataDir = mkdtempSync(join(tmpdir(), "kuroshio-term-kill-"));
const at = { dataDir, databaseUrl: null, databaseSchema: null };
const venue = { seed: 1, rate: 50, hours: "compressed" as const, newIssues: true };
const config = { ...at, commandsPerSecond: 100_000, venue };
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

let headers = { token: "", account: "" };
const newId = () => RequestId.parse(randomUUID());

/** The first fund with a term that opens after the beginning, and its value at its end, from the market alone. */
async function fundOf(): Promise<Issue & { maturesAt: number; value: number }> {
  let now = BEGINS + DAY_MS;
  const codes = testMarket(venue)?.codes;
  const market = openVenue({ ...venue, codes, now: () => now });
  const issue = market.issues(now).find(({ fund, opensAt }) => fund && fund.maturesAt !== null && opensAt > BEGINS + MINUTE_MS);
  const maturesAt = issue?.fund?.maturesAt;
  await market.stop();
  if (!issue || !maturesAt) throw new Error("no fund with a term");
  now = maturesAt + 1;
  const later = openVenue({ ...venue, codes, now: () => now });
  const value = later.redemptionPrice(issue.code, now);
  await later.stop();
  if (value === null) throw new Error("the fund has no value");
  return { ...issue, maturesAt, value };
}

async function begin(server: ServerProcess, credentials: Awaited<ReturnType<typeof createFundedMember>>): Promise<void> {
  const reply = await server.call("signIn", credentials);
  if (reply?.status !== 1) throw new Error("the member could not sign in");
  headers = reply.data;
  const passwords = { current: credentials.password, fundPassword: FUND_PASSWORD, confirmation: FUND_PASSWORD };
  await server.call("setFundPassword", passwords, headers);
  const text = await server.call("readAgreement", { kind: "subscription", language: "en" }, headers);
  if (text?.status !== 1) throw new Error("no agreement");
  const { hash } = text.data;
  const signature = { kind: "subscription", language: "en", hash, readToEnd: true, typedName: "", strokes: STROKES } as const;
  await server.call("signAgreement", signature, headers);
}

/** Asks until the answer is there. */
async function until<Result>(ask: () => Promise<Result | null | undefined | false>): Promise<Result> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await wait(50);
  }
}

it("every position is redeemed once, whatever was killed when", async () => {
  const { code, opensAt, tradesFrom, maturesAt, value } = await fundOf();
  const spawnAt = (moment: number): Promise<ServerProcess> => spawnServer(config, moment - Date.now());
  const raiseNow = async (server: ServerProcess) => {
    const list = await server.call("listRaises", {}, headers);
    return list?.status === 1 ? list.data.raises.find((one) => one.code === code) : undefined;
  };
  const credentials = await createFundedMember(at);
  const opening = await spawnAt(opensAt + SECOND_MS);
  await begin(opening, credentials);
  const { leastLots } = await until(async () => {
    const raise = await raiseNow(opening);
    return raise?.status === "raising" && raise;
  });
  for (let nth = 0; nth < POSITIONS; nth += 1) {
    const body = { requestId: newId(), code: Code.parse(code), lots: leastLots, fundPassword: FUND_PASSWORD };
    expect((await opening.call("subscribeRaise", body, headers))?.status).toBe(1);
  }
  await opening.kill();
  const listed = await spawnAt(tradesFrom + 3 * MINUTE_MS);
  await until(async () => (await raiseNow(listed))?.status === "listed");
  const positions = await until(async () => {
    const stakes = await listed.call("listStakes", { cursor: null }, headers);
    return stakes?.status === 1 && stakes.data.items.every(({ status }) => status !== "subscribed") && stakes.data.items;
  });
  const alert = { id: newId(), code: Code.parse(code), kind: "above", level: 9_000_000 } as const;
  expect((await listed.call("setAlert", alert, headers))?.status).toBe(1);
  await listed.kill();
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnAt(maturesAt + MINUTE_MS);
    await wait(600 + kill * 60);
    await server.kill();
  }
  const last = await spawnAt(maturesAt + MINUTE_MS);
  expect(await until(async () => (await raiseNow(last))?.status === "terminated" && raiseNow(last))).toMatchObject({ maturesAt });
  await until(async () => {
    const stakes = await last.call("listStakes", { cursor: null }, headers);
    return stakes?.status === 1 && stakes.data.items.every(({ status }) => status !== "inProgress");
  });
  await last.kill();
  const db = await openDatabase({ dataDir });
  try {
    expect((await auditBooks(db.kysely)).differences).toEqual([]);
    const closed = await query<{ order_no: string; status: string; units: number; redeemed: number; paid: number }>(
      db.kysely,
      `SELECT order_no, status, filled_lots * lot_shares AS units,
        (SELECT count(*)::integer FROM ledger_tx WHERE ledger_tx.order_no = "order".order_no AND kind = 'redemption') AS redeemed,
        close_cents AS paid FROM "order" WHERE origin = 'raise'`,
    );
    expect(closed.length).toBe(positions.filter(({ orderNo }) => orderNo !== null).length);
    expect(closed.length).toBeGreaterThan(0);
    for (const { order_no, status, units, redeemed, paid } of closed) {
      expect({ order_no, status, redeemed, paid }).toEqual({ order_no, status: "closed", redeemed: 1, paid: (units * value) / 100 });
    }
    const reasons = await query<{ reason: string }>(db.kysely, "SELECT DISTINCT reason FROM stake WHERE status = 'terminated'");
    expect(reasons).toEqual([{ reason: "matured" }]);
    const [rest] = await query<{ waiting: number; told: number }>(
      db.kysely,
      `SELECT (SELECT count(*)::integer FROM alert WHERE status = 'waiting') AS waiting,
        (SELECT count(*)::integer FROM message WHERE notice->>'about' = 'alertsEnded') AS told`,
    );
    expect(rest).toEqual({ waiting: 0, told: 1 });
  } finally {
    await db.close();
  }
}, 300_000);
