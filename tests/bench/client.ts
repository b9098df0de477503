/** The client built for the benches, in a folder of its own: neither a running server's nor one that somebody else builds meanwhile. */
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { build } from "vite";
import { spawnServer } from "#tests/support/process.ts";
import type { ServerProcess } from "#tests/support/process.ts";
import type { ServerOverrides } from "#tests/support/test-universe.ts";
import { ROOT } from "#tests/support/tree.ts";

/** Where everything of this run lies, once the client is built. */
let built: Promise<string> | null = null;

async function buildOnce(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kuroshio-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  await build({ root: ROOT, logLevel: "warn", build: { outDir: join(folder, "client"), emptyOutDir: true } });
  return folder;
}

/** A broker in a process of its own, with the whole market, that serves the built client, its data on the disk as a member would meet it. */
export async function serveBuilt(overrides: ServerOverrides = {}): Promise<ServerProcess> {
  built ??= buildOnce();
  const folder = await built;
  const venue = { codes: undefined, ...overrides.venue };
  return spawnServer({ clientDir: join(folder, "client"), dataDir: await mkdtemp(join(folder, "data-")), ...overrides, venue });
}
