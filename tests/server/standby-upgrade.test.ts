/** Tests standbys after an upgrade: they open the market before the data is migrated, and one that is older than the data says so. */
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { openDatabase, query, withStore } from "#server/db/database.ts";
import { migrateIn, pendingMigrations } from "#server/db/migrate.ts";
import { openLog } from "#server/kernel/log.ts";
import { openMarket } from "#server/open-market.ts";
import { marketSeed } from "#server/ops/market-seed.ts";
import { standBy } from "#server/standby.ts";
import { startFailure } from "#server/start-failure.ts";
import { schemaName } from "#tests/support/run.ts";
import { testMarket } from "#tests/support/test-universe.ts";

const address = process.env["DATABASE_URL"] ?? "";

describe.runIf(address !== "")("a standby", () => {
  let config: ServerConfig;
  const place = () => ({ dataDir: null, databaseUrl: address, schema: config.databaseSchema ?? undefined });

  beforeEach(() => {
    const market = { ...testMarket({ hours: "always" }), seed: null };
    config = {
      ...readConfig({}),
      port: 0,
      dataDir: null,
      logLevel: "silent",
      venue: market,
      databaseUrl: address,
      databaseSchema: schemaName(),
    };
  });
  afterEach(async () => {
    await withStore({ ...place(), poolSize: 1 }, async ({ kysely }) => {
      await kysely.schema
        .dropSchema(config.databaseSchema ?? "")
        .cascade()
        .execute();
    });
  });

  it("opens the market of data that it has yet to migrate, and goes on with it once it has", async () => {
    const whole = await openDatabase({ ...place(), poolSize: 1 });
    const applied = await query<{ name: string; checksum: string }>(whole.kysely, "SELECT name, checksum FROM migration ORDER BY name");
    const schema = config.databaseSchema ?? "";
    await query(whole.kysely, `DROP SCHEMA ${schema} CASCADE; CREATE SCHEMA ${schema}`);
    await whole.close();
    const seed = await withStore({ ...place(), poolSize: 1 }, async ({ kysely }) => {
      await kysely.transaction().execute((tx) => migrateIn(tx, applied.slice(0, -1)));
      expect(await pendingMigrations(kysely)).toEqual([applied.at(-1)?.name]);
      return marketSeed({ kysely });
    });
    const { database, market, freePort } = await standBy(config, new AbortController().signal);
    try {
      expect(await pendingMigrations(database.kysely)).toEqual([]);
      expect(market?.seed).toBe(seed);
      expect(await openMarket(database, config, openLog("silent"), market)).toBe(market);
    } finally {
      await freePort();
      await database.close();
    }
  }, 60_000);

  it("of an earlier version than the data ends with one line that says so", async () => {
    const whole = await openDatabase({ ...place(), poolSize: 1 });
    await query(whole.kysely, "INSERT INTO migration (name, checksum, at) VALUES ('9999-later.sql', '', 0)");
    await whole.close();
    const error: unknown = await standBy(config, new AbortController().signal).catch((problem: unknown) => problem);
    expect(startFailure(error, config)).toContain("9999-later.sql, which this version does not know");
  }, 60_000);
});
