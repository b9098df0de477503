/** Tests the demo member: present only where enabled, excluded elsewhere, and safe to share. Also tests start-up error messages. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "#contract/kernel/time.ts";
import { BadEnvironment, readConfig } from "#server/config.ts";
import { openSessions } from "#server/api/session-store.ts";
import { sessionHandlers } from "#server/api/session.ts";
import { seed } from "#server/ops/seed.ts";
import { PortInUse } from "#server/http-server.ts";
import { startFailure } from "#server/start-failure.ts";
import { PATIENT, startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let server: TestServer;
let me: Headers;
const dir = mkdtempSync(join(tmpdir(), "demo-"));

beforeAll(async () => {
  server = await startTestServer({
    demo: "shared",
    limits: { ...PATIENT, readsPerMember: { points: 20, seconds: 600 }, socketsPerMember: 1 },
  });
  me = await server.enter();
});
afterAll(async () => {
  await server.stop();
  rmSync(dir, { recursive: true });
});

describe("the demo member", () => {
  it.each([
    [{}, "private"],
    [{ HOST: "localhost" }, "private"],
    [{ HOST: "::1" }, "private"],
    [{ DEMO_MEMBER: "off" }, "off"],
    [{ HOST: "0.0.0.0" }, "off"],
    [{ HOST: "::" }, "off"],
    [{ HOST: "127.0.0.1.example" }, "off"],
    [{ TRUST_PROXY: "1" }, "off"],
    [{ TRUST_PROXY: "127.0.0.1" }, "off"],
    [{ HOST: "0.0.0.0", DEMO_MEMBER: "on" }, "shared"],
    [{ TRUST_PROXY: "1", DEMO_MEMBER: "on" }, "shared"],
  ] as const)("with %o is %s", (environment, expected) => {
    expect(readConfig(environment).demo).toBe(expected);
  });

  it("is not created where disabled; settings are", async () => {
    const db = await openTestDatabase();
    try {
      expect(await seed(db, Date.now(), false)).toBe(false);
      expect(await db.kysely.selectFrom("member").select("id").execute()).toEqual([]);
      expect((await db.kysely.selectFrom("setting").select("name").execute()).map(({ name }) => name)).toContain("commandsPerSecond");
      expect(await seed(db, Date.now())).toBe(true);
      expect((await db.kysely.selectFrom("member").select("demo").execute()).map(({ demo }) => demo)).toEqual([true, true]);
    } finally {
      await db.close();
    }
  });

  it("of an earlier start is excluded where disabled: at sign-in and in existing sessions", async () => {
    const { db } = server;
    const call = { address: "", caller: null };
    await expect(sessionHandlers({ db, sessions: server.sessions, demo: "off" }).signIn(call, server.credentials)).rejects.toMatchObject({
      code: "ACC_NOT_FOUND_OR_DISABLED",
    });
    expect(await openSessions(db, Date.now, "off").find(me.token, me.account)).toBeNull();
    expect(await openSessions(db, Date.now, "private").find(me.token, me.account)).not.toBeNull();
  });
});

describe("a shared demo member", () => {
  it("is told that it is shared, a member of one's own is not", async () => {
    expect(await server.call("readMember", {}, me)).toMatchObject({ data: { shared: true } });
    const own = await openSessions(server.db, Date.now, "private").find(me.token, me.account);
    expect(own?.shared).toBeUndefined();
  });

  it("is locked for minutes at most", async () => {
    const reply = await server.call("lockTrading", { hours: 720 }, me);
    if (reply.status !== 1) throw new Error(reply.code);
    expect((reply.data.lockedUntil ?? Infinity) - Date.now()).toBeLessThanOrEqual(5 * MINUTE_MS);
  });

  it("has limits that the next visitor can loosen at once", async () => {
    const tight = { maxOrderCents: 1, dailyLossCents: 1, slideAboveCents: null };
    expect(await server.call("setRisk", tight, me)).toMatchObject({ data: { ...tight, easing: null } });
    const eased = { maxOrderCents: null, dailyLossCents: 500, slideAboveCents: null };
    expect(await server.call("setRisk", eased, me)).toMatchObject({ data: { ...eased, easing: null } });
  });

  it("ends a visitor's own oldest session first when there are too many", async () => {
    const db = await openTestDatabase();
    try {
      await seed(db, Date.now());
      const { id } = await db.kysely.selectFrom("member").select("id").where("demo", "=", true).executeTakeFirstOrThrow();
      const at = Date.now() - DAY_MS;
      const [guest, busy] = ["203.0.113.", "2001:db8::7"];
      const rows = Array.from({ length: 1_999 }, (_, nth) => ({
        hash: nth.toString(16).padStart(64, "0"),
        member_id: id,
        // The ten oldest are from ten visitors, all others from one household.
        address: nth < 10 ? `${guest}${nth}` : busy,
        created_at: at + nth,
        expires_at: at + 9 * DAY_MS,
        revoked_at: null,
        device: "",
        last_used_at: null,
      }));
      await db.kysely.insertInto("session").values(rows).execute();
      const sessions = openSessions(db, Date.now, "shared");
      const ended: number[] = [];
      sessions.onEnd((hash) => void ended.push(Number.parseInt(hash, 16)));
      await sessions.open(id, busy);
      expect(ended).toEqual([]);
      await sessions.open(id, "2001:db8::8");
      expect(ended).toEqual([10]);
      await sessions.open(id, `${guest}200`);
      expect(ended).toEqual([10, 0]);
    } finally {
      await db.close();
    }
  });

  it("is limited per session: one visitor who uses up the reads does not affect others", async () => {
    const codes: number[] = [];
    for (let n = 0; n < 21; n += 1) codes.push((await server.call("readRisk", {}, me)).status);
    expect(codes.filter((status) => status === 0).length).toBeGreaterThan(0);
    expect((await server.call("readRisk", {}, await server.enter())).status).toBe(1);
  });
});

describe("a start that fails", () => {
  const config = { ...readConfig({}), dataDir: "/data", clientDir: "/dist" };
  const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

  it.each([
    [
      "a data folder nobody may write to",
      failure("EACCES", { path: "/data/lock" }),
      "The data folder /data cannot be used: permission is denied.",
    ],
    [
      "a data folder that cannot be made",
      failure("EROFS", { path: "/data" }),
      "The data folder /data cannot be used: the file system is read-only.",
    ],
    [
      "a client nobody may read",
      failure("EACCES", { path: "/dist/index.html" }),
      "The built client in /dist cannot be read: permission is denied.",
    ],
    [
      "a port for administrators",
      failure("EACCES", { syscall: "listen" }),
      "Port 8080 cannot be opened: permission is denied. Set PORT to one above 1023.",
    ],
    [
      "another machine's host",
      failure("EADDRNOTAVAIL", { syscall: "listen" }),
      "Cannot listen on HOST 127.0.0.1: it is not an address of this machine.",
    ],
    ["a taken port", new PortInUse(8080), "Port 8080 is in use. Stop the other server first, or set PORT to another one."],
    ["an internal error", new TypeError("x is not a function"), null],
  ])("over %s", (_name, error, line) => {
    expect(startFailure(error, config)).toBe(line);
  });

  it("over its database is reported without the password", () => {
    const postgres = { ...config, databaseUrl: "postgres://user:hush@db.example:5432/kuroshio" };
    expect(startFailure(failure("ECONNREFUSED", { syscall: "connect" }), postgres)).toBe(
      "The database at db.example:5432 cannot be reached: the connection was refused.",
    );
    expect(startFailure(failure("28P01", { message: "password authentication failed" }), postgres)).toContain(
      "refused the connection: password auth",
    );
    for (const url of ["db.example", "http://db.example/x"]) expect(() => readConfig({ DATABASE_URL: url })).toThrow(BadEnvironment);
    for (const proxy of ["17", "-1", "proxy", "10.0.0.0/33"]) expect(() => readConfig({ TRUST_PROXY: proxy })).toThrow(/TRUST_PROXY/);
  });

  it("prints one line and exits with code 1", () => {
    writeFileSync(join(dir, "file"), "");
    const main = join(import.meta.dirname, "..", "..", "..", "server", "main.ts");
    const env = { PATH: process.env["PATH"], DATA_DIR: join(dir, "file", "data"), LOG_LEVEL: "silent" };
    const { status, stderr } = spawnSync(process.execPath, ["--liftoff-only", main], { env, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr.trim()).toBe(`The data folder ${join(dir, "file", "data")} cannot be used: part of the path is a file.`);
  });
});
