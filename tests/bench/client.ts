/** Builds the client for the benchmarks in its own folder, apart from other builds and running servers. */
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

/** The temporary folder of this run, once the client is built. */
let built: Promise<string> | null = null;

async function buildOnce(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kuroshio-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  await build({ root: ROOT, logLevel: "warn", build: { outDir: join(folder, "client"), emptyOutDir: true } });
  return folder;
}

/** Starts a server process with the whole market that serves the built client, with its data on disk as in production. */
export async function serveBuilt(overrides: ServerOverrides = {}): Promise<ServerProcess> {
  built ??= buildOnce();
  const folder = await built;
  const venue = { codes: undefined, ...overrides.venue };
  return spawnServer({ clientDir: join(folder, "client"), dataDir: await mkdtemp(join(folder, "data-")), ...overrides, venue });
}
