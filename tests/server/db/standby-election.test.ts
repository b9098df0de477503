/** Tests that a leader with standbys keeps its lock through short failures, and that no standby leads beside one that does not know yet. */
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase, query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { layPostgresProxy } from "./postgres-proxy.ts";
import type { PostgresProxy } from "./postgres-proxy.ts";

const address = process.env["DATABASE_URL"] ?? "";
/** Ends the session that holds the lock. */
const END_LOCK = `SELECT pg_terminate_backend(pid, 10000) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
  AND (classid::bigint << 32) + objid::bigint = hashtextextended('one server ' || current_schema, 0)`;

describe.runIf(address !== "")("a leader with standbys", () => {
  let schema: string;
  let proxy: PostgresProxy;
  let other: PostgresProxy;
  const open: Database[] = [];
  const openLeader = async (databaseUrl: string): Promise<Database> => {
    const standby = new AbortController().signal;
    const db = await openDatabase({ dataDir: null, databaseUrl, schema, server: true, poolSize: 2, standby });
    open.push(db);
    return db;
  };
  const openWatcher = async (): Promise<Database> => {
    const db = await openDatabase({ dataDir: null, databaseUrl: address, schema, poolSize: 1 });
    open.push(db);
    return db;
  };
  const write = (db: Database): Promise<unknown> => db.transaction((tx) => query(tx, "UPDATE setting SET value = value"));

  beforeEach(async () => {
    schema = `elected_${randomBytes(6).toString("hex")}`;
    [proxy, other] = [await layPostgresProxy(address), await layPostgresProxy(address)];
  });
  afterEach(async () => {
    for (const db of open.splice(0)) await db.close();
    await proxy.close();
    await other.close();
    const db = await openDatabase({ dataDir: null, databaseUrl: address, schema, poolSize: 1 });
    await db.kysely.schema.dropSchema(schema).cascade().execute();
    await db.close();
  });

  /** A standby that has seen the leader, and whether it is elected. */
  const standBy = async (databaseUrl: string, watcher: Database) => {
    let isElected = false;
    const url = new URL(databaseUrl);
    url.searchParams.set("application_name", schema);
    const opening = openLeader(url.href).then((db) => {
      isElected = true;
      return db;
    });
    // It asks for the leader's silence once it has seen that there is one.
    const asked = "SELECT FROM pg_stat_activity WHERE application_name = $1 AND query LIKE '%pg_terminate_backend%' AND state = 'idle'";
    await vi.waitUntil(async () => (await query(watcher.kysely, asked, [schema])).length > 0, { timeout: 30_000 });
    return { opening, isElected: () => isElected };
  };

  it("goes on when it holds the lock again in time, however late its last confirmation was", async () => {
    const db = await openLeader(proxy.url);
    await db.opened();
    const failed = vi.fn();
    void db.failed.then(failed);
    const ahead = performance.now.bind(performance);
    const spy = vi.spyOn(performance, "now");
    try {
      spy.mockImplementation(() => ahead() + 5_000);
      expect(db.writable()).toBe(true);
      proxy.down();
      await wait(2_000);
      proxy.up();
      await vi.waitUntil(() => db.writable(), { timeout: 20_000 });
      // Longer than it may be without the lock.
      await wait(6_500);
      expect(failed).not.toHaveBeenCalled();
      await write(db);
    } finally {
      spy.mockRestore();
    }
  }, 40_000);

  it("knows after its machine was suspended that it may be replaced, though the other clock stood still", async () => {
    const db = await openLeader(proxy.url);
    await db.opened();
    const wall = Date.now.bind(Date);
    const spy = vi.spyOn(Date, "now").mockImplementation(() => wall() + 7_000);
    try {
      expect(db.writable()).toBe(false);
      // Nobody took the lock: the next answer says so.
      await vi.waitUntil(() => db.writable(), { timeout: 10_000 });
      // A clock that is set back hides nothing of the other one, and ends nothing.
      spy.mockImplementation(wall);
      expect(db.writable()).toBe(true);
    } finally {
      spy.mockRestore();
    }
  }, 40_000);

  it("is led by nobody else before it knows, when all sessions have ended and its link holds everything back", async () => {
    const db = await openLeader(proxy.url);
    await db.opened();
    const watcher = await openWatcher();
    try {
      const { opening, isElected } = await standBy(other.url, watcher);
      // As PostgreSQL does when it restarts.
      proxy.silence();
      other.down();
      await query(watcher.kysely, END_LOCK);
      other.up();
      while (db.writable()) {
        expect(isElected()).toBe(false);
        await wait(5);
      }
      await write(await opening);
    } finally {
      proxy.up();
    }
  }, 40_000);

  it("holds the lock again after PostgreSQL has restarted, before a standby takes it", async () => {
    const db = await openLeader(proxy.url);
    await db.opened();
    const watcher = await openWatcher();
    const { opening, isElected } = await standBy(other.url, watcher);
    for (const each of [proxy, other]) each.down();
    // Whatever did not end by that.
    await query(watcher.kysely, END_LOCK);
    other.up();
    await wait(1_000);
    proxy.up();
    await vi.waitUntil(() => db.writable(), { timeout: 20_000 });
    expect(isElected()).toBe(false);
    await write(db);
    // The standby has seen that: when the leader stops, it waits no longer.
    await wait(500);
    await db.close();
    open.splice(open.indexOf(db), 1);
    const closed = performance.now();
    await opening;
    expect(performance.now() - closed).toBeLessThan(3_000);
  }, 40_000);

  it("opens though the epoch is stored late, as while a synchronous replica is away", async () => {
    const first = await openLeader(address);
    const text = `CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(6.5); RETURN NEW; END'`;
    await query(first.kysely, text);
    await query(first.kysely, "CREATE TRIGGER late BEFORE UPDATE OF epoch ON server_epoch FOR EACH ROW EXECUTE FUNCTION late()");
    await first.close();
    open.splice(0);
    const db = await openLeader(address);
    await db.opened();
    await write(db);
  }, 40_000);
});
