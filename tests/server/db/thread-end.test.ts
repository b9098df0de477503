/** Tests that a server whose embedded database has ended exits instead of running on. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { openDatabase } from "#server/db/database.ts";
import { auditBooks } from "#server/ledger/audit.ts";
import { onPostgres } from "#tests/support/run.ts";
import { fillDataDir } from "#tests/support/template.ts";
import { ROOT } from "#tests/support/tree.ts";

// Of the embedded database alone.
it.skipIf(onPostgres)("exits with code 1 and one line, and its data opens again", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "thread-end-"));
  try {
    await fillDataDir(dataDir);
    const args = ["--import", new URL("./thread-killer.ts", import.meta.url).href, join(ROOT, "server", "main.ts")];
    const env = { ...process.env, DATABASE_URL: "", DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "silent" };
    const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const closed = once(child, "close");
    const opened = new Promise<string>((done) => {
      let text = "";
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const url = /open at (\S+)/.exec(text)?.[1];
        if (url) done(url);
      });
    });
    const url = await opened;
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, { database: true, prices: true, issueRows: true, jobs: true }]);
    child.kill("SIGUSR2");
    const [code] = (await closed) as [number];
    expect(code).toBe(1);
    expect(output).toMatch(/^the embedded database has ended: .+\n$/);
    const db = await openDatabase({ dataDir });
    expect((await auditBooks(db.kysely)).differences).toEqual([]);
    await db.close();
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
