/** Tests the connection to a real Redis: messages, limits that count together, and what becomes of both while it is away. */
import { createClient } from "@redis/client";
import { RateLimiterRes } from "rate-limiter-flexible";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openSignInThrottle } from "#server/api/session/sign-in-throttle.ts";
import { openRedisLink } from "#server/cluster/redis-link.ts";
import type { RedisLink } from "#server/cluster/redis-link.ts";
import type { Limiter } from "#server/kernel/limiter.ts";
import { openNetworkProxy } from "#tests/support/network-proxy.ts";
import type { NetworkProxy } from "#tests/support/network-proxy.ts";
import { hasRedis, startRedis } from "#tests/support/redis.ts";
import { uuid } from "#tests/support/uuid.ts";

describe.runIf(hasRedis)("a link to Redis", () => {
  let redis: Awaited<ReturnType<typeof startRedis>>;
  let proxy: NetworkProxy;
  let links: RedisLink[];
  let failures: unknown[];
  let prefix = "";

  beforeAll(async () => {
    redis = await startRedis();
    const { hostname, port } = new URL(redis.url);
    proxy = await openNetworkProxy(Number(port || 6379), hostname);
  });
  afterAll(async () => {
    await proxy.close();
    await redis.stop();
  });
  beforeEach(async () => {
    proxy.restore();
    prefix = `test:${uuid()}`;
    failures = [];
    links = [0, 1].map(() => openRedisLink(proxy.url.replace("http:", "redis:"), (error) => failures.push(error)));
    await vi.waitUntil(() => links.every((link) => link.isUp()), { timeout: 5_000, interval: 5 });
  });
  afterEach(() => {
    for (const link of links) link.close();
  });

  const [one, other] = [0, 1].map((nth) => () => {
    const link = links[nth];
    if (!link) throw new Error("no link");
    return link;
  }) as [() => RedisLink, () => RedisLink];
  const isFree = (limiter: Limiter, key: string): Promise<boolean> =>
    limiter.consume(key).then(
      () => true,
      (error: unknown) => {
        if (error instanceof RateLimiterRes) return false;
        throw error;
      },
    );

  it("brings messages, loses those that are sent while it is away, and goes on once it is back", async () => {
    const received: string[] = [];
    other().subscribe(prefix, (text) => received.push(text));
    const comes = (text: string) =>
      vi.waitUntil(
        () => {
          one().publish(prefix, text);
          return received.includes(text);
        },
        { timeout: 10_000, interval: 20 },
      );
    await comes("first");
    proxy.cut();
    await vi.waitUntil(() => !one().isUp(), { timeout: 5_000, interval: 5 });
    one().publish(prefix, "lost");
    // Reported once, however often it tries.
    await new Promise((done) => setTimeout(done, 700));
    expect(failures).toHaveLength(2);
    proxy.restore();
    await comes("second");
    expect(new Set(received)).toEqual(new Set(["first", "second"]));
  });

  it("counts for all servers together, by keys that tell nothing", async () => {
    const [here, there] = [one, other].map((link) => link().limitersOf(prefix)("sign-in pair", { points: 3, seconds: 60 })) as [
      Limiter,
      Limiter,
    ];
    expect([await isFree(here, "A123456789"), await isFree(there, "A123456789"), await isFree(here, "A123456789")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([await isFree(there, "A123456789"), await isFree(here, "A123456789"), await isFree(there, "B123456780")]).toEqual([
      false,
      false,
      true,
    ]);
    await here.delete("A123456789");
    expect(await isFree(there, "A123456789")).toBe(true);
    const client = await createClient({ url: redis.url }).connect();
    const keys = await client.keys(`${prefix}*`);
    client.destroy();
    expect(keys).toHaveLength(2);
    expect(keys.join()).not.toMatch(/123456/);
  });

  it("limits still, by itself, while Redis is away", async () => {
    const here = one().limitersOf(prefix)("sign-in pair", { points: 2, seconds: 60 });
    proxy.cut();
    await vi.waitUntil(() => !one().isUp(), { timeout: 5_000, interval: 5 });
    expect([await isFree(here, "a"), await isFree(here, "a"), await isFree(here, "a")]).toEqual([true, true, false]);
  });

  it("waits for no answer of a Redis that stands still, however much it is sent, and comes back", async () => {
    const here = one().limitersOf(prefix)("sign-in pair", { points: 2, seconds: 60 });
    proxy.silence();
    const sending = setInterval(() => one().publish(prefix, "beat"), 100);
    try {
      expect(await isFree(here, "a")).toBe(true);
      expect(one().isUp()).toBe(false);
      proxy.restore();
      await vi.waitUntil(() => one().isUp(), { timeout: 10_000, interval: 20 });
    } finally {
      clearInterval(sending);
    }
  }, 30_000);

  it("brakes sign-ins that go on at the next leader", async () => {
    const [first, next] = [one, other].map((link) => openSignInThrottle(async () => undefined, link().limitersOf(prefix)));
    const attempt = { idNumber: "A123456789", addressKey: "203.0.113.1", device: null, claimants: [7] };
    for (let nth = 0; nth < 5; nth += 1) expect(await first?.count(attempt)).toEqual([7]);
    await expect(next?.count(attempt)).rejects.toThrow("GEN_TOO_FREQUENT");
    await next?.release(attempt);
    expect(await first?.count(attempt)).toEqual([7]);
  });
});
