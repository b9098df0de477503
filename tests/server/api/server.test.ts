/** Tests the whole server: clear errors for a taken port or folder, orderly shutdown, and data kept over a restart. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BadEnvironment, readConfig } from "#server/config.ts";
import type { ServerConfig } from "#server/config.ts";
import { PortInUse } from "#server/http-server.ts";
import { startServer } from "#server/server.ts";
import { schemaNameOrNull } from "#tests/support/run.ts";
import type { RunningServer } from "#server/server.ts";
import { testMarket } from "#tests/support/test-universe.ts";

const databaseUrl = process.env["DATABASE_URL"] || null;
const dir = mkdtempSync(join(tmpdir(), "server-"));
const config: ServerConfig = {
  ...readConfig({}),
  venue: testMarket(),
  port: 0,
  dataDir: join(dir, "data"),
  databaseUrl,
  databaseSchema: schemaNameOrNull(),
  logLevel: "silent",
};
const open: RunningServer[] = [];
const warnings: Error[] = [];
process.on("warning", (warning) => void warnings.push(warning));

async function start(overrides: Partial<ServerConfig> = {}): Promise<RunningServer> {
  const server = await startServer({ ...config, ...overrides });
  open.push(server);
  return server;
}

const call = async (server: RunningServer, path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> =>
  (
    (await (await fetch(`${server.url}/api/vue${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json()) as {
      data: unknown;
    }
  ).data;

afterAll(async () => {
  const [last] = open.slice(-1);
  if (config.databaseSchema) await last?.db.kysely.schema.dropSchema(config.databaseSchema).cascade().execute();
  for (const server of open) await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe("the server process", () => {
  it("keeps members, sessions and watchlists over a restart, and may be stopped twice", async () => {
    const first = await start();
    const { id } = await first.db.kysely.selectFrom("member").select("id").where("account", "=", "KS100001").executeTakeFirstOrThrow();
    const { token } = await first.sessions.open(id, "test");
    const headers = { token, account: "KS100001" };
    const followed = await call(first, "/watchlist/add", { code: "1101", group: null }, headers);
    const members = await first.db.kysely.selectFrom("member").select("account").execute();
    await Promise.all([first.stop(), first.stop()]);
    await expect(fetch(first.url)).rejects.toThrow();
    const second = await start();
    expect(await call(second, "/watchlist/read", {}, headers)).toEqual(followed);
    expect(await second.db.kysely.selectFrom("member").select("account").execute()).toEqual(members);
  });

  it("sets no timer beyond the maximum delay, which would fire at once", () => {
    expect(warnings.filter(({ name }) => name === "TimeoutOverflowWarning")).toEqual([]);
  });

  it("names the taken port and leaves nothing open", async () => {
    const [running] = open.slice(-1);
    // In memory: a server on the same database would be refused for that first.
    const other = { port: running?.port ?? 0, dataDir: null, databaseUrl: null };
    await expect(startServer({ ...config, ...other })).rejects.toThrow(new PortInUse(other.port));
  });

  it("refuses a data folder in use by another server (embedded database)", async () => {
    if (databaseUrl) return;
    await expect(startServer(config)).rejects.toThrow(/is in use by process/);
  });
});

describe("the environment", () => {
  it("is read with defaults; empty variables count as unset", () => {
    expect(readConfig({ PORT: "", VENUE_RATE: "10000", DATABASE_URL: "" })).toMatchObject({
      port: 8080,
      databaseUrl: null,
      venue: { seed: null, rate: 10_000, hours: "always" },
    });
  });

  it("takes the origins of the native apps, none by default", () => {
    expect(readConfig({}).appOrigins).toEqual([]);
    const apps = ["https://localhost", "http://localhost", "capacitor://localhost", "https://app.example:8443"];
    for (const app of apps) expect(readConfig({ APP_ORIGIN: app }).appOrigins).toEqual([app]);
    expect(readConfig({ APP_ORIGIN: apps.join(",") }).appOrigins).toEqual(apps);
  });

  it.each([
    ["PORT", "eighty"],
    ["PORT", "70000"],
    ["VENUE_HOURS", "sometimes"],
    ["STANDBY", "maybe"],
    // Without a PostgreSQL database there is nothing to wait for.
    ["STANDBY", "on"],
    ["REDIS_URL", "redis://localhost"],
    ["REDIS_URL", "localhost:6379"],
    ["SERVER_URL", "http://localhost/path"],
    // Nobody would look for it.
    ["SERVER_URL", "http://localhost:8080"],
    ["SERVER_URL", "https://localhost"],
    ["VENUE_SEED", "1.5"],
    ["LOG_LEVEL", "loud"],
    ["APP_ORIGIN", "localhost"],
    ["APP_ORIGIN", "https://localhost/app"],
    ["APP_ORIGIN", "capacitor://localhost/"],
    ["APP_ORIGIN", "capacitor://user@localhost"],
    ["APP_ORIGIN", "https://localhost localhost"],
    ["APP_ORIGIN", "*"],
  ])("names %s when it is %s", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(BadEnvironment);
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });

  it("waits for its turn with a Redis, and without one changes nothing", () => {
    const DATABASE_URL = "postgres://localhost/name";
    const REDIS_URL = "redis://localhost:6379";
    expect(readConfig({ DATABASE_URL, REDIS_URL })).toMatchObject({ standby: true, redisUrl: REDIS_URL, serverUrl: null });
    expect(readConfig({ DATABASE_URL, REDIS_URL, STANDBY: "on" })).toMatchObject({ standby: true });
    expect(() => readConfig({ DATABASE_URL, REDIS_URL, STANDBY: "off" })).toThrow(BadEnvironment);
    expect(readConfig({ DATABASE_URL })).toMatchObject({ standby: false, redisUrl: null });
  });
});
