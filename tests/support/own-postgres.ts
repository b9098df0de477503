/** A PostgreSQL of a test's own, with a synchronous replica: it can be restarted, killed and replaced without disturbing anybody else. */
import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir, userInfo } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { endsWithProcess } from "./ends-with-process.ts";
import { freePort } from "./redis.ts";
import { occurs } from "./server-log.ts";

const DEBIAN = "/usr/lib/postgresql";
const folders = [
  ...(process.env["PATH"] ?? "").split(delimiter),
  ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin")) : []),
];
const bin = folders.findLast((folder) => existsSync(join(folder, "initdb")));

/** PostgreSQL refuses to run as root; Debian's packages have made a user for it. */
function findUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return { uid: userInfo().uid, gid: userInfo().gid };
  try {
    const [uid, gid] = ["-u", "-g"].map((option) => Number(execFileSync("id", [option, "postgres"], { stdio: "pipe" })));
    return uid && gid ? { uid, gid } : null;
  } catch {
    return null;
  }
}

const user = bin === undefined ? null : findUser();
export const hasOwnPostgres = user !== null;
if (!hasOwnPostgres) console.log("Skipped: no initdb of PostgreSQL, or no user that may run it.");

const options = (cwd: string): SpawnOptions => ({ stdio: "ignore", cwd, ...(process.getuid?.() === 0 ? user : {}) });

async function run(name: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(join(bin ?? "", name), args, options(cwd));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** One PostgreSQL server. */
class Instance {
  readonly folder: string;
  readonly port: number;
  #child: ChildProcess | null = null;

  constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Starts it; resolves when it answers. */
  async start(): Promise<void> {
    // A process that is killed loses nothing without fsync; only a machine would.
    const settings = { fsync: "off", max_connections: "200", unix_socket_directories: "", listen_addresses: "127.0.0.1" };
    const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const args = ["-D", this.folder, "-p", String(this.port), ...given];
    const child = endsWithProcess(spawn(join(bin ?? "", "postgres"), args, options(this.folder)), "SIGQUIT");
    this.#child = child;
    for (;;) {
      if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`);
      if (await ask(this.url, "SELECT 1").catch(() => null)) return;
      await wait(50);
    }
  }

  /** "SIGINT": ends every session and closes; "SIGQUIT": ends at once, as in a crash. */
  async stop(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}

export interface OwnPostgres {
  /** Of the primary of now. */
  port(): number;
  url(): string;
  /** Restarts the primary: every session ends. */
  restart(awayMs: number): Promise<void>;
  /** Lets the primary crash for good, and makes the synchronous replica the primary; it gets a new replica. @returns once the new one writes */
  failOver(): Promise<void>;
  /** Makes the replica that is missing after `failOver`. */
  replicate(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a primary and its synchronous replica: what is acknowledged is on both. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  // Beside the run's folder, which nobody else may enter; by its name the next run removes what this one may leave.
  const home = mkdtempSync(join(dirname(tmpdir()), `${basename(tmpdir())}-postgres-`));
  if (user) chownSync(home, user.uid, user.gid);
  let count = 0;
  const place = (): string => join(home, String((count += 1)));
  let primary = new Instance(place(), await freePort());
  let replica: Instance | null = null;
  await run("initdb", ["-D", primary.folder, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], home);
  await primary.start();
  const replicate = async (): Promise<void> => {
    const next = new Instance(place(), await freePort());
    const from = ["-h", "127.0.0.1", "-p", String(primary.port), "-U", "postgres"];
    await run("pg_basebackup", ["-D", next.folder, ...from, "-R", "-X", "stream", "-c", "fast", "--no-sync"], home);
    await next.start();
    // Only now: without a replica every commit would wait for one.
    await ask(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await ask(primary.url, "SELECT pg_reload_conf()");
    while ((await ask(primary.url, "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 0) await wait(50);
    replica = next;
  };
  await replicate();
  return {
    port: () => primary.port,
    url: () => primary.url,
    async restart(awayMs) {
      occurs("database");
      await primary.stop("SIGINT");
      await wait(awayMs);
      await primary.start();
    },
    async failOver() {
      if (!replica) throw new Error("there is no replica");
      occurs("database");
      await primary.stop("SIGQUIT");
      await ask(replica.url, "SELECT pg_promote(true, 60)");
      // The copy of the settings may name replicas that it does not have.
      await ask(replica.url, "ALTER SYSTEM RESET synchronous_standby_names");
      await ask(replica.url, "SELECT pg_reload_conf()");
      primary = replica;
      replica = null;
    },
    replicate,
    async close() {
      await replica?.stop("SIGQUIT");
      await primary.stop("SIGQUIT");
      rmSync(home, { recursive: true, force: true });
    },
  };
}
