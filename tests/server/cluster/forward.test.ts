/** Tests that calls forwarded to the leader bring the client with them, and that nobody but a follower is believed about it. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import { servedBy } from "#contract/served-by.ts";
import type { FollowerHandlers } from "#server/api/handler.ts";
import { createHttp } from "#server/api/http.ts";
import { addressFinder, tlsFinder } from "#server/api/http/address.ts";
import { openForward, trustFollowers } from "#server/api/http/forward.ts";
import type { LeaderAddress } from "#server/api/http/forward.ts";

const KEY = "the key of these servers";
const trusted = trustFollowers(KEY, addressFinder(0), tlsFinder(0));
const servers: Server[] = [];
/** What the leader was asked last. */
let asked: { request: IncomingMessage; body: string; address: string; tls: boolean } | null = null;
interface Given {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}
let answer: (request: IncomingMessage, body: string) => Given | null | Promise<Given>;
let leader: LeaderAddress | null;
let leads: LeaderAddress;
let follower: string;
let outcomes: boolean[] = [];
/** Calls that reached the follower. */
let reached = 0;
/** Where the leader was said to be when calls came back. */
let cameBack: string[] = [];

async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, "127.0.0.1"));
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const url = await listen(
    createServer((incoming, response) => {
      let body = "";
      incoming.on("data", (chunk: Buffer) => (body += chunk.toString()));
      incoming.on("end", () => {
        asked = { request: incoming, body, address: trusted.addressOf(incoming), tls: trusted.overTls(incoming) };
        void Promise.resolve(answer(incoming, body)).then((given) => {
          if (given) response.writeHead(given.status, given.headers).end(given.body);
          else incoming.socket.destroy();
        });
      });
    }),
  );
  leads = { url, key: KEY };
  // The follower's own clients come through a proxy, with their addresses.
  const [addressOf, overTls] = [addressFinder(1), tlsFinder(1)];
  const observe = (isAnswered: boolean): number => outcomes.push(isAnswered);
  const { forward } = openForward({ leader: () => leader, addressOf, overTls, observe, cameBack: (url) => cameBack.push(url) });
  const handlers = { readConfig: async () => [{ name: "title", value: "own" }] } as unknown as FollowerHandlers;
  // Every caller has a session.
  const sessions = { find: async () => null, holds: () => true, whyEnded: async () => "ACC_SESSION_EXPIRED" as const };
  const log = pino({ level: "silent" });
  const app = createHttp({ handlers, forward, sessions, clientDir: "none", log, addressOf, overTls, appOrigins: ["https://app.example"] });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.on("request", () => (reached += 1));
  follower = await listen(server);
});
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});
beforeEach(() => {
  leader = leads;
  asked = null;
  outcomes = [];
  reached = 0;
  cameBack = [];
  answer = () => ({ status: 200, headers: { "content-type": "application/json" }, body: '{"status":1}' });
});

/** Headers of the nth client, whose address few share. */
const from = (nth: number): Record<string, string> => ({ "x-forwarded-for": `203.0.113.${nth % 250}` });

/** Sends a call as it is, with any headers. */
async function call(
  url: string,
  name: EndpointName,
  headers: Record<string, string> = {},
  body = "{}",
): Promise<{ status: number; headers: IncomingMessage["headers"]; body: string }> {
  const sent = request(url + BASE_PATH + endpoints[name].path, { method: "POST", headers });
  sent.end(body);
  const [got] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of got) text += String(chunk);
  return { status: got.statusCode ?? 0, headers: got.headers, body: text };
}

test("a call that the leader serves reaches it with its body, its headers and the client's address", async () => {
  const headers = {
    host: "kuroshio.example",
    token: "t",
    account: "a",
    cookie: "device=d",
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-proto": "https",
    "user-agent": "Phone",
  };
  const body = '{"requestId":"1"}';
  expect(await call(follower, "placeOrder", headers, body)).toMatchObject({ status: 200, body: '{"status":1}' });
  expect(asked).toMatchObject({ body, address: "203.0.113.9", tls: true });
  const { host, token, account, cookie, "user-agent": agent } = headers;
  expect(asked?.request.headers).toMatchObject({ host, token, account, cookie, "user-agent": agent });
  expect(asked?.request.url).toBe(BASE_PATH + endpoints.placeOrder.path);
  expect(outcomes).toEqual([true]);
});

test("the answer comes back as it is, with its cookies, but for headers of the connection and of other origins", async () => {
  answer = () => ({
    status: 401,
    headers: {
      "content-type": "application/json",
      "set-cookie": ["device=1; Path=/", "b=2"],
      "content-encoding": "gzip",
      "access-control-allow-origin": "*",
      "access-control-allow-credentials": "true",
      "keep-alive": "timeout=5",
    },
    body: "packed",
  });
  const got = await call(follower, "readQueue", { origin: "https://app.example" });
  expect(got).toMatchObject({ status: 401, body: "packed" });
  expect(got.headers).toMatchObject({
    "set-cookie": ["device=1; Path=/", "b=2"],
    "content-encoding": "gzip",
    "access-control-allow-origin": "https://app.example",
  });
  expect(got.headers).not.toHaveProperty("access-control-allow-credentials");
});

test("without a leader, or when it vanishes in the middle, the outcome is unknown", async () => {
  answer = () => null;
  const busy = { status: 503, body: expect.stringContaining("GEN_SYSTEM_BUSY") as string };
  expect(await call(follower, "placeOrder")).toMatchObject(busy);
  leader = { url: "http://127.0.0.1:1", key: KEY };
  expect(await call(follower, "placeOrder")).toMatchObject(busy);
  expect(outcomes).toEqual([false, false]);
  leader = null;
  expect(await call(follower, "placeOrder")).toMatchObject(busy);
});

test("a call that names another host reaches the leader all the same, and nobody else sees the key", async () => {
  let strangers = 0;
  const elsewhere = await listen(
    createServer((...[, response]) => {
      strangers += 1;
      response.end("{}");
    }),
  );
  const sent = request(follower, { method: "POST", path: `${elsewhere}${BASE_PATH}${endpoints.placeOrder.path}` });
  sent.end("{}");
  const [got] = (await once(sent, "response")) as [IncomingMessage];
  got.resume();
  expect([got.statusCode, strangers]).toEqual([200, 0]);
  expect(asked?.request.url).toBe(BASE_PATH + endpoints.placeOrder.path);
});

test("clients that send slowly keep nobody waiting: a call takes a connection to the leader once it is there", async () => {
  const path = BASE_PATH + endpoints.placeOrder.path;
  const { port } = new URL(follower);
  const slow = Array.from({ length: 128 }, () => connect(Number(port), "127.0.0.1"));
  for (const one of slow) one.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n{`);
  await vi.waitUntil(() => reached === slow.length, { timeout: 5_000, interval: 5 });
  // The leader answers at once; behind the slow ones this call would wait until they are given up.
  expect(await call(follower, "placeOrder")).toMatchObject({ status: 200 });
  expect(slow.every((one) => !one.destroyed)).toBe(true);
  for (const one of slow) one.destroy();
});

test("sign-ins that the leader holds keep no member's call waiting", async () => {
  const holds = new Set<() => void>();
  answer = (incoming) => {
    if (incoming.url !== BASE_PATH + endpoints.signIn.path) return { status: 200, headers: {}, body: "{}" };
    return new Promise((done) => holds.add(() => done({ status: 200, headers: {}, body: "{}" })));
  };
  const signIns = Array.from({ length: 150 }, (_, nth) => call(follower, "signIn", from(nth)));
  await vi.waitUntil(() => reached === 150 && holds.size >= 64, { timeout: 5_000, interval: 5 });
  expect(await call(follower, "placeOrder")).toMatchObject({ status: 200 });
  const all = Promise.all(signIns);
  const freeing = setInterval(() => holds.forEach((free) => free()), 5);
  await all;
  clearInterval(freeing);
});

test("calls beyond those that may wait are refused at once, and others go on once the leader answers", async () => {
  const holds = new Set<() => void>();
  answer = () => new Promise((done) => holds.add(() => done({ status: 200, headers: {}, body: "{}" })));
  const most = 64 * 5;
  let answered = 0;
  const held = Array.from({ length: most }, (_, nth) => call(follower, "signIn", from(nth)).finally(() => (answered += 1)));
  await vi.waitUntil(() => reached === most && holds.size === 64, { timeout: 5_000, interval: 5 });
  expect(await call(follower, "signIn")).toMatchObject({ status: 503 });
  expect(answered).toBe(0);
  const freeing = setInterval(() => holds.forEach((free) => free()), 5);
  expect((await Promise.all(held)).every(({ status }) => status === 200)).toBe(true);
  expect(await call(follower, "signIn")).toMatchObject({ status: 200 });
  clearInterval(freeing);
});

test("a call that waits for a connection waits no longer than one that has one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let asks = 0;
    answer = () => {
      asks += 1;
      return new Promise(() => undefined);
    };
    const held = Array.from({ length: 65 }, (_, nth) => call(follower, "signIn", from(nth)));
    const aging = setInterval(() => vi.advanceTimersByTime(12_000), 20);
    expect((await Promise.all(held)).every(({ status }) => status === 503)).toBe(true);
    clearInterval(aging);
    // It was given up while it waited, not sent once those before it were.
    expect(asks).toBeLessThan(65);
  } finally {
    vi.useRealTimers();
  }
});

test("a body that is too long reaches the leader as none, which it refuses alike", async () => {
  expect(await call(follower, "placeOrder", {}, `"${"x".repeat(64 * 1024)}"`)).toMatchObject({ status: 200 });
  expect(asked?.body).toBe("");
});

test("an upload is sent on as it comes in", async () => {
  const body = `"${"x".repeat(200 * 1024)}"`;
  expect(await call(follower, "uploadPhoto", {}, body)).toMatchObject({ status: 200 });
  expect(asked?.body).toBe(body);
});

test("a call that was forwarded to a server that leads no more is not forwarded again", async () => {
  leader = { url: follower, key: KEY };
  expect(await call(follower, "placeOrder")).toMatchObject({ status: 503 });
  expect([reached, outcomes]).toEqual([2, [false]]);
  expect(cameBack).toEqual([follower]);
  await call(follower, "placeOrder", { "x-kuroshio-key": "a key of nobody" });
  expect(cameBack).toEqual([follower]);
});

test("what any server serves is answered by the follower itself", async () => {
  expect((await call(follower, "readConfig", {}, '{"type":"all"}')).body).toContain("own");
  expect(asked).toBeNull();
  expect(servedBy.readConfig).toBe("any");
});

test("who does not know the key is not believed about the client", async () => {
  for (const key of ["", "another key of these servs"]) {
    await call(leads.url, "placeOrder", { "x-kuroshio-key": key, "x-kuroshio-client": "203.0.113.9", "x-kuroshio-tls": "1" });
    expect(asked).toMatchObject({ address: "127.0.0.1", tls: false });
  }
});

test("every endpoint with a request id, and everything that only the leader remembers, is the leader's", () => {
  for (const [name, { body }] of Object.entries(endpoints))
    if ("requestId" in Object("shape" in body ? body.shape : {})) expect(servedBy[name as EndpointName], name).toBe("leader");
  for (const name of ["readQueue", "readRules", "listAlerts", "signIn", "signOut"] as const) expect(servedBy[name]).toBe("leader");
});
