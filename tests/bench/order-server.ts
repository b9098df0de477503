/** Server process of the order benchmark, with members who can keep buying. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { cents } from "#contract/kernel/money.ts";
import { readConfig } from "#server/config.ts";
import { openDatabase } from "#server/db/database.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { startServer } from "#server/server.ts";

/** Number of members, and quote changes per second. */
const [members = "8", rate = "400"] = process.argv.slice(2);
/** Enough to keep buying; the sum of all members is still a safe integer. */
const DEPOSITED_CENTS = 80_000_000_000_000;
const dataDir = mkdtempSync(join(tmpdir(), "kuroshio-bench-"));
const config = readConfig({ DATABASE_URL: process.env["DATABASE_URL"], VENUE_RATE: rate, VENUE_SEED: "1" });
const databaseSchema = config.databaseUrl ? `bench_${process.pid}` : null;
const limits = {
  ...config.limits,
  socketsPerSession: Infinity,
  socketsPerMember: Infinity,
  socketsPerAddress: Infinity,
  connectionsPerAddress: Infinity,
};
const server = await startServer({ ...config, limits, port: 0, dataDir, databaseSchema, logLevel: "error", commandsPerSecond: 1_000_000 });

const callers: { token: string; account: string }[] = [];
async function makeCaller(n: number): Promise<(typeof callers)[number]> {
  const account = `BENCH${n}`;
  const secrets = { password: "bench", guaranteeCode: "bench" };
  const purse = { identity: "verified" as const, depositCents: cents(Math.floor(DEPOSITED_CENTS / Number(members))), at: Date.now() };
  const id = await createMember(server.db, { account, idNumber: `bench ${n}`, name: "測試", ...secrets, ...purse });
  return { account, token: (await server.sessions.open(id, "bench")).token };
}
/** Passwords are hashed on several threads, so members are created in parallel. */
const TOGETHER = 8;
for (let from = 0; from < Number(members); from += TOGETHER) {
  const some = Array.from({ length: Math.min(TOGETHER, Number(members) - from) }, (_, n) => makeCaller(from + n));
  callers.push(...(await Promise.all(some)));
}

/** Waits until the server has done what follows its start: until it takes less than `QUIET_SHARE` of a core for some seconds. */
const QUIET_SHARE = 0.2;
const QUIET_SECONDS = 3;
async function quiet(): Promise<void> {
  for (let seconds = 0; seconds < QUIET_SECONDS;) {
    const before = process.cpuUsage();
    await wait(1_000);
    const { user, system } = process.cpuUsage(before);
    seconds = (user + system) / 1_000_000 < QUIET_SHARE ? seconds + 1 : 0;
  }
}

/** Drops the schema after the server has closed it. */
async function dropSchema(schema: string): Promise<void> {
  const db = await openDatabase({ dataDir: null, databaseUrl: config.databaseUrl ?? undefined, schema });
  await db.kysely.schema.dropSchema(schema).cascade().execute();
  await db.close();
}

// Includes all threads of the process, such as the database's worker.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, rss: process.memoryUsage.rss() });
});
process.on("disconnect", () => {
  void (async () => {
    await server.stop();
    if (databaseSchema) await dropSchema(databaseSchema);
    rmSync(dataDir, { recursive: true, force: true });
    process.exit();
  })();
});
/** Stocks without their lock of a minute after a purchase, so that members can sell at once. */
const STOCKS = 1_000;
const stocks = server.venue.instruments.flatMap((one, row) => {
  const limits = server.venue.limits(row, Date.now());
  if (!one.tradable || one.kind !== "stock" || !limits) return [];
  Object.assign(one, { sellLockSeconds: 0 });
  return [{ code: one.code, limitDown: limits.down }];
});
await quiet();
process.send?.({ port: server.port, kind: server.db.kind, callers, stocks: stocks.slice(0, STOCKS) });
