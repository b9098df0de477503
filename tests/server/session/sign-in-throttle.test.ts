/** Tests the sign-in throttle: guessing is slowed per device, account and address, without locking out the owner. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { isIdNumber } from "#contract/id-number.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { cents } from "#contract/kernel/money.ts";
import { addressKey } from "#server/kernel/address-key.ts";
import type { SecurityEvent } from "#server/kernel/security-log.ts";
import { openSecurityLog } from "#server/kernel/security-log.ts";
import { sessionHandlers } from "#server/api/session.ts";
import { openSignInThrottle } from "#server/api/session/sign-in-throttle.ts";
import type { Try } from "#server/api/session/sign-in-throttle.ts";
import { addressFinder, isNetwork } from "#server/api/http/address.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { hashSecret } from "#server/kernel/secret-hash.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { TestServer } from "#tests/support/server.ts";

const OWNER = { idNumber: "A223456781", password: "a password of their own", guaranteeCode: "424242" };
const SECOND = { ...OWNER, idNumber: "A123456770" };

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ trustProxy: 1, demo: "private" });
  for (const [account, { idNumber, password, guaranteeCode }] of [["KS200001", OWNER] as const, ["KS200002", SECOND] as const]) {
    const person = { account, idNumber, name: "測試", password, guaranteeCode };
    await createMember(server.db, { ...person, identity: "verified", depositCents: cents(0), at: Date.now() });
  }
});
afterAll(() => server.stop());

interface Tried {
  code: string;
  cookie: string | null;
}

async function tryFrom(address: string, body: object, cookie: string | null = null): Promise<Tried> {
  const answer = await fetch(server.url + BASE_PATH + endpoints.signIn.path, {
    method: "POST",
    headers: { "x-forwarded-for": address, ...(cookie === null ? {} : { cookie }) },
    body: JSON.stringify(body),
  });
  const reply = (await answer.json()) as { code?: string };
  return { code: reply.code ?? "OK", cookie: answer.headers.getSetCookie()[0] ?? null };
}
const pairOf = (cookie: string | null): string => (cookie ?? "").split(";")[0] ?? "";

/** Adds members who claim an ID number without having proved it, the oldest first. */
async function claim(idNumber: string, from: number, passwords: readonly string[]): Promise<void> {
  for (const [nth, password] of passwords.entries()) {
    const person = { account: `KS${from + nth}`, idNumber, name: "", password, guaranteeCode: "424242" };
    await createMember(server.db, { ...person, identity: "unverified", depositCents: cents(0), at: Date.now() });
  }
}

describe("an ID number that several claim", () => {
  it("is no way around the limit: neither the device nor the correct secrets of one allow guesses at another's", async () => {
    const idNumber = "F131104093";
    await claim(idNumber, 200_100, ["the victim's own", "the attacker's own"]);
    const victim = { idNumber, password: "the victim's own", guaranteeCode: "424242" };
    const attacker = { ...victim, password: "the attacker's own" };
    for (const [address, remembers] of [["198.51.100.71", true] as const, ["198.51.100.72", false] as const]) {
      const device = remembers ? pairOf((await tryFrom("198.51.100.70", attacker)).cookie) : null;
      const guess = async (): Promise<string> => (await tryFrom(address, { ...victim, password: "guessed" }, device)).code;
      for (let n = 0; n < 3; n += 1)
        expect([await guess(), (await tryFrom(address, attacker, device)).code]).toEqual(["ACC_BAD_CREDENTIALS", "OK"]);
      await guess();
      await guess();
      expect((await tryFrom(address, victim, device)).code).not.toBe("OK");
    }
    expect((await tryFrom("198.51.100.73", victim)).code).toBe("OK");
  });

  it("is not taken from the oldest by however many later claims", async () => {
    const idNumber = "A100000001";
    expect(isIdNumber(idNumber)).toBe(true);
    await claim(idNumber, 200_200, ["the owner's own", ...Array.from({ length: 8 }, () => "a stranger's")]);
    expect((await tryFrom("198.51.100.80", { idNumber, password: "the owner's own", guaranteeCode: "424242" })).code).toBe("OK");
  });
});

describe("an owner", () => {
  it("is recognised by device: others' wrong attempts at the same address do not lock them out", async () => {
    const office = "198.51.100.1";
    const { code, cookie } = await tryFrom(office, OWNER);
    expect(code).toBe("OK");
    expect(cookie).toMatch(/^device=[\w-]{22}\.[\w-]{43}; .*HttpOnly; SameSite=Strict$/);
    expect(cookie).toContain("Path=/api/vue/session");
    const wrong = { ...OWNER, password: "wrong" };
    for (let n = 0; n < 5; n += 1) expect((await tryFrom(office, wrong)).code).toBe("ACC_BAD_CREDENTIALS");
    expect((await tryFrom(office, OWNER)).code).toBe("GEN_TOO_FREQUENT");
    expect(await tryFrom(office, OWNER, pairOf(cookie))).toEqual({ code: "OK", cookie: null });
    expect((await tryFrom("198.51.100.2", OWNER)).code).toBe("OK");
  });

  it("gets a secure cookie when a trusted proxy reports TLS", async () => {
    const signIn = async (headers: Record<string, string>): Promise<string> => {
      const path = server.url + BASE_PATH + endpoints.signIn.path;
      const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(SECOND) });
      return answer.headers.getSetCookie()[0] ?? "";
    };
    const tls = await signIn({ "x-forwarded-for": "198.51.100.60", "x-forwarded-proto": "https" });
    expect(tls).toMatch(/^device=.*HttpOnly; Secure; SameSite=Strict$/);
    expect(await signIn({ "x-forwarded-for": "198.51.100.61", "x-forwarded-proto": "http" })).toMatch(/HttpOnly; SameSite=Strict$/);
  });

  it("with a stolen device cookie: it allows few guesses, and works for no other account", async () => {
    const device = pairOf((await tryFrom("198.51.100.3", SECOND)).cookie);
    const wrong = { ...SECOND, password: "wrong" };
    const codes: string[] = [];
    for (let n = 0; n < 11; n += 1) codes.push((await tryFrom(`198.51.100.${10 + n}`, wrong, device)).code);
    expect(codes).toEqual([...Array<string>(10).fill("ACC_BAD_CREDENTIALS"), "GEN_TOO_FREQUENT"]);
    // At another account or when altered, the value counts as an unknown device.
    const other = { ...OWNER, password: "wrong" };
    const forged = device.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    for (const [address, body, cookie] of [["198.51.100.40", other, device] as const, ["198.51.100.41", wrong, forged] as const]) {
      for (let n = 0; n < 5; n += 1) await tryFrom(address, body, cookie);
      expect((await tryFrom(address, body, cookie)).code).toBe("GEN_TOO_FREQUENT");
    }
  });

  it("with a new password has no known devices", async () => {
    const device = pairOf((await tryFrom("198.51.100.50", SECOND)).cookie);
    const changed = { ...SECOND, password: "another" };
    await server.db.kysely
      .updateTable("member")
      .set({ password_hash: await hashSecret("another") })
      .where("account", "=", "KS200002")
      .execute();
    expect((await tryFrom("198.51.100.51", changed, device)).cookie).toMatch(/^device=/);
    expect((await tryFrom("198.51.100.52", changed)).code).toBe("OK");
  });
});

describe("unknown devices", () => {
  it("of one address are throttled over all accounts, whatever X-Forwarded-For they send", async () => {
    const codes: string[] = [];
    // The sender controls the beginning of the header, the trusted proxy its end.
    const ids = [...validIds(7)];
    for (let n = 0; n < 21; n += 1) codes.push((await tryFrom(`10.0.0.${n}, 203.0.113.5`, { ...OWNER, idNumber: ids[n % 7] })).code);
    expect(codes).toEqual([...Array<string>(20).fill("ACC_BAD_CREDENTIALS"), "GEN_TOO_FREQUENT"]);
  });

  it("at one account are delayed increasingly from any address, not refused; known devices are not delayed", async () => {
    const waits: number[] = [];
    const throttle = openSignInThrottle(async (ms) => void waits.push(ms));
    for (let n = 0; n < 30; n += 1) await throttle.count({ idNumber: "A", addressKey: `a${n}`, device: null });
    expect(waits.slice(0, 3)).toEqual([250, 500, 750]);
    expect(waits.length).toBe(20);
    expect(Math.max(...waits)).toBe(4_000);
    await throttle.count({ idNumber: "A", addressKey: "home", device: "known" });
    await throttle.count({ idNumber: "B", addressKey: "home", device: null });
    expect(waits.length).toBe(20);
  });

  it("are delayed in bounded numbers", async () => {
    const ends: (() => void)[] = [];
    const throttle = openSignInThrottle(() => new Promise<void>((done) => void ends.push(done)));
    const count = (n: number) => throttle.count({ idNumber: "A", addressKey: `a${n}`, device: null });
    const attempts = Array.from({ length: 30 }, (_, n) => count(n));
    await expect.poll(() => ends.length).toBe(20);
    await expect(count(30)).rejects.toMatchObject({ code: "GEN_TOO_FREQUENT" });
    for (const end of ends) end();
    await Promise.all(attempts);
    const next = count(31);
    await expect.poll(() => ends.length).toBe(21);
    ends.at(-1)?.();
    await next;
  });

  it("in large numbers are refused as busy before password hashing exhausts the memory", async () => {
    const noThrottle = { count: async ({ claimants = [] }: Try) => claimants, release: async () => undefined };
    const handlers = sessionHandlers({ db: server.db, sessions: server.sessions, throttle: noThrottle });
    const body = { ...OWNER, password: "wrong" };
    const call = { address: "", caller: null };
    const codes = await Promise.all(
      Array.from({ length: 300 }, () => handlers.signIn(call, body).catch((error: { code: string }) => error.code)),
    );
    const busy = codes.filter((code) => code === "GEN_SYSTEM_BUSY").length;
    expect(busy).toBeGreaterThan(100);
    expect(codes.filter((code) => code === "ACC_BAD_CREDENTIALS").length).toBe(300 - busy);
    expect(await handlers.signIn(call, OWNER)).toMatchObject({ account: "KS200001" });
  });
});

it("sign-ins of one address leave room in the queue for other addresses, even with correct passwords", async () => {
  const noThrottle = { count: async ({ claimants = [] }: Try) => claimants, release: async () => undefined };
  const { signIn } = sessionHandlers({ db: server.db, sessions: server.sessions, throttle: noThrottle });
  const flood = Array.from({ length: 150 }, () =>
    signIn({ address: "198.51.100.1", caller: null }, OWNER).then(
      () => "OK",
      (error: { code: string }) => error.code,
    ),
  );
  const other = await signIn({ address: "198.51.100.2", caller: null }, server.credentials).catch((error: { code: string }) => error.code);
  expect(other).toMatchObject({ account: "KS100001" });
  expect(new Set(await Promise.all(flood))).toEqual(new Set(["OK", "GEN_SYSTEM_BUSY"]));
});

describe("an address", () => {
  const from = (remoteAddress: string, forwarded?: string) =>
    ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as never;

  it.each([
    ["no proxy is trusted", 0, "10.1.1.1", "198.51.100.1", "10.1.1.1"],
    ["one is", 1, "10.1.1.1", "198.51.100.66, 198.51.100.1", "198.51.100.1"],
    ["two are", 2, "10.1.1.1", "1.2.3.4, 198.51.100.1, 10.1.1.2", "198.51.100.1"],
    ["more are than there were", 5, "10.1.1.1", "198.51.100.1", "198.51.100.1"],
    ["its network is", ["10.0.0.0/8"], "10.1.1.1", "1.2.3.4, 198.51.100.1, 10.2.2.2", "198.51.100.1"],
    ["another network is", ["192.0.2.0/24"], "10.1.1.1", "198.51.100.1", "10.1.1.1"],
    ["it is itself, over IPv6", ["::1", "10.1.1.1"], "::ffff:10.1.1.1", "2001:db8::1", "2001:db8::1"],
    ["it forwards nonsense", 1, "10.1.1.1", "unknown", "10.1.1.1"],
    ["it forwards nothing", 1, "10.1.1.1", undefined, "10.1.1.1"],
  ] as const)("where %s", (_name, trust, remote, forwarded, expected) => {
    expect(addressFinder(trust)(from(remote, forwarded))).toBe(expected);
  });

  it("is counted by its /64 network for IPv6", () => {
    const keys = ["2001:db8:0:1::5", "2001:0DB8:0000:0001:aaaa:bbbb:cccc:dddd", "2001:db8:0:1:0:0:0:9"].map(addressKey);
    expect(new Set(keys)).toEqual(new Set(["2001:db8:0:1::/64"]));
    expect([addressKey("::1"), addressKey("10.0.0.1"), addressKey("2001:db8::1")]).toEqual([
      "0:0:0:0::/64",
      "10.0.0.1",
      "2001:db8:0:0::/64",
    ]);
  });

  it("or network in CIDR notation is recognised as valid", () => {
    expect(["10.0.0.0/8", "::1", "fd00::/8", "192.0.2.1"].map(isNetwork)).toEqual([true, true, true, true]);
    expect(["10.0.0.0/33", "10.0.0", "::/129", "10.0.0.0/8/8", "10.0.0.0/x", ""].map(isNetwork)).toEqual(Array(6).fill(false));
  });
});

describe("the security log", () => {
  it("identifies members by number and addresses by pseudonym", () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: unknown): void => void lines.push(line as Record<string, unknown>);
    let at = 0;
    const note = openSecurityLog({ info: write, warn: write } as never, () => at);
    const all: SecurityEvent[] = ["signIn", "signInRefused", "signInSlowed", "signOut"];
    for (const event of all) note(event, { memberId: 7, address: "198.51.100.1", reason: "x" });
    expect(lines.map(({ security }) => security)).toEqual(all);
    expect(new Set(lines.map(({ address }) => address)).size).toBe(1);
    expect(JSON.stringify(lines)).not.toContain("198.51");
    note("signIn", { address: "198.51.100.2" });
    expect(lines.at(-1)?.["address"]).not.toBe(lines[0]?.["address"]);
    for (let n = 0; n < 100; n += 1) note("rateLimited", { address: "198.51.100.3" });
    expect(lines.length).toBe(6);
    at += 10_000;
    note("rateLimited", { address: "198.51.100.3" });
    expect(lines.length).toBe(7);
  });
});

it("sign-in, refusal and sign-out are logged with the member's number and no other personal data", async () => {
  const noted: { event: string; facts: object | undefined }[] = [];
  const { db, sessions } = server;
  const handlers = sessionHandlers({ db, sessions, security: (event, facts) => void noted.push({ event, facts }) });
  const address = "198.51.100.90";
  const { token, account } = await handlers.signIn({ address, caller: null }, OWNER);
  await handlers.signIn({ address, caller: null }, { ...OWNER, password: "wrong" }).catch(() => null);
  const caller = await sessions.find(token, account);
  if (!caller) throw new Error("the session was not found after sign-in");
  await handlers.signOut({ address, caller }, {});
  const { memberId } = caller;
  expect(noted).toEqual([
    { event: "signIn", facts: { memberId, address } },
    { event: "signInRefused", facts: { memberId, address, reason: "ACC_BAD_CREDENTIALS" } },
    { event: "signOut", facts: { memberId, address } },
  ]);
});

/** Unused ID numbers with valid check digits. */
function* validIds(count: number): Generator<string> {
  for (let n = 20_000_000, found = 0; found < count; n += 1) {
    const id = `F1${n}`;
    if (!isIdNumber(id)) continue;
    found += 1;
    yield id;
  }
}
