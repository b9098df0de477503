/** The secret of the sandbox market: drawn once, kept with the data, told to nobody. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { query } from "#server/db/database.ts";
import { marketSeed } from "#server/ops/market-seed.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";

const databaseUrl = process.env["DATABASE_URL"] || undefined;
const schema = databaseUrl ? `test_${randomBytes(6).toString("hex")}` : undefined;
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "seed-"));
  folders.push(made);
  return made;
}

const SECRET = { venue: { seed: null, rate: 50, hours: "always" as const } };

/** What a market is known by: its name, and the past of one instrument. */
async function marketOf({ venue }: TestServer): Promise<unknown> {
  const { bars } = await venue.candles("2330", "day", venue.state(Date.now()).opensAt, 20);
  return { name: venue.state(Date.now()).universe, bars, watched: venue.instruments.map(({ watch }) => watch) };
}

test("the same data have the same market after a restart, other data another", async () => {
  const dataDir = databaseUrl ? null : await folder();
  const markets: unknown[] = [];
  for (const own of [{ dataDir, databaseSchema: schema ?? null }, { dataDir, databaseSchema: schema ?? null }, {}]) {
    const server = await startTestServer({ ...SECRET, ...own });
    markets.push(await marketOf(server));
    await server.stop();
  }
  expect(markets[1]).toEqual(markets[0]);
  expect(markets[2]).not.toEqual(markets[0]);
  const [a, , c] = markets as { bars: number[]; name: string }[];
  expect(c?.name).not.toBe(a?.name);
  expect(c?.bars).not.toEqual(a?.bars);
});

test("of two that start at once on empty data, both get one seed", async () => {
  const db = await openTestDatabase();
  const seeds = await Promise.all(Array.from({ length: 4 }, () => marketSeed(db)));
  expect(new Set(seeds).size).toBe(1);
  expect(await query(db.kysely, "SELECT seed FROM market_seed")).toEqual([{ seed: seeds[0] }]);
  await db.close();
});

test("no answer of the server and no instrument's name tells the seed", async () => {
  const server = await startTestServer(SECRET);
  const seed = await marketSeed(server.db);
  const answers: string[] = [await (await fetch(`${server.url}/api/vue/openapi.json`)).text()];
  for (const name of Object.keys(endpoints) as (keyof typeof endpoints)[]) {
    // A session for each: some of them end it.
    for (const body of ["{}", '{"code":"2330"}']) answers.push(JSON.stringify(await server.post(name, body, await server.enter())));
  }
  expect(answers.some((answer) => answer.includes(server.venue.state(Date.now()).universe))).toBe(true);
  for (const answer of answers) {
    expect(answer).not.toContain(seed);
    expect(answer).not.toContain(seed.slice(0, 16));
    expect(answer).not.toContain(seed.slice(-16));
  }
  await server.stop();
});
