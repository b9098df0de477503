/** Tests that a market which is open already is gone on with only where it is the one that would be opened now. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS } from "#contract/kernel/time.ts";
import { FEW_SESSIONS } from "#server/api/http/health.ts";
import { DEMO_MEMBER, seed } from "#server/ops/seed.ts";
import { readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import type { Database } from "#server/db/database.ts";
import { query } from "#server/db/database.ts";
import { openLog } from "#server/kernel/log.ts";
import { openMarket } from "#server/open-market.ts";
import type { OpenMarket } from "#server/open-market.ts";
import { drawSeed } from "#server/venue/keyed-random.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { testMarket } from "#tests/support/test-universe.ts";

const log = openLog("silent");
const config: ServerConfig = { ...readConfig({}), venue: { ...testMarket({ hours: "always" }), seed: null } };
let db: Database;
const opened: OpenMarket[] = [];

async function open(before: OpenMarket | null = null, other: ServerConfig = config): Promise<OpenMarket> {
  const market = await openMarket(db, other, log, before);
  opened.push(market);
  return market;
}

beforeEach(async () => {
  db = await openTestDatabase();
  await seed(db, Date.now(), true);
});
afterEach(async () => {
  vi.useRealTimers();
  for (const { venue } of opened.splice(0)) await venue.stop();
  await db.close();
});

it("goes on with the same market", async () => {
  const first = await open();
  expect(await open(first)).toBe(first);
});

it("opens another one when members hold what the open one does not list", async () => {
  const watching = { ...config, venue: { ...config.venue, newIssues: true } };
  const first = await open(null, watching);
  const watch = (code: string) =>
    query(
      db.kysely,
      `INSERT INTO watchlist (member_id, code, place, added_at, group_id)
       SELECT member.id, $2, 99, 0, watch_group.id FROM member JOIN watch_group ON watch_group.member_id = member.id WHERE account = $1 LIMIT 1`,
      [DEMO_MEMBER.account, code],
    );
  await watch(first.venue.instruments.at(-1)?.code ?? "");
  expect(await open(first, watching)).toBe(first);
  await watch("9999");
  const second = await open(first, watching);
  expect(second).not.toBe(first);
  // No market lists it: to open one again would not help.
  expect(await open(second, watching)).toBe(second);
});

it("opens another one when the open one has hardly any rows left for new issues", async () => {
  const issuing: ServerConfig = { ...config, venue: { ...config.venue, hours: "compressed", newIssues: true } };
  const first = await open(null, issuing);
  expect(await open(first, issuing)).toBe(first);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 4 * DAY_MS });
  const second = await open(first, issuing);
  expect(second).not.toBe(first);
  expect(second.venue.issueSessionsLeft(Date.now())).toBeGreaterThan(FEW_SESSIONS);
});

it("opens another one when it is drawn from another seed, or under later rules", async () => {
  const first = await open();
  await query(db.kysely, "UPDATE market_seed SET seed = $1", [drawSeed()]);
  const second = await open(first);
  expect(second).not.toBe(first);
  expect(second.seed).not.toBe(first.seed);
  await query(db.kysely, "INSERT INTO market_change (at) VALUES ($1)", [Date.now()]);
  expect(await open(second)).not.toBe(second);
});
