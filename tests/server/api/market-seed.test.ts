/** Tests the secret seed of the sandbox market: generated once, stored with the data, never exposed. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { readConfig } from "#server/config.ts";
import { query } from "#server/db/database.ts";
import { marketSeed } from "#server/ops/market-seed.ts";
import { startServer } from "#server/server.ts";
import type { Venue } from "#server/venue/venue.ts";
import { openVenue } from "#server/venue/simulated-venue.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { startTestServer } from "#tests/support/server.ts";
import { testMarket } from "#tests/support/test-universe.ts";

const databaseUrl = process.env["DATABASE_URL"] || undefined;
const schema = databaseUrl ? `test_${randomBytes(6).toString("hex")}` : undefined;
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "seed-"));
  folders.push(made);
  return made;
}

const SECRET = { venue: testMarket({ seed: null, rate: 50 }) };

/** Identifies a market: its universe, one instrument's history, and its randomly chosen values. */
async function marketOf(venue: Venue): Promise<{ name: string; bars: number[]; dayTradable: boolean[] }> {
  const { opensAt, universe: name } = venue.state(Date.now());
  const { bars } = await venue.candles("2330", "day", opensAt, 20);
  return { name, bars, dayTradable: venue.instruments.map((one) => one.dayTradable) };
}

test("the same data gives the same market after a restart, other data another one", async () => {
  const own = { dataDir: databaseUrl ? null : await folder(), databaseUrl: databaseUrl ?? null, databaseSchema: schema ?? null };
  const config = { ...readConfig({}), ...SECRET, port: 0, logLevel: "silent" as const, ...own };
  const markets: unknown[] = [];
  for (const last of [false, true]) {
    const server = await startServer(config);
    markets.push(await marketOf(server.venue));
    if (last && schema) await server.db.kysely.schema.dropSchema(schema).cascade().execute();
    await server.stop();
  }
  expect(markets[1]).toEqual(markets[0]);
  const db = await openTestDatabase();
  const other = openVenue({ ...SECRET.venue, seed: await marketSeed(db) });
  const { name, bars, dayTradable } = await marketOf(other);
  const [first] = markets as { name: string; bars: number[]; dayTradable: boolean[] }[];
  expect(name).not.toBe(first?.name);
  expect(bars).not.toEqual(first?.bars);
  expect(dayTradable).not.toEqual(first?.dayTradable);
  await other.stop();
  await db.close();
});

test("two servers starting at once on empty data get the same seed", async () => {
  const db = await openTestDatabase();
  const seeds = await Promise.all(Array.from({ length: 4 }, () => marketSeed(db)));
  expect(new Set(seeds).size).toBe(1);
  expect(await query(db.kysely, "SELECT seed FROM market_seed")).toEqual([{ seed: seeds[0] }]);
  await db.close();
});

test("no reply and no instrument name reveals the seed", async () => {
  const server = await startTestServer(SECRET);
  const seed = await marketSeed(server.db);
  const answers: string[] = [await (await fetch(`${server.url}/api/vue/openapi.json`)).text()];
  for (const name of Object.keys(endpoints) as (keyof typeof endpoints)[]) {
    // A session per call, because some calls end it.
    const body = name === "listInstruments" ? "{}" : '{"code":"2330"}';
    answers.push(JSON.stringify(await server.post(name, body, await server.enter())));
  }
  expect(answers.some((answer) => answer.includes(server.venue.state(Date.now()).universe))).toBe(true);
  for (const answer of answers) {
    expect(answer).not.toContain(seed);
    expect(answer).not.toContain(seed.slice(0, 16));
    expect(answer).not.toContain(seed.slice(-16));
  }
  await server.stop();
});
