/** Tests that neither a leader that hangs nor a client that holds its calls back keeps others from their places on the way to the leader. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { openSessions } from "#server/api/session-store.ts";
import type { SessionStore } from "#server/api/session-store.ts";
import type { FollowerHandlers } from "#server/api/handler.ts";
import { createHttp } from "#server/api/http.ts";
import { addressFinder, tlsFinder } from "#server/api/http/address.ts";
import { openForward } from "#server/api/http/forward.ts";
import type { Forwarding, LeaderAddress } from "#server/api/http/forward.ts";
import type { Database } from "#server/db/database.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";
import { LIMITS } from "#server/kernel/limits.ts";
import { DEMO_MEMBER, seed } from "#server/ops/seed.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

const SOON = { timeout: 10_000, interval: 5 };
const GUESSES = 20;
const common = {
  handlers: {} as unknown as FollowerHandlers,
  clientDir: "none",
  log: pino({ level: "silent" }),
  limits: { ...LIMITS, unknownTokensPerAddress: { points: GUESSES, seconds: 600 } },
};
const servers: Server[] = [];
let db: Database;
let sessions: SessionStore;
/** Whether the follower does not reach its database. */
let isAway: boolean;
let leader: Leader | null;
let forwarding: Forwarding;
let follower: string;
/** Calls that reached the follower. */
let reached: number;

async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A leader that answers, or lets calls hang. */
interface Leader extends LeaderAddress {
  hangs: boolean;
  /** Connections that were opened to it, and those that are open. */
  opened: number;
  open: number;
  /** Calls that it was asked. */
  asked: number;
  /** Answers the calls that hang. */
  answer(): void;
}

async function startLeader(key: string, hangs: boolean): Promise<Leader> {
  const hanging: ServerResponse[] = [];
  const server = createServer((incoming, response) => {
    started.asked += 1;
    incoming.resume().on("end", () => {
      if (started.hangs) hanging.push(response);
      else response.end('{"status":1}');
    });
  });
  const answer = (): void => hanging.forEach((response) => response.end('{"status":1}'));
  const started: Leader = { url: await listen(server), key, hangs, opened: 0, open: 0, asked: 0, answer };
  server.on("connection", (socket) => {
    started.opened += 1;
    started.open += 1;
    socket.on("close", () => (started.open -= 1));
  });
  return started;
}

beforeEach(async () => {
  db = await openTestDatabase();
  await seed(db, Date.now(), true);
  sessions = openSessions(db);
  [reached, isAway] = [0, false];
  const find: SessionStore["find"] = (...given) => (isAway ? Promise.reject(new DatabaseUnavailable("away")) : sessions.find(...given));
  // Clients come through a proxy, with their addresses.
  const [addressOf, overTls] = [addressFinder(1), tlsFinder(1)];
  forwarding = openForward({ leader: () => leader, addressOf, overTls });
  const { forward } = forwarding;
  const app = createHttp({ ...common, forward, sessions: { ...sessions, find }, addressOf, overTls });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.on("request", () => (reached += 1));
  follower = await listen(server);
});
afterEach(async () => {
  forwarding.close();
  for (const server of servers) server.closeAllConnections();
  for (const server of servers.splice(0)) server.close();
  await db.close();
});

/** Calls a server from an address. @returns the status and the text; null without an answer */
async function ask(url: string, name: EndpointName, address: string, headers: object = {}): Promise<[number, string] | null> {
  const all = { "content-type": "application/json", "x-forwarded-for": address, ...headers };
  const answer = await fetch(url + BASE_PATH + endpoints[name].path, { method: "POST", headers: all, body: "{}" }).catch(() => null);
  return answer && [answer.status, await answer.text()];
}

/** Calls the follower. @returns the status; 0 without an answer */
const call = async (name: EndpointName, address: string, headers: object = {}): Promise<number> =>
  (await ask(follower, name, address, headers))?.[0] ?? 0;

const { account } = DEMO_MEMBER;
const invented = (nth: number) => ({ token: String(nth).padStart(43, "x"), account });

/** Signs the demo member in. */
async function signIn(): Promise<{ memberId: number; headers: { token: string; account: string } }> {
  const { id } = await db.kysely.selectFrom("member").select("id").where("account", "=", account).executeTakeFirstOrThrow();
  const { token } = await openSessions(db).open(id, "test");
  return { memberId: id, headers: { token, account } };
}

test("calls to a leader that hangs end once another one leads, and keep none of its calls from it", async () => {
  const [old, next] = [await startLeader("old", true), await startLeader("next", false)];
  leader = old;
  const most = 64 * 5;
  const held = Array.from({ length: most }, (_, nth) => call("signIn", `203.0.113.${nth % 250}`));
  await vi.waitUntil(() => reached === most && old.asked === 64, SOON);
  leader = next;
  // The call itself finds the new leader.
  expect(await call("signIn", "203.0.113.1")).toBe(200);
  expect(new Set(await Promise.all(held))).toEqual(new Set([503]));
  await vi.waitUntil(() => old.open === 0, SOON);
  // Those that waited went nowhere.
  expect(old).toMatchObject({ opened: 64, asked: 64 });
  expect(next).toMatchObject({ asked: 1 });
});

test("without another call, calls to a leader that hangs end as soon as it leads no more", async () => {
  const old = await startLeader("old", true);
  leader = old;
  const held = Array.from({ length: 70 }, (_, nth) => call("signIn", `203.0.113.${nth}`));
  await vi.waitUntil(() => reached === 70 && old.asked === 64, SOON);
  forwarding.check();
  expect(old.open).toBe(64);
  leader = null;
  forwarding.check();
  expect(new Set(await Promise.all(held))).toEqual(new Set([503]));
  await vi.waitUntil(() => old.open === 0, SOON);
  expect(old).toMatchObject({ opened: 64, asked: 64 });
});

test.each([
  ["address", () => "203.0.113.1", "203.0.113.2"],
  ["IPv6 network", (nth: number) => `2001:db8:1:2::${nth.toString(16)}`, "2001:db8:1:3::1"],
])("the calls of one %s take no more than half of the connections", async (_name, addressOf, another) => {
  const one = await startLeader("one", true);
  leader = one;
  const statuses: number[] = [];
  const held = Array.from({ length: 70 }, async (_, nth) => statuses.push(await call("signIn", addressOf(nth))));
  await vi.waitUntil(() => statuses.length === 70 - 32 && one.asked === 32, SOON);
  expect(new Set(statuses)).toEqual(new Set([503]));
  one.hangs = false;
  expect(await call("signIn", another)).toBe(200);
  // What was held comes free again.
  one.answer();
  await Promise.all(held);
  expect(statuses.filter((status) => status === 200)).toHaveLength(32);
  expect(await call("signIn", addressOf(0))).toBe(200);
});

test("calls without a live session are refused by the follower as by the leader, and reach no leader", async () => {
  const hanging = await startLeader("hanging", true);
  leader = hanging;
  const own = createHttp({ ...common, sessions: openSessions(db), addressOf: addressFinder(1) });
  const real = await listen(createAdaptorServer({ fetch: own.fetch }) as Server);
  const { headers: out, memberId } = await signIn();
  await openSessions(db).revokeAll(memberId, null);
  const { headers: banned } = await signIn();
  const refusedAlike = async (name: EndpointName, code: string, headers: object): Promise<void> => {
    const answer = await ask(follower, name, "203.0.113.1", headers);
    expect(answer).toEqual([401, expect.stringContaining(code)]);
    expect(answer).toEqual(await ask(real, name, "203.0.113.1", headers));
  };
  for (const name of ["placeOrder", "readRules", "uploadPhoto"] as const)
    for (const headers of [{}, invented(1), out, { token: "t", account }]) await refusedAlike(name, "ACC_SESSION_EXPIRED", headers);
  await db.kysely
    .updateTable("member")
    .set({ restrictions: ["banned"] })
    .where("id", "=", memberId)
    .execute();
  await refusedAlike("placeOrder", "ACC_BANNED", banned);
  expect(hanging.asked).toBe(0);
});

test("an address that invents tokens is refused before any lookup, and a member who shares it is not", async () => {
  leader = await startLeader("one", false);
  const { headers } = await signIn();
  expect(await call("placeOrder", "203.0.113.1", headers)).toBe(200);
  for (let nth = 0; nth < GUESSES; nth += 1) expect(await call("placeOrder", "203.0.113.1", invented(nth))).toBe(401);
  isAway = true;
  expect((await ask(follower, "placeOrder", "203.0.113.1", invented(0)))?.[1]).toContain("GEN_TOO_FREQUENT");
  expect(await ask(follower, "placeOrder", "203.0.113.1", headers)).toEqual([200, '{"status":1}']);
});

test("without its database a follower sends the calls of sessions in memory on, and knows the outcome of no other", async () => {
  leader = await startLeader("one", false);
  const [known, unknown] = [await signIn(), await signIn()];
  expect(await call("placeOrder", "203.0.113.1", known.headers)).toBe(200);
  isAway = true;
  expect(await call("placeOrder", "203.0.113.1", known.headers)).toBe(200);
  expect(await call("placeOrder", "203.0.113.1", unknown.headers)).toBe(503);
});

test("uploads that only begin, without a session, keep no member from uploading", async () => {
  leader = await startLeader("one", false);
  const { headers } = await signIn();
  const { port } = new URL(follower);
  const idle = Array.from({ length: 40 }, () => connect(Number(port), "127.0.0.1"));
  idle.forEach((one, nth) => {
    const from = `X-Forwarded-For: 203.0.113.${nth}`;
    one.write(`POST ${BASE_PATH}${endpoints.uploadPhoto.path} HTTP/1.1\r\nHost: a\r\n${from}\r\nContent-Length: 5\r\n\r\n`);
  });
  await vi.waitUntil(() => reached === idle.length, SOON);
  expect(await call("uploadPhoto", "203.0.113.99", headers)).toBe(200);
  for (const one of idle) one.destroy();
});
