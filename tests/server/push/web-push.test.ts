/** Tests Web Push end to end: a real server, an order filled over HTTP, and a push service that decrypts what it gets and checks the sender. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Asked } from "#contract/endpoints.ts";
import { RequestId } from "#contract/kernel/id.ts";
import { DAY_MS } from "#contract/kernel/time.ts";
import { MAX_PUSH_SUBSCRIPTIONS } from "#contract/push-subscription.ts";
import type { PushLanguage } from "#contract/push-subscription.ts";
import { query } from "#server/db/database.ts";
import { PUSH_LIMITS } from "#server/push/outbox.ts";
import { openSubscriptions } from "#server/push/subscriptions.ts";
import { startTestServer } from "#tests/support/server.ts";
import type { Headers, TestServer } from "#tests/support/server.ts";
import { startPushService } from "./push-service.ts";
import type { PushService, Subscriber } from "./push-service.ts";

const CONTACT = "mailto:operator@kuroshio.example";
let server: TestServer;
let service: PushService;
let member: Headers;

beforeAll(async () => {
  service = await startPushService();
  server = await startTestServer({
    commandsPerSecond: 100_000,
    venue: { seed: 1, rate: 100, hours: "always" },
    push: { contact: CONTACT, allowLoopback: true, limits: { ...PUSH_LIMITS, burstMs: 100, retryMs: [50, 50] } },
  });
});
beforeEach(async () => {
  member = await server.enter();
});
afterEach(() => query(server.db.kysely, "DELETE FROM push_subscription"));
afterAll(async () => {
  await server.stop();
  await service.stop();
});

async function subscribe(language: PushLanguage = "zh-TW", as = member): Promise<Subscriber> {
  const subscriber = service.subscribe();
  const { endpoint, p256dh, auth } = subscriber;
  expect((await server.call("subscribePush", { endpoint, p256dh, auth, language }, as)).status).toBe(1);
  return subscriber;
}

/** An order that the market fills at once, for one lot of a share so cheap that the demo member can buy all the lots of this file. */
async function buy(over: Partial<Asked<"placeOrder">> = {}): Promise<string> {
  const order = {
    requestId: RequestId.parse(randomUUID()),
    code: "1101",
    direction: "rise",
    pricing: "market",
    price: null,
    lots: 1,
    ...over,
  };
  const reply = await server.call("placeOrder", order as Asked<"placeOrder">, member);
  if (reply.status !== 1) throw new Error(reply.msg);
  return reply.data.orderNo;
}

const stored = (): Promise<{ endpoint: string }[]> => query(server.db.kysely, "SELECT endpoint FROM push_subscription ORDER BY created_at");

it("a fill reaches the browser: encrypted, signed with the server's key, in the member's language, without balances", async () => {
  const subscriber = await subscribe();
  const english = await subscribe("en", await server.enter());
  const key = await server.call("readPushKey", {}, member);
  const orderNo = await buy({ code: "2330" });
  await expect.poll(() => [subscriber.received.length, english.received.length], { timeout: 10_000 }).toEqual([1, 1]);
  const [got] = subscriber.received;
  expect(got?.payload).toEqual({
    title: expect.stringMatching(/^台積電 買進成交 1張 @ [\d,.]+$/),
    text: `委託書號 ${orderNo}`,
    route: `/trade/positionDetail?orderNo=${orderNo}`,
    tag: `${orderNo} buy fill`,
    urgent: false,
  });
  expect(english.received[0]?.payload).toMatchObject({ title: expect.stringMatching(/Buy filled, 1 lot at/), text: `Order ${orderNo}` });
  expect(got?.key).toBe(key.status === 1 ? key.data.key : "");
  expect(got?.claims).toMatchObject({ aud: service.url, sub: CONTACT });
  expect(got?.claims.exp).toBeLessThanOrEqual(Date.now() / 1000 + 24 * 3600);
  expect(got?.headers).toMatchObject({ ttl: "3600", urgency: "normal", "content-encoding": "aes128gcm" });
  // The push service reads the topic: it must not tell the order.
  expect(got?.headers["topic"]).toMatch(/^[\w-]{32}$/);
  expect(Buffer.from(String(got?.headers["topic"]), "base64url").toString()).not.toMatch(/buy|fill/);
});

it("the key stays the same after a restart, and its private half is in no reply", async () => {
  const key = await server.call("readPushKey", {}, member);
  const [kept] = await query<{ public_key: string; private_key: string }>(server.db.kysely, "SELECT public_key, private_key FROM push_key");
  expect(key).toMatchObject({ data: { key: kept?.public_key } });
  expect(JSON.stringify(key)).not.toContain(kept?.private_key);
  expect(Buffer.from(kept?.public_key ?? "", "base64url")).toHaveLength(65);
});

it("a busy push service is tried again, one that fails for good is not, and none delays an order", async () => {
  const subscriber = await subscribe();
  subscriber.replies.push(503, 429);
  await buy();
  await expect.poll(() => subscriber.received.length, { timeout: 10_000 }).toBe(1);
  expect(subscriber.requests).toBe(3);
  subscriber.replies.push(400);
  await buy();
  await expect.poll(() => subscriber.requests, { timeout: 10_000 }).toBe(4);
  subscriber.replies.push(500, 500, 500, 500);
  await buy();
  await expect.poll(() => subscriber.requests, { timeout: 10_000 }).toBe(7);
  expect(subscriber.received).toHaveLength(1);
});

it.each([404, 410])("a subscription that its push service answers with %i is removed", async (status) => {
  const subscriber = await subscribe();
  subscriber.replies.push(status);
  await buy();
  await expect.poll(stored, { timeout: 10_000 }).toEqual([]);
});

it("signing out, and unsubscribing, end it; another session's goes on", async () => {
  const other = await server.enter();
  const [left, quiet, right] = [await subscribe(), await subscribe("en", other), await subscribe("en", await server.enter())];
  expect((await server.call("unsubscribePush", { endpoint: quiet.endpoint }, other)).status).toBe(1);
  await server.call("signOut", {}, member);
  await expect.poll(stored).toEqual([{ endpoint: right.endpoint }]);
  member = await server.enter();
  await buy();
  await expect.poll(() => right.received.length, { timeout: 10_000 }).toBe(1);
  expect([left.requests, quiet.requests]).toEqual([0, 0]);
});

it("a notification that is tried again never reaches who signed in to the browser meanwhile", async () => {
  const subscriber = await subscribe();
  const { endpoint, p256dh, auth } = subscriber;
  subscriber.replies.push(503);
  const { promise: held, resolve: answer } = Promise.withResolvers<void>();
  subscriber.held = held;
  const other = await server.enter("unverified");
  await buy();
  await expect.poll(() => subscriber.requests, { timeout: 10_000 }).toBe(1);
  expect((await server.call("subscribePush", { endpoint, p256dh, auth, language: "en" }, other)).status).toBe(1);
  // Only now does the first attempt fail. What is tried again later is tried after it.
  answer();
  const later = await subscribe();
  later.replies.push(503, 503);
  await buy();
  await expect.poll(() => later.received.length, { timeout: 10_000 }).toBe(1);
  expect([subscriber.requests, subscriber.received.length]).toEqual([1, 0]);
});

it("a session keeps its newest, and leaves those of other sessions alone", async () => {
  const others = await subscribe("en", await server.enter());
  await subscribe();
  const newest = await subscribe();
  expect(await stored()).toEqual([{ endpoint: others.endpoint }, { endpoint: newest.endpoint }]);
});

it("the same browser is one", async () => {
  const { endpoint, p256dh, auth } = await subscribe();
  expect((await server.call("subscribePush", { endpoint, p256dh, auth, language: "xh" }, await server.enter())).status).toBe(1);
  expect(await stored()).toEqual([{ endpoint }]);
});

it("a member with very many sessions, as the shared one, keeps the newest hundred", async () => {
  const { kysely } = server.db;
  const at = Date.now();
  const { id } = await kysely.selectFrom("member").select("id").where("account", "=", member.account).executeTakeFirstOrThrow();
  const hashes = Array.from({ length: MAX_PUSH_SUBSCRIPTIONS + 2 }, (_, nth) => `visitor ${nth}`);
  const session = {
    member_id: id,
    address: "test",
    created_at: at,
    expires_at: at + DAY_MS,
    revoked_at: null,
    device: "",
    last_used_at: null,
  };
  await kysely
    .insertInto("session")
    .values(hashes.map((hash) => ({ ...session, hash })))
    .execute();
  let now = at;
  const store = await openSubscriptions(server.db, () => (now += 1));
  for (const hash of hashes) {
    await store.put({ memberId: id, sessionHash: hash }, { endpoint: hash, p256dh: "", auth: "", language: "en" });
  }
  expect(await stored()).toEqual(hashes.slice(2).map((endpoint) => ({ endpoint })));
  await kysely.deleteFrom("session").where("hash", "in", hashes).execute();
});

it.each([
  ["http", "push.example/a"],
  ["https", "10.0.0.1/a"],
  ["https", "push.example:8443/a"],
  ["https", "localhost/a"],
  ["ftp", "push.example/"],
])("an endpoint like %s, %s is refused", async (scheme, rest) => {
  const { p256dh, auth } = service.subscribe();
  expect(await server.call("subscribePush", { endpoint: `${scheme}://${rest}`, p256dh, auth, language: "en" }, member)).toMatchObject({
    status: 0,
    code: "GEN_PARAM_ERROR",
  });
  expect(await stored()).toEqual([]);
});
