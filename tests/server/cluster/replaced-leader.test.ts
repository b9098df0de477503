/** Tests that a leader that may have been replaced answers nothing and tells nothing: another server may know more. */
import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endpoints } from "#contract/endpoints.ts";
import { BASE_PATH } from "#contract/kernel/endpoint.ts";
import type { Handlers } from "#server/api/handler.ts";
import { createHttp } from "#server/api/http.ts";
import { BEAT_MS, channelsOf } from "#server/cluster/message.ts";
import { openPublisher } from "#server/cluster/open-publisher.ts";
import { Publisher } from "#server/cluster/publisher.ts";
import { openRedisLink } from "#server/cluster/redis-link.ts";
import type { ServerConfig } from "#server/config.ts";
import { openMessageBus } from "#tests/support/message-bus.ts";
import { hasRedis, startRedis } from "#tests/support/redis.ts";
import { stubVenue } from "#tests/support/stub-venue.ts";
import { openTestDatabase } from "#tests/support/test-database.ts";

let leads: boolean;
beforeEach(() => {
  leads = true;
});
afterEach(() => {
  vi.useRealTimers();
});

test("a call is answered with busy, also one that it had begun to answer", async () => {
  let losesIt = false;
  let asked = 0;
  const readConfig = async () => {
    asked += 1;
    if (losesIt) leads = false;
    return [{ name: "title", value: "own" }];
  };
  const app = createHttp({
    handlers: { readConfig } as unknown as Handlers,
    leads: () => leads,
    sessions: { find: async () => null, holds: () => false, whyEnded: async () => "ACC_SESSION_EXPIRED" },
    clientDir: "none",
    log: pino({ level: "silent" }),
  });
  const call = async () => {
    const answer = await app.request(BASE_PATH + endpoints.readConfig.path, { method: "POST", body: JSON.stringify({ type: "all" }) });
    return [answer.status, (await answer.json()).code];
  };
  expect(await call()).toEqual([200, undefined]);
  losesIt = true;
  expect(await call()).toEqual([503, "GEN_SYSTEM_BUSY"]);
  losesIt = false;
  expect(await call()).toEqual([503, "GEN_SYSTEM_BUSY"]);
  expect(asked).toBe(2);
  leads = true;
  expect(await call()).toEqual([200, undefined]);
});

test("followers receive neither what happens nor a heartbeat", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const link = openMessageBus();
  const received: string[] = [];
  link.subscribe("leader", (text) => received.push(text));
  const channels = { leader: "leader", ask: "ask", limits: "limits" };
  const publisher = new Publisher({
    link,
    channels,
    epoch: 1,
    key: "key",
    leads: () => leads,
    venue: stubVenue(1),
    rowsWithOrders: () => [],
  });
  publisher.start();
  const tell = async (): Promise<number> => {
    received.length = 0;
    publisher.publish({ ended: ["a".repeat(64), "ACC_SESSION_EXPIRED"] });
    await new Promise(setImmediate);
    vi.advanceTimersByTime(BEAT_MS);
    return received.length;
  };
  expect(await tell()).toBe(2);
  leads = false;
  expect(await tell()).toBe(0);
  leads = true;
  expect(await tell()).toBe(2);
  publisher.stop();
});

test.runIf(hasRedis)("what a server publishes ends when it may no longer write to its database", async () => {
  const [redis, db] = [await startRedis(), await openTestDatabase()];
  const logFailure = (error: unknown) => {
    throw error;
  };
  const follower = openRedisLink(redis.url, logFailure);
  const received: string[] = [];
  follower.subscribe((await channelsOf(db.kysely)).leader, (text) => received.push(text));
  const publisher = await openPublisher({ redisUrl: redis.url } as ServerConfig, {
    db: { ...db, writable: () => leads },
    venue: stubVenue(1),
    sequencer: { onOrders: () => () => undefined, orderBook: { rows: () => [] } as never },
    sessions: { onEnd: () => () => undefined },
    logFailure,
  });
  const comes = () => vi.waitUntil(() => received.length > 0, { timeout: 20_000, interval: 5 });
  await comes();
  leads = false;
  // What was sent before has arrived by then.
  await wait(BEAT_MS);
  received.length = 0;
  publisher.publish({ ended: ["a".repeat(64), "ACC_SESSION_EXPIRED"] });
  await wait(3 * BEAT_MS);
  expect(received).toEqual([]);
  leads = true;
  await comes();
  publisher.stop();
  follower.close();
  await db.close();
  await redis.stop();
});
