/** The broker of the order bench, in a process of its own, with members rich enough to keep buying. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { cents } from "#contract/kernel/money.ts";
import { readConfig } from "#server/config.ts";
import { createMember } from "#server/ops/member.ts";
import { startServer } from "#server/server.ts";

const MEMBERS = 8;
const dataDir = mkdtempSync(join(tmpdir(), "kuroshio-bench-"));
const config = readConfig({ DATABASE_URL: process.env["DATABASE_URL"] });
const databaseSchema = config.databaseUrl ? `bench_${process.pid}` : null;
const server = await startServer({ ...config, port: 0, dataDir, databaseSchema, logLevel: "error", commandsPerSecond: 1_000_000 });

const callers: { token: string; account: string }[] = [];
for (let n = 0; n < MEMBERS; n += 1) {
  const account = `BENCH${n}`;
  const secrets = { password: "bench", guaranteeCode: "bench" };
  const purse = { identity: "verified" as const, depositCents: cents(10_000_000_000_000), at: Date.now() };
  const id = await createMember(server.db, { account, idNumber: `bench ${n}`, name: "測試", ...secrets, ...purse });
  callers.push({ account, token: (await server.sessions.open(id, "bench")).token });
}

// All threads of the process: the database's worker is one of them.
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
process.on("disconnect", () => {
  void (async () => {
    if (databaseSchema) await server.db.kysely.schema.dropSchema(databaseSchema).cascade().execute();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
    process.exit();
  })();
});
const codes = server.venue.instruments.filter(({ tradable, kind }) => tradable && kind === "stock").map(({ code }) => code);
process.send?.({ port: server.port, kind: server.db.kind, callers, codes: codes.slice(0, 500) });
