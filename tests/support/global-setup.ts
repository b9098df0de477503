/**
 * Setup and teardown of a test run: the run's name, its folder for temporary files and the template database. The teardown removes
 * everything; what a killed run left behind is removed by the next run.
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { hostname, tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { migratedTemplate } from "./template.ts";

/** A running test run holds this advisory lock together with its number. */
const LOCK = 20_331;
const lockOf = (run: string): number => Number.parseInt(run, 16) | 0;
/** Time limit for the test runner's processes to end. */
const STOP_LIMIT_MS = 5_000;
const FOLDER = `kuroshio-test-${hostname()}-`;

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Creates the run's folder for temporary files and removes those of dead runs. */
function openFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(FOLDER) ? Number.parseInt(name.slice(FOLDER.length), 10) : NaN;
    if (Number.isInteger(pid) && !alive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  return mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
}

/** Application name of a run's connections. */
const nameOf = (run: string): string => `test_${run}`;

/**
 * Drops the run's schemas. Connections that are still open are terminated first: a server that is shutting down and this process would wait
 * for each other.
 */
async function dropSchemas(client: Client, run: string): Promise<void> {
  await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND usename = current_user", [
    nameOf(run),
  ]);
  const { rows } = await client.query<{ name: string }>("SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, $1)", [
    `test_${run}_`,
  ]);
  // One at a time, because a transaction can hold only a limited number of locks.
  for (const { name } of rows) await client.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
}

/** Takes the run's lock and drops the schemas of runs that no longer hold theirs. */
async function openPostgres(address: string, run: string): Promise<Client> {
  const url = new URL(address);
  if (!url.username) url.username = userInfo().username;
  const client = new Client({ connectionString: url.href, application_name: "test runner" });
  await client.connect();
  await client.query("SET client_min_messages = warning");
  await client.query("SELECT pg_advisory_lock($1, $2)", [LOCK, lockOf(run)]);
  const { rows } = await client.query<{ run: string }>(
    "SELECT DISTINCT substring(nspname FROM '^test_([0-9a-f]{8})_') AS run FROM pg_namespace WHERE nspname ~ '^test_[0-9a-f]{8}_'",
  );
  for (const { run: other } of rows) {
    const lock = [LOCK, lockOf(other)];
    const [taken] = (await client.query<{ free: boolean }>("SELECT pg_try_advisory_lock($1, $2) AS free", lock)).rows;
    if (!taken?.free) continue;
    await dropSchemas(client, other);
    await client.query("SELECT pg_advisory_unlock($1, $2)", lock);
  }
  return client;
}

/** Stops the test runner's processes immediately. Only a second call to cancel interrupts running tests. */
async function stopWorkers({ vitest }: TestProject): Promise<void> {
  const cancelled = [vitest.cancelCurrentRun("keyboard-input"), vitest.cancelCurrentRun("keyboard-input")];
  await Promise.race([Promise.allSettled(cancelled), setTimeout(STOP_LIMIT_MS)]);
}

/** Called by the test runner once per project; the second call does nothing. */
export async function setup(project?: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env["TEST_RUN"]) return undefined;
  const run = randomBytes(4).toString("hex");
  process.env["TEST_RUN"] = run;
  process.env["PGAPPNAME"] = nameOf(run);
  const folder = openFolder();
  for (const name of ["TMPDIR", "TMP", "TEMP"]) process.env[name] = folder;
  // For the servers and commands that tests start as processes.
  process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "..", "..", ".cache", "compiled");
  const client = process.env["DATABASE_URL"] ? await openPostgres(process.env["DATABASE_URL"], run) : null;
  if (!client) await migratedTemplate();

  let ended: Promise<void> | null = null;
  const end = (): Promise<void> =>
    (ended ??= (async () => {
      rmSync(folder, { recursive: true, force: true });
      if (!client) return;
      await dropSchemas(client, run);
      await client.end();
    })());
  // The run was told to stop, or its launcher was killed.
  const stop = async (): Promise<void> => {
    if (project) await stopWorkers(project);
    await end().finally(() => process.exit(1));
  };
  for (const event of ["SIGTERM", "SIGHUP", "disconnect"]) process.once(event, () => void stop());
  // Listening to the launcher must not keep the finished run alive.
  process.channel?.unref();
  return end;
}
