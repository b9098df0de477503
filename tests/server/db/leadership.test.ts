/** Tests the leader's lock on PostgreSQL: a second server is refused, and one that lost the lock writes nothing until it holds it again. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase, query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { DatabaseInUse, Leadership, Replaced, StandbyStopped } from "#server/db/leadership.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import { CONNECT_TIMEOUT_MS } from "#server/db/postgres-pool.ts";
import { openFaultyLink } from "#tests/support/faulty-link.ts";
import { ROOT } from "#tests/support/tree.ts";
import { layPostgresProxy } from "./postgres-proxy.ts";
import type { PostgresProxy } from "./postgres-proxy.ts";

const address = process.env["DATABASE_URL"] ?? "";
const SOON = { timeout: 30_000, interval: 20 };

describe.runIf(address !== "")("the leader of a database", () => {
  let schema: string;
  let proxy: PostgresProxy;
  const open: Database[] = [];
  const openServer = async (databaseUrl: string, own = schema): Promise<Database> => {
    const db = await openDatabase({ dataDir: null, databaseUrl, schema: own, server: true, poolSize: 2 });
    open.push(db);
    return db;
  };
  const write = (db: Database): Promise<unknown> => db.transaction((tx) => query(tx, "UPDATE setting SET value = value"));
  /** The sessions that hold or wait for a server's lock. */
  const lockPids = async (db: Database): Promise<number[]> => {
    const rows = await query<{ pid: number }>(
      db.kysely,
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'
       AND (classid::bigint << 32) + objid::bigint = hashtextextended('one server ' || current_schema, 0)`,
    );
    return rows.map(({ pid }) => pid);
  };

  beforeEach(async () => {
    schema = `leader_${randomBytes(6).toString("hex")}`;
    proxy = await layPostgresProxy(address);
  });
  afterEach(async () => {
    for (const db of open.splice(0)) await db.close();
    await proxy.close();
    const db = await openDatabase({ dataDir: null, databaseUrl: address, schema, poolSize: 1 });
    await db.kysely.schema.dropSchema(schema).cascade().execute();
    await db.close();
  });

  it("excludes a second server, but neither an operator command nor a server of another schema", async () => {
    const first = await openServer(address);
    await expect(openServer(address)).rejects.toThrow(DatabaseInUse);
    const operator = await openDatabase({ dataDir: null, databaseUrl: address, schema, poolSize: 1 });
    open.push(operator);
    await write(operator);
    const other = `${schema}_other`;
    const second = await openServer(address, other);
    await write(second);
    await query(second.kysely, `DROP SCHEMA ${other} CASCADE`);
    await first.close();
    open.splice(open.indexOf(first), 1);
    await write(await openServer(address));
  });

  it("writes nothing while its lock is lost, and continues when it holds it again", async () => {
    const db = await openServer(proxy.url);
    const watcher = await openDatabase({ dataDir: null, databaseUrl: address, schema, poolSize: 1 });
    open.push(watcher);
    await write(db);
    expect(db.writable()).toBe(true);
    proxy.down();
    await vi.waitFor(() => expect(db.writable()).toBe(false));
    await expect(write(db)).rejects.toThrow(DatabaseUnavailable);
    proxy.up();
    await vi.waitFor(() => expect(db.writable()).toBe(true), { timeout: 30_000 });
    await write(db);
    expect(await lockPids(watcher)).toHaveLength(1);
  });

  it("waits for a database that accepts connections and answers nothing, as behind a network that fails without a word", async () => {
    const link = await openFaultyLink(Number(new URL(address).port || 5432), "database");
    const held = new URL(address);
    [held.hostname, held.port] = ["127.0.0.1", String(link.port)];
    try {
      const db = await openServer(held.href);
      await write(db);
      link.hold();
      await vi.waitUntil(() => !db.writable(), SOON);
      // A new connection is given up.
      const failed = await Promise.race([db.failed, wait(2 * CONNECT_TIMEOUT_MS, null)]);
      expect(failed).toBe(null);
      link.heal();
      await vi.waitUntil(() => db.writable(), SOON);
      await write(db);
    } finally {
      await link.close();
    }
  }, 90_000);

  it("is waited for by a standby whose new connection gets no answer", async () => {
    const link = await openFaultyLink(Number(new URL(address).port || 5432), "database");
    const held = new URL(address);
    [held.hostname, held.port] = ["127.0.0.1", String(link.port)];
    const stopped = new AbortController();
    link.hold();
    const waiting = new Leadership(held.href, undefined).wait(stopped.signal).catch((error: unknown) => error);
    try {
      expect(await Promise.race([waiting, wait(2 * CONNECT_TIMEOUT_MS, null)])).toBe(null);
      stopped.abort();
      link.cut();
      expect(await waiting).toBeInstanceOf(StandbyStopped);
    } finally {
      await link.close();
    }
  }, 90_000);

  it("exits when another server took over, which had waited for its last connection", async () => {
    const db = await openServer(proxy.url);
    const watcher = await openDatabase({ dataDir: null, databaseUrl: address, schema, poolSize: 1 });
    open.push(watcher);
    await write(db);
    const pids = await lockPids(watcher);
    expect(pids).toHaveLength(1);
    // Losing only the lock's connection it would retake the lock at once, so all connections are cut before another server starts.
    proxy.down();
    const second = await openServer(address);
    proxy.up();
    expect(await db.failed).toBeInstanceOf(Replaced);
    await expect(write(db)).rejects.toThrow(DatabaseUnavailable);
    await write(second);
  });

  it("detects by the epoch that another server held the lock, even if it is gone", async () => {
    const db = await openServer(proxy.url);
    await write(db);
    proxy.down();
    const second = await openServer(address);
    await second.close();
    open.splice(open.indexOf(second), 1);
    proxy.up();
    expect(await db.failed).toBeInstanceOf(Replaced);
  });

  /** Starts the program on the database. */
  const start = (given: Record<string, string> = {}) => {
    const url = new URL(address);
    url.searchParams.set("options", `-c search_path=${schema}`);
    const env = { ...process.env, DATABASE_URL: url.href, PORT: "0", LOG_LEVEL: "silent", ...given };
    return spawn(process.execPath, [join(ROOT, "server", "main.ts")], { env, stdio: ["ignore", "pipe", "pipe"] });
  };

  it("exits with code 1 and one line when it starts second", async () => {
    await openServer(address);
    const child = start();
    let output = "";
    child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    expect([code, output]).toEqual([1, `${new DatabaseInUse().message}\n`]);
  });

  it("waits as a standby, and exits with code 0 when it is stopped meanwhile", async () => {
    const first = await openServer(address);
    const child = start({ STANDBY: "on" });
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    expect(said.toString()).toContain("stands by");
    await write(first);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("gives up a lock that a standby may have taken, even if it never learns of it", async () => {
    const standby = new AbortController().signal;
    const db = await openDatabase({ dataDir: null, databaseUrl: proxy.url, schema, server: true, poolSize: 2, standby });
    open.push(db);
    await write(db);
    proxy.silence();
    expect(String(await db.failed)).toContain("a standby may have taken it");
    proxy.up();
  }, 40_000);

  it("knows by its clock that a standby may have taken its lock, before it is told", async () => {
    const standby = new AbortController().signal;
    const db = await openDatabase({ dataDir: null, databaseUrl: proxy.url, schema, server: true, poolSize: 2, standby });
    open.push(db);
    const ahead = performance.now.bind(performance);
    const spy = vi.spyOn(performance, "now");
    try {
      // One that opens is given a minute.
      spy.mockImplementation(() => ahead() + 30_000);
      expect(db.writable()).toBe(true);
      spy.mockImplementation(ahead);
      await db.opened();
      expect(db.writable()).toBe(true);
      // As after a standstill: nothing was read from the connection yet.
      spy.mockImplementation(() => ahead() + 7_000);
      expect(db.writable()).toBe(false);
      await expect(write(db)).rejects.toThrow(DatabaseUnavailable);
      // Nobody took it: the next answer says so.
      await vi.waitUntil(() => db.writable(), { timeout: 10_000 });
      spy.mockImplementation(() => ahead() + 14_000);
      proxy.down();
      const ended = ahead();
      expect(String(await db.failed)).toContain("a standby may have taken it");
      expect(ahead() - ended).toBeLessThan(3_000);
    } finally {
      spy.mockRestore();
      proxy.up();
    }
  }, 40_000);

  it("keeps its lock when it was busy for so long that a heartbeat's answer is read late", async () => {
    const later = globalThis.setTimeout;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const db = await openServer(address);
      // From a timer, as everything that waits for one after a long computation.
      await new Promise<void>((done) => later(done, 0));
      vi.advanceTimersByTime(2_000);
      // The answer arrives meanwhile, and nothing reads it.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
      vi.advanceTimersByTime(2_000);
      await new Promise<void>((done) => later(done, 10));
      expect(db.writable()).toBe(true);
      await write(db);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is left alone while it opens, though it is silent, and no longer once it has opened", async () => {
    const db = await openServer(address);
    const watcher = await openDatabase({ dataDir: null, databaseUrl: address, schema, poolSize: 1 });
    open.push(watcher);
    const [pid] = await lockPids(watcher);
    // Takes any silence for the end.
    const standby = new Leadership(address, schema, 0);
    const stop = new AbortController();
    const waiting = standby.wait(stop.signal);
    const tries = new Set<string>();
    await vi.waitFor(
      async () => {
        const asked = await query<{ at: string }>(
          watcher.kysely,
          `SELECT state_change::text AS at FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'idle' AND
           query LIKE '%pg_terminate_backend%' AND query LIKE '%opening%'`,
        );
        for (const { at } of asked) tries.add(at);
        expect(tries.size).toBeGreaterThan(3);
      },
      { timeout: 30_000, interval: 20 },
    );
    expect(await lockPids(watcher)).toEqual([pid]);
    expect(db.writable()).toBe(true);
    await db.opened();
    // Its session is ended. This leader still speaks, so either of the two may have the lock next.
    await vi.waitFor(async () => expect(await lockPids(watcher)).not.toContain(pid), { timeout: 30_000, interval: 20 });
    stop.abort();
    await waiting.catch((error: unknown) => expect(error).toBeInstanceOf(StandbyStopped));
    await standby.close();
  });

  it("ends a server that has fallen silent, after which that one writes nothing", async () => {
    const db = await openServer(proxy.url);
    await db.opened();
    await write(db);
    proxy.silence();
    const began = performance.now();
    const second = await openDatabase({
      dataDir: null,
      databaseUrl: address,
      schema,
      server: true,
      poolSize: 2,
      standby: new AbortController().signal,
    });
    open.push(second);
    await write(second);
    // Not before it can be told from one that is busy.
    expect(performance.now() - began).toBeGreaterThan(4_000);
    proxy.up();
    expect(await db.failed).toBeInstanceOf(Replaced);
    await expect(write(db)).rejects.toThrow(DatabaseUnavailable);
  });
});
