/** Tests passkeys: added with the password, good for signing in, and whatever a hostile client sends is refused without telling anything. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { Answer, Asked, EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { cents } from "#contract/kernel/money.ts";
import type { Reply } from "#contract/kernel/reply.ts";
import { PASSKEYS_KEPT } from "#contract/passkey.ts";
import type { CreatedPasskey, UsedPasskey } from "#contract/passkey.ts";
import { createMember } from "#server/accounts/new-member.ts";
import { CHALLENGE_MS, openChallenges } from "#server/accounts/passkey-challenge.ts";
import { pageOrigin } from "#server/api/http/page-origin.ts";
import { openAuthenticator } from "#tests/support/authenticator.ts";
import type { Authenticator, Bent } from "#tests/support/authenticator.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";

const PASSWORD = "a password of their own";
const EVIL = "https://kuroshio.example";

let server: TestServer;
/** As a browser names it: passkeys need a host name. */
let origin: string;
beforeAll(async () => {
  server = await startTestServer({ trustProxy: 1, demo: "shared" });
  origin = `http://localhost:${new URL(server.url).port}`;
});
afterAll(() => server.stop());

interface From {
  as?: Headers;
  /** Null for no browser's call. */
  page?: string | null;
  address?: string;
}
async function ask<Name extends EndpointName>(name: Name, body: Asked<Name>, from: From = {}): Promise<Reply<Answer<Name>>> {
  const { as = {}, page = origin, address = "198.51.100.1" } = from;
  const headers = { "x-forwarded-for": address, ...as, ...(page === null ? {} : { origin: page }) };
  const path = `${page === null ? server.url : origin}${BASE_PATH}${endpoints[name].path}`;
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as Reply<Answer<Name>>;
}
function dataOf<Data>(reply: Reply<Data>): Data {
  if (reply.status !== 1) throw new Error(reply.code);
  return reply.data;
}
const codeOf = (reply: Reply<unknown>): string => (reply.status === 1 ? "OK" : reply.code);

let made = 0;
interface Person extends Headers {
  id: number;
}
async function newPerson(): Promise<Person> {
  made += 1;
  const account = `KS${500_000 + made}`;
  const person = { account, idNumber: account, name: "測試", password: PASSWORD, guaranteeCode: "424242", identity: "verified" as const };
  const id = await createMember(server.db, { ...person, depositCents: cents(0), at: Date.now() });
  return { id, account, token: (await server.sessions.open(id, "test")).token };
}
const start = async (as: Headers) => dataOf(await ask("startPasskey", { current: PASSWORD }, { as: headersOf(as) }));
const headersOf = ({ token, account }: Headers): Headers => ({ token, account });
const addMade = (as: Headers, passkey: CreatedPasskey, name = "My phone") => ask("addPasskey", { name, passkey }, { as: headersOf(as) });
async function add(as: Headers, authenticator: Authenticator, bent: Bent = {}) {
  return addMade(as, authenticator.make((await start(as)).challenge, origin, bent));
}
const challenge = async (): Promise<string> => dataOf(await ask("startPasskeySignIn", {})).challenge;
const signInWith = (passkey: UsedPasskey, from: From = {}) => ask("signInWithPasskey", { passkey }, from);

describe("a passkey", () => {
  it("is added with the password, named, used to sign in, renamed and removed", async () => {
    const [me, authenticator] = [await newPerson(), openAuthenticator()];
    const as = headersOf(me);
    expect(await ask("startPasskey", { current: "wrong" }, { as })).toMatchObject({ code: "PWD_ORIGINAL_WRONG", field: "current" });
    const added = dataOf(await add(me, authenticator));
    expect(added).toMatchObject({ name: "My phone", lastUsedAt: null, synced: false });
    expect((await start(me)).excludeCredentials).toEqual([{ id: authenticator.id, type: "public-key" }]);

    const session = dataOf(await signInWith(authenticator.use(await challenge(), origin)));
    expect(session.account).toBe(me.account);
    expect((await server.post("restoreSession", "{}", { token: session.token, account: session.account })).http).toBe(200);

    expect(codeOf(await ask("renamePasskey", { id: added.id, name: "  " }, { as }))).toBe("VAL_PASSKEY_NAME");
    expect(dataOf(await ask("renamePasskey", { id: added.id, name: " Work phone " }, { as })).name).toBe("Work phone");
    const [listed] = dataOf(await ask("listPasskeys", {}, { as }));
    expect(listed).toMatchObject({ id: added.id, name: "Work phone" });
    expect(listed?.lastUsedAt).toBeGreaterThan(0);
    expect(codeOf(await ask("removePasskey", { id: added.id }, { as }))).toBe("OK");
    const { items } = dataOf(await ask("listMessages", { cursor: null }, { as }));
    expect(items.flatMap(({ notice }) => notice ?? [])).toEqual([
      { about: "passkeyRemoved", values: { name: "Work phone" } },
      { about: "passkeyAdded", values: { name: "My phone" } },
    ]);
    expect(codeOf(await signInWith(authenticator.use(await challenge(), origin)))).toBe("PASSKEY_REFUSED");
  });

  it("is nobody else's to see, rename or remove", async () => {
    const [me, other] = [await newPerson(), await newPerson()];
    const { id } = dataOf(await add(me, openAuthenticator()));
    const as = headersOf(other);
    expect(dataOf(await ask("listPasskeys", {}, { as }))).toEqual([]);
    for (const one of [id, 999_999_999]) {
      expect(codeOf(await ask("renamePasskey", { id: one, name: "mine" }, { as }))).toBe("GEN_NOT_FOUND");
      expect(codeOf(await ask("removePasskey", { id: one }, { as }))).toBe("GEN_NOT_FOUND");
    }
  });

  it("of a member who may not sign in is refused with that reason, and a shared member has none", async () => {
    const [me, authenticator] = [await newPerson(), openAuthenticator()];
    dataOf(await add(me, authenticator));
    await server.db.kysely
      .updateTable("member")
      .set({ restrictions: ["banned"] })
      .where("id", "=", me.id)
      .execute();
    expect(codeOf(await signInWith(authenticator.use(await challenge(), origin)))).toBe("ACC_BANNED");
    const shared = await server.enter();
    expect(codeOf(await ask("startPasskey", { current: PASSWORD }, { as: shared }))).toBe("ACC_SHARED");
    expect(codeOf(await addMade(shared, authenticator.make("x", origin)))).toBe("ACC_SHARED");
    expect(codeOf(await ask("removePasskey", { id: 1 }, { as: shared }))).toBe("ACC_SHARED");
  });

  it("is added once when two members add it at the same moment, and there are ten at most", async () => {
    const people = [await newPerson(), await newPerson()];
    const ids = [openAuthenticator("c2FtZQ"), openAuthenticator("c2FtZQ")];
    const challenges: string[] = [];
    for (const person of people) challenges.push((await start(person)).challenge);
    const both = await Promise.all(
      people.map((person, nth) => addMade(person, ids[nth]?.make(challenges[nth] ?? "", origin) as CreatedPasskey)),
    );
    expect(both.map(codeOf).toSorted()).toEqual(["OK", "PASSKEY_EXISTS"]);

    const me = await newPerson();
    for (let n = 0; n < PASSKEYS_KEPT; n += 1) expect(codeOf(await add(me, openAuthenticator()))).toBe("OK");
    expect(await ask("startPasskey", { current: PASSWORD }, { as: headersOf(me) })).toMatchObject({
      code: "GEN_LIST_FULL",
      params: { n: PASSKEYS_KEPT },
    });
  });

  it("needs a page of this server with a host name", async () => {
    const { port } = new URL(server.url);
    for (const page of [null, EVIL, `http://127.0.0.1:${port}`]) {
      expect(codeOf(await ask("startPasskeySignIn", {}, { page }))).toBe("PASSKEY_UNAVAILABLE");
    }
    expect(pageOrigin("https://broker.example", "broker.example", [])).toBe("https://broker.example");
    expect(pageOrigin("https://broker.example.other.example", "broker.example", [])).toBeNull();
    expect(pageOrigin("https://broker.example/", "broker.example", [])).toBeNull();
    expect(pageOrigin("app://shell", "broker.example", ["app://shell"])).toBe("app://shell");
  });
});

describe("hostile", () => {
  /** One answer of an authenticator, with one thing about it wrong. */
  const BENT: [string, Bent][] = [
    ["made for another page", { origin: EVIL }],
    ["made for another host", { host: "kuroshio.example" }],
    ["without a check of the person", { verified: false }],
    ["inside another page", { crossOrigin: true }],
    ["with a made-up challenge", { challenge: "bWFkZSB1cA" }],
  ];

  it("answers to a sign-in are refused, all in the same words", async () => {
    const [me, other] = [await newPerson(), await newPerson()];
    const [mine, others] = [openAuthenticator(), openAuthenticator()];
    dataOf(await add(me, mine));
    dataOf(await add(other, others));
    const good = (bent: Bent = {}) => challenge().then((fresh) => mine.use(fresh, origin, bent));
    const refused: Reply<unknown>[] = [];
    const from = { address: "198.51.100.2" };
    const send = async (passkey: UsedPasskey, page: string = origin) => void refused.push(await signInWith(passkey, { ...from, page }));
    for (const [, bent] of [...BENT, ["as if it made one", { type: "webauthn.create" }] as const]) await send(await good(bent));
    await send(await good({ userHandle: "c29tZWJvZHkgZWxzZQ" }));
    await send(openAuthenticator().use(await challenge(), origin));
    await send(openAuthenticator(mine.id).use(await challenge(), origin));
    const swapped = await good();
    await send({ ...swapped, id: others.id, rawId: others.id });
    await send(mine.use((await start(me)).challenge, origin));
    for (const rubbish of ["e30", "bnVsbA", "Ww", "AAAA"]) {
      const one = await good();
      await send({ ...one, response: { ...one.response, clientDataJSON: rubbish } });
      const two = await good();
      await send({ ...two, response: { ...two.response, authenticatorData: rubbish } });
    }
    expect(refused.length).toBe(19);
    for (const reply of refused) expect(reply).toEqual(refused[0]);
    expect(refused[0]).toMatchObject({ code: "PASSKEY_REFUSED", params: {} });
    expect(codeOf(await signInWith(await good(), from))).toBe("OK");
  });

  it("repeats are refused: a challenge is good once, and the authenticator's count never goes back", async () => {
    const [me, authenticator] = [await newPerson(), openAuthenticator()];
    const from = { address: "198.51.100.3" };
    dataOf(await add(me, authenticator));
    const used = authenticator.use(await challenge(), origin, { counter: 7 });
    const twice = await Promise.all([signInWith(used, from), signInWith(used, from)]);
    expect(twice.map(codeOf).toSorted()).toEqual(["OK", "PASSKEY_REFUSED"]);
    for (const [counter, code] of [[7, "PASSKEY_REFUSED"] as const, [3, "PASSKEY_REFUSED"] as const, [8, "OK"] as const]) {
      expect(codeOf(await signInWith(authenticator.use(await challenge(), origin, { counter }), from))).toBe(code);
    }
  });

  it("passkeys are not added", async () => {
    const [me, other] = [await newPerson(), await newPerson()];
    const authenticator = openAuthenticator();
    const chain = new Map<string, unknown>([
      ["alg", -7],
      ["sig", new Uint8Array(8)],
      ["x5c", [new Uint8Array(8)]],
    ]);
    const refused = [];
    for (const [, bent] of [...BENT, ["with a chain to fetch", { format: "packed", statement: chain }] as const])
      refused.push(await add(me, authenticator, bent));
    refused.push(
      await add(me, authenticator, { format: "apple", statement: chain }),
      await add(me, authenticator, { type: "webauthn.get" }),
    );
    refused.push(await addMade(me, authenticator.make((await start(other)).challenge, origin)));
    refused.push(await addMade(me, authenticator.make(await challenge(), origin)));
    const honest = authenticator.make((await start(me)).challenge, origin);
    refused.push(await addMade(me, { ...honest, id: openAuthenticator().id }));
    refused.push(await addMade(me, honest));
    const rubbish = authenticator.make((await start(me)).challenge, origin);
    refused.push(await addMade(me, { ...rubbish, response: { ...rubbish.response, attestationObject: "oA" } }));
    expect(refused.map(codeOf)).toEqual(refused.map(() => "PASSKEY_INVALID"));
    expect(dataOf(await ask("listPasskeys", {}, { as: headersOf(me) }))).toEqual([]);
  });

  it("attempts of one address and guesses at the password are limited", async () => {
    const me = await newPerson();
    const from = { address: "198.51.100.4" };
    const codes = [];
    for (let n = 0; n < 61; n += 1) codes.push(codeOf(await ask("startPasskeySignIn", {}, from)));
    expect(codes.at(-2)).toBe("OK");
    expect(codes.at(-1)).toBe("GEN_TOO_FREQUENT");
    expect(codeOf(await ask("startPasskeySignIn", {}, { address: "198.51.100.5" }))).toBe("OK");
    const guesses = [];
    for (let n = 0; n < 6; n += 1) guesses.push(codeOf(await ask("startPasskey", { current: "guessed" }, { as: headersOf(me) })));
    expect(guesses.slice(-2)).toEqual(["PWD_ORIGINAL_WRONG", "GEN_TOO_FREQUENT"]);
    const change = { current: PASSWORD, password: "violet-harbour", confirmation: "violet-harbour" };
    expect(codeOf(await ask("changePassword", change, { as: headersOf(me) }))).toBe("GEN_TOO_FREQUENT");
  });
});

it("a challenge is good once, for its purpose, page and session, for five minutes, and a session has one", () => {
  const clock = { now: 0 };
  const challenges = openChallenges(() => clock.now);
  const bond = { purpose: "add", origin: EVIL, sessionHash: "one" } as const;
  const first = challenges.give(bond);
  const second = challenges.give(bond);
  expect([challenges.take(first, bond), challenges.take(second, bond), challenges.take(second, bond)]).toEqual([false, true, false]);
  for (const other of [
    { ...bond, purpose: "signIn" as const },
    { ...bond, origin: "https://other.example" },
    { ...bond, sessionHash: "two" },
    { ...bond, sessionHash: null },
  ]) {
    const given = challenges.give(bond);
    expect([challenges.take(given, other), challenges.take(given, bond)]).toEqual([false, false]);
  }
  const late = challenges.give(bond);
  clock.now += CHALLENGE_MS;
  expect(challenges.take(late, bond)).toBe(false);
});
