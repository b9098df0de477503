/** Tests devices: listed without personal data, signed out at once with their sockets, and a new one holds withdrawals back. */
import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { cents } from "#contract/kernel/money.ts";
import { SOCKET_PATH } from "#contract/kernel/push.ts";
import { HOUR_MS } from "#contract/kernel/time.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { deviceName, maskAddress } from "#server/api/session/device-name.ts";
import { sessionHandlers } from "#server/api/session.ts";
import { hashSecret } from "#server/kernel/secret-hash.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { refusalOf } from "#tests/support/trading.ts";

const SECRETS = { password: "a password of their own", guaranteeCode: "424242" };
const NEW = "amber-lighthouse";
const PHONE = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36";
/** The origin of a native app's pages. */
const APP = "https://localhost";
/** With valid check digits, for the members who sign in. */
const ID_NUMBERS = ["A223456781", "A123456770", "F131104093", "A100000001", "A170000002"];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ trustProxy: 1, demo: "shared", appOrigins: [APP] });
});
afterAll(() => server.stop());

let made = 0;
interface Person {
  id: number;
  account: string;
  idNumber: string;
}
async function newPerson(): Promise<Person> {
  const idNumber = ID_NUMBERS[made] ?? `none ${made}`;
  made += 1;
  const account = `KS${600_000 + made}`;
  const person = { account, idNumber, name: "測試", ...SECRETS, identity: "verified" as const };
  return { account, idNumber, id: await createMember(server.db, { ...person, depositCents: cents(0), at: Date.now() }) };
}
const sessionOf = async ({ id, account }: Person): Promise<Headers> => ({
  account,
  token: (await server.sessions.open(id, "203.0.113.7")).token,
});

/** Signs in as a browser does. @returns the session and the device cookie, if a new one was given */
async function signIn(person: Person, cookie: string | null = null): Promise<{ as: Headers; cookie: string | null }> {
  const answer = await fetch(server.url + BASE_PATH + endpoints.signIn.path, {
    method: "POST",
    headers: { "x-forwarded-for": "203.0.113.7", "user-agent": PHONE, ...(cookie === null ? {} : { cookie }) },
    body: JSON.stringify({ idNumber: person.idNumber, ...SECRETS }),
  });
  const { data } = (await answer.json()) as { data: Headers };
  return { as: { token: data.token, account: data.account }, cookie: answer.headers.getSetCookie()[0]?.split(";")[0] ?? null };
}
async function list(as: Headers) {
  const reply = await server.call("listDevices", {}, as);
  if (reply.status !== 1) throw new Error(reply.code);
  return reply.data;
}
async function slowedUntil(as: Headers): Promise<number | null> {
  const reply = await server.call("readMember", {}, as);
  if (reply.status !== 1) throw new Error(reply.code);
  return reply.data.facts.slowedUntil;
}
const restore = async (as: Headers): Promise<number> => (await server.post("restoreSession", "{}", as)).http;
async function connect(auth: Headers) {
  const socket = io(server.url, { path: SOCKET_PATH, transports: ["websocket"], auth, reconnection: false, forceNew: true });
  await new Promise((done) => socket.on("connect", () => done(null)));
  return socket;
}

describe("a member's devices", () => {
  it("are listed with a name and a masked address, this one first; nobody else's can be ended", async () => {
    const [me, other] = [await newPerson(), await newPerson()];
    const elsewhere = await sessionOf(me);
    const { as } = await signIn(me);
    const devices = await list(as);
    expect(devices).toMatchObject([
      { device: "Chrome, Android", address: "203.0.*.*", isThis: true },
      { device: "", address: "203.0.*.*", isThis: false },
    ]);
    expect(JSON.stringify(devices)).not.toContain("113.7");
    const stranger = await sessionOf(other);
    for (const id of [devices[1]?.id ?? "", "0123456789abcdef"]) {
      expect(await server.call("signOutDevice", { id }, stranger)).toMatchObject({ code: "GEN_NOT_FOUND" });
    }
    expect(await restore(elsewhere)).toBe(200);
    expect(await restore(stranger)).toBe(200);
  });

  it("end at once with their sockets: one, or all but this one", async () => {
    const me = await newPerson();
    const [here, first, ...more] = [await sessionOf(me), await sessionOf(me), await sessionOf(me), await sessionOf(me)];
    const kept = await connect(here);
    const sockets = [];
    for (const as of [first, ...more]) sockets.push(await connect(as));
    const [firstSocket, ...others] = sockets;
    const own = (await list(first)).find(({ isThis }) => isThis);
    expect(await server.call("signOutDevice", { id: own?.id ?? "" }, here)).toMatchObject({ status: 1 });
    expect(await restore(first)).toBe(401);
    await expect.poll(() => firstSocket?.connected).toBe(false);
    expect(others.map(({ connected }) => connected)).toEqual([true, true]);

    expect(await server.call("signOutOthers", {}, here)).toMatchObject({ data: { sessionsEnded: 2 } });
    for (const as of more) expect(await restore(as)).toBe(401);
    await expect.poll(() => others.map(({ connected }) => connected)).toEqual([false, false]);
    expect([await restore(here), kept.connected]).toEqual([200, true]);
    expect(await list(here)).toMatchObject([{ isThis: true }]);
    kept.disconnect();
  });

  it("of the shared demo member are not shown to other visitors, nor ended by them", async () => {
    const [here, elsewhere] = [await server.enter(), await server.enter()];
    const [device, ...others] = await list(here);
    expect([device?.isThis, others]).toEqual([true, []]);
    expect(await server.call("signOutDevice", { id: (await list(elsewhere))[0]?.id ?? "" }, here)).toMatchObject({ code: "ACC_SHARED" });
    expect(await server.call("signOutOthers", {}, here)).toMatchObject({ code: "ACC_SHARED" });
    expect(await restore(elsewhere)).toBe(200);
  });
});

it("a new device holds withdrawals back for a day; an account's first one and a known one do not", async () => {
  const me = await newPerson();
  const first = await signIn(me);
  expect(await slowedUntil(first.as)).toBeNull();
  const again = await signIn(me, first.cookie);
  expect([again.cookie, await slowedUntil(again.as)]).toEqual([null, null]);
  const before = Date.now();
  const stranger = await signIn(me);
  const until = (await slowedUntil(stranger.as)) ?? 0;
  expect(until).toBeGreaterThanOrEqual(before + 24 * HOUR_MS);
  expect(until).toBeLessThanOrEqual(Date.now() + 24 * HOUR_MS);
});

it("a native app, which has no cookies, is known by a header that no page is given", async () => {
  const me = await newPerson();
  const sign = async (headers: Record<string, string>) => {
    const answer = await fetch(server.url + BASE_PATH + endpoints.signIn.path, {
      method: "POST",
      headers: { "x-forwarded-for": "203.0.113.7", "user-agent": PHONE, ...headers },
      body: JSON.stringify({ idNumber: me.idNumber, ...SECRETS }),
    });
    const { data } = (await answer.json()) as { data: Headers };
    const as = { token: data.token, account: data.account };
    return { device: answer.headers.get("device"), cookies: answer.headers.getSetCookie(), slowed: (await slowedUntil(as)) !== null };
  };
  const first = await sign({ origin: APP });
  expect(first).toEqual({ device: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/), cookies: [], slowed: false });
  const device = first.device ?? "";
  expect(await sign({ origin: APP, device })).toEqual({ device: null, cookies: [], slowed: false });
  // A page elsewhere that says so is not taken for the app.
  const page = await sign({ device });
  expect([page.device, page.cookies.length, page.slowed]).toEqual([null, 1, true]);
});

it("a sign-in under way while the password changes opens no session", async () => {
  const me = await newPerson();
  const here = await sessionOf(me);
  // Its throttle gives back the attempt after the secrets were found right and before the session is opened.
  const change = { current: SECRETS.password, password: NEW, confirmation: NEW };
  const release = async (): Promise<void> => {
    expect(await server.call("changePassword", change, here)).toMatchObject({ status: 1 });
  };
  const throttle = { count: async ({ claimants = [] }: { claimants?: readonly number[] }) => claimants, release };
  const handlers = sessionHandlers({ db: server.db, sessions: server.sessions, throttle });
  const attempt = handlers.signIn({ address: "", caller: null }, { idNumber: me.idNumber, ...SECRETS });
  expect(await refusalOf(attempt)).toMatchObject({ code: "ACC_BAD_CREDENTIALS" });
  expect((await server.sessions.list(me.id)).length).toBe(1);
  // The other order: a session opened just before the change ends with it.
  const opened = await server.sessions.open(me.id, "", {});
  const passwordHash = await hashSecret(SECRETS.password);
  await server.sessions.revokeAll(me.id, null, async (tx) => {
    await tx.updateTable("member").set({ password_hash: passwordHash }).where("id", "=", me.id).execute();
  });
  expect(await restore({ account: me.account, token: opened.token })).toBe(401);
});

it.each([
  [PHONE, "Chrome, Android"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1", "Safari, iPhone"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0", "Edge, Windows"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, macOS"],
  [`${"x".repeat(500)} Chrome/1`, ""],
  ["<script>alert(1)</script>", ""],
  [null, ""],
])("the user agent %s is named %s", (agent, name) => expect(deviceName(agent)).toBe(name));

it.each([
  ["203.0.113.7", "203.0.*.*"],
  ["2001:db8:1:2::7", "2001:db8:*"],
  ["", ""],
])("the address %s is masked as %s", (address, masked) => expect(maskAddress(address)).toBe(masked));
