/** Tests sign-in and sessions: nothing revealed, attempts throttled, tokens hashed, revocation immediate everywhere. */
import { createHash } from "node:crypto";
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { SESSIONS_KEPT, openSessions } from "#server/api/session-store.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";

/** ID numbers with valid check digits, for members whose attempts these tests use up. */
const IDS = { slowed: "A223456781", barred: "A123456770", stranger: "F131104093" };
const PASSWORD = "a password of their own";
const CODE = "424242";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  for (const [account, idNumber] of [["KS200001", IDS.slowed] as const, ["KS200002", IDS.barred] as const]) {
    const person = { account, idNumber, name: "測試", password: PASSWORD, guaranteeCode: CODE };
    await createMember(server.db, { ...person, identity: "verified", depositCents: 0 as never, at: Date.now() });
  }
});
afterAll(() => server.stop());

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");
const sessionRow = (token: string) =>
  server.db.kysely.selectFrom("session").selectAll().where("hash", "=", hashOf(token)).executeTakeFirstOrThrow();
const restore = async (as: Headers): Promise<number> => (await server.post("restoreSession", "{}", as)).http;

async function signedIn(): Promise<Headers> {
  const reply = await server.call("signIn", server.credentials);
  if (reply.status !== 1) throw new Error(reply.code);
  return { token: reply.data.token, account: reply.data.account };
}

describe("signing in", () => {
  it("gives a session for 30 days and a Chinese message", async () => {
    const reply = await server.call("signIn", server.credentials);
    expect(reply).toMatchObject({ status: 1, msg: "登录成功", data: { account: "KS100001" } });
    if (reply.status !== 1) return;
    expect(reply.data.token).toMatch(/^[\w-]{43}$/);
    expect(Math.abs(reply.data.expiresAt - Date.now() - 30 * DAY_MS)).toBeLessThan(60_000);
    expect(await restore({ token: reply.data.token, account: reply.data.account })).toBe(200);
  });

  it("accepts the ID number as people type it", async () => {
    const reply = await server.call("signIn", { ...server.credentials, idNumber: " a123456789 " });
    expect(reply.status).toBe(1);
  });

  it("never reveals which part was wrong, nor whether the ID number is known", async () => {
    const { idNumber } = server.credentials;
    const answers = [
      await server.call("signIn", { ...server.credentials, password: "wrong" }),
      await server.call("signIn", { ...server.credentials, guaranteeCode: "wrong" }),
      await server.call("signIn", { idNumber, password: "wrong", guaranteeCode: "wrong" }),
      await server.call("signIn", { ...server.credentials, idNumber: IDS.stranger }),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toEqual({ status: 0, msg: "账号或密码错误", data: null, code: "ACC_BAD_CREDENTIALS", params: {} });
    await signedIn();
  });

  it("refuses an invalid ID number and names the field", async () => {
    const reply = await server.call("signIn", { ...server.credentials, idNumber: "A123456788" });
    expect(reply).toMatchObject({ status: 0, code: "VAL_ID_INVALID", field: "idNumber" });
  });

  it("throttles after five wrong attempts, even parallel ones, even for the right password; other members are not affected", async () => {
    const wrong = { idNumber: IDS.slowed, password: "wrong", guaranteeCode: CODE };
    const answers = await Promise.all(Array.from({ length: 8 }, () => server.call("signIn", wrong)));
    const codes = answers.map((answer) => (answer.status === 0 ? answer.code : "OK")).toSorted();
    expect(codes).toEqual([...Array<string>(5).fill("ACC_BAD_CREDENTIALS"), ...Array<string>(3).fill("GEN_TOO_FREQUENT")]);
    expect(await server.call("signIn", { ...wrong, password: PASSWORD })).toMatchObject({ code: "GEN_TOO_FREQUENT" });
    await signedIn();
  });

  it.each([
    ["loginBanned", "ACC_LOGIN_BANNED"],
    ["banned", "ACC_BANNED"],
    ["disabled", "ACC_DISABLED"],
  ] as const)("of a member who is %s is refused with that reason, but only after the right password", async (restriction, code) => {
    await server.db.kysely
      .updateTable("member")
      .set({ restrictions: [restriction] })
      .where("id_number", "=", IDS.barred)
      .execute();
    const asked = { idNumber: IDS.barred, password: PASSWORD, guaranteeCode: CODE };
    expect(await server.call("signIn", { ...asked, password: "wrong" })).toMatchObject({ code: "ACC_BAD_CREDENTIALS" });
    expect(await server.call("signIn", asked)).toMatchObject({ status: 0, code });
  });
});

describe("a session", () => {
  it("is stored as a hash only", async () => {
    const { token } = await signedIn();
    const row = await sessionRow(token);
    expect(row.hash).toBe(hashOf(token));
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it("is alive by what the database says now, not by what is in memory: nobody looks again soon", async () => {
    const sessions = openSessions(server.db);
    const { token, account } = await signedIn();
    const caller = await sessions.find(token, account);
    if (!caller) throw new Error("no session");
    expect(await sessions.alive(caller)).toBe(true);
    // As another server ends it.
    await server.db.kysely.updateTable("session").set({ revoked_at: Date.now() }).where("hash", "=", caller.sessionHash).execute();
    expect(await sessions.alive(caller)).toBe(false);
  });

  it("is read with those that are asked for at the same moment, each for its own caller", async () => {
    const ended = await signedIn();
    const all = [await signedIn(), ended, await server.enter("unverified"), { ...ended, token: "x".repeat(43) }];
    const sessions = openSessions(server.db);
    await sessions.revoke(hashOf(ended.token));
    const queries = vi.spyOn(server.db.kysely, "executeQuery");
    const found = await Promise.all([...all, ...all].map(({ token, account }) => sessions.find(token, account)));
    expect(queries).toHaveBeenCalledTimes(1);
    queries.mockRestore();
    const hashes = found.map((caller) => caller?.sessionHash ?? null);
    const [first, , third] = all.map(({ token }) => hashOf(token));
    expect(hashes).toEqual([first, null, third, null, first, null, third, null]);
    expect(found[0]?.account).toBe(all[0]?.account);
    expect(found[2]?.account).toBe(all[2]?.account);
  });

  it("belongs to its account", async () => {
    const me = await signedIn();
    expect(await restore({ ...me, account: "KS100002" })).toBe(401);
    expect(await restore(me)).toBe(200);
  });

  it("ends at once for calls and sockets at sign-out; the member's other sessions continue", async () => {
    const [ended, other] = [await signedIn(), await signedIn()];
    const received: string[] = [];
    const socket = io(server.url, { path: SOCKET_PATH, transports: ["websocket"], auth: ended, reconnection: false });
    socket.onAny((event: string) => void received.push(event));
    await new Promise((done) => socket.on("connect", () => done(null)));
    expect(await server.call("signOut", {}, ended)).toMatchObject({ status: 1, data: null });
    expect(await restore(ended)).toBe(401);
    await expect.poll(() => socket.connected).toBe(false);
    expect(received).toContain("expired");
    expect(await restore(other)).toBe(200);
    expect((await sessionRow(ended.token)).revoked_at).not.toBeNull();
  });

  it("ends with its socket at the member's twentieth later sign-in; newer sessions continue", async () => {
    const [oldest, ...rest] = [await server.enter("unverified"), await server.enter("unverified")];
    const received: string[] = [];
    const socket = io(server.url, { path: SOCKET_PATH, transports: ["websocket"], auth: oldest, reconnection: false });
    socket.onAny((event: string) => void received.push(event));
    await new Promise((done) => socket.on("connect", () => done(null)));
    while (rest.length < SESSIONS_KEPT - 1) rest.push(await server.enter("unverified"));
    expect(await restore(oldest)).toBe(200);
    rest.push(await server.enter("unverified"));
    expect(await restore(oldest)).toBe(401);
    await expect.poll(() => socket.connected).toBe(false);
    expect(received).toContain("expired");
    for (const newer of rest) expect(await restore(newer)).toBe(200);
  });

  it("expires, and its expiry moves when it is used", async () => {
    const [old, used] = [await server.enter(), await server.enter()];
    const expire = (token: string, at: number) =>
      server.db.kysely.updateTable("session").set({ expires_at: at }).where("hash", "=", hashOf(token)).execute();
    await expire(old.token, Date.now() - 1);
    await expire(used.token, Date.now() + DAY_MS);
    expect(await restore(old)).toBe(401);
    expect(await restore(used)).toBe(200);
    expect((await sessionRow(used.token)).expires_at).toBeGreaterThan(Date.now() + 29 * DAY_MS);
  });

  it("ends when its member may no longer sign in", async () => {
    const { id } = await server.db.kysely.selectFrom("member").select("id").where("id_number", "=", IDS.barred).executeTakeFirstOrThrow();
    await server.db.kysely
      .updateTable("member")
      .set({ restrictions: ["banned"] })
      .where("id", "=", id)
      .execute();
    const { token } = await server.sessions.open(id, "test");
    expect(await restore({ token, account: "KS200002" })).toBe(401);
  });
});
