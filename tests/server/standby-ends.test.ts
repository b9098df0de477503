/** Tests what ends a standby before it serves: a port that is in use, and a signal, also one that comes when it has just been elected. */
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Client } from "pg";
import { describe, expect, it, vi } from "vitest";
import { readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { openDatabase } from "#server/db/database.ts";
import { StandbyStopped } from "#server/db/leadership.ts";
import { PortInUse } from "#server/http-server.ts";
import { standBy } from "#server/standby.ts";
import { schemaName } from "#tests/support/run.ts";
import { testMarket } from "#tests/support/test-universe.ts";

const address = process.env["DATABASE_URL"] ?? "";
const config: ServerConfig = { ...readConfig({}), port: 0, dataDir: null, logLevel: "silent", venue: testMarket() };
/** The key of the lock that a migration takes. */
const MIGRATING = 20_330;

it("a standby says that its port is in use", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(standBy({ ...config, port, host: "127.0.0.1" }, new AbortController().signal)).rejects.toThrow(PortInUse);
  other.close();
});

describe.runIf(address !== "")("a standby that is told to stop", () => {
  it("does not serve when it has just been elected", async () => {
    const schema = schemaName();
    const place = { dataDir: null, databaseUrl: address, schema };
    const db = await openDatabase({ ...place, poolSize: 1 });
    const holder = new Client({ connectionString: address });
    await holder.connect();
    try {
      await holder.query("SELECT pg_advisory_lock($1)", [MIGRATING]);
      const stopped = new AbortController();
      const standing = standBy({ ...config, databaseUrl: address, databaseSchema: schema }, stopped.signal).then(
        async ({ database, freePort }) => {
          await database.close();
          await freePort();
          return "serves";
        },
        (error: unknown) => error,
      );
      await vi.waitFor(
        async () => {
          const { rows } = await holder.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted", [
            MIGRATING,
          ]);
          expect(rows).toHaveLength(1);
        },
        { timeout: 30_000 },
      );
      stopped.abort();
      await holder.query("SELECT pg_advisory_unlock($1)", [MIGRATING]);
      expect(await standing).toBeInstanceOf(StandbyStopped);
    } finally {
      await holder.end();
      await db.kysely.schema.dropSchema(schema).cascade().execute();
      await db.close();
    }
  }, 60_000);
});
