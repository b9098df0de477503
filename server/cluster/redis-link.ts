/** The connection to Redis: messages to every server of a database, which are lost while Redis is away. */
import { createHash } from "node:crypto";
import { createClient } from "@redis/client";
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { Limiter, OpenLimiter } from "#server/kernel/limiter.ts";

/** How long after a failed attempt Redis is tried again. */
const RETRY_MS = 250;
/** A connection without an answer to a ping for so long is broken. */
const PING_MS = SECOND_MS;
const SILENT_MS = 5 * SECOND_MS;

export interface RedisLink {
  /** Whether Redis answers, as far as this process knows. */
  isUp(): boolean;
  /** Sends a message; it is lost where Redis is away. */
  publish(channel: string, text: string): void;
  /** Calls the listener with each message of a channel, from now on and after every interruption. */
  subscribe(channel: string, listener: (text: string) => void): void;
  /** Opens limiters that count for all servers with the same prefix; while Redis is away each of them counts for itself. */
  limitersOf(prefix: string): OpenLimiter;
  close(): void;
}

/** What is counted may be somebody's ID number: Redis sees a hash. */
const hashed = (key: string | number): string => createHash("sha256").update(String(key)).digest("base64url").slice(0, 22);

function withHashedKeys(limiter: Limiter): Limiter {
  return {
    consume: (key, ...rest) => limiter.consume(hashed(key), ...rest),
    penalty: (key, ...rest) => limiter.penalty(hashed(key), ...rest),
    reward: (key, ...rest) => limiter.reward(hashed(key), ...rest),
    get: (key, ...rest) => limiter.get(hashed(key), ...rest),
    delete: (key, ...rest) => limiter.delete(hashed(key), ...rest),
  };
}

function connect(url: string, report: (error: unknown) => void) {
  const client = createClient({
    url,
    pingInterval: PING_MS,
    // A message that waits for Redis would arrive as if it were new.
    disableOfflineQueue: true,
    socket: { reconnectStrategy: RETRY_MS, connectTimeout: SILENT_MS, socketTimeout: SILENT_MS },
  });
  client.on("error", report);
  void client.connect().catch(report);
  return client;
}

/**
 * Opens a new connection when pings stay unanswered: every command that is sent restarts the client's own time limit, so that a
 * Redis that stands still would seem to be up, and a limit that is counted in it would never answer. @returns how to stop
 */
function watch(client: ReturnType<typeof connect>, report: (error: unknown) => void): () => void {
  let answeredAt = performance.now();
  for (const event of ["ready", "ping-interval"]) client.on(event, () => (answeredAt = performance.now()));
  const timer = setInterval(() => {
    if (!client.isReady || performance.now() - answeredAt < SILENT_MS) return;
    report(new Error("Redis does not answer a ping"));
    client.destroy();
    void client.connect().catch(report);
  }, PING_MS);
  return () => clearInterval(timer);
}

/** Connects, now or as soon as Redis is there: nothing waits for it. `report` is called when it is away, once until it is back. */
export function openRedisLink(url: string, report: (error: unknown) => void): RedisLink {
  let isKnown = false;
  const failed = (error: unknown): void => {
    if (!isKnown) report(error);
    isKnown = true;
  };
  const sender = connect(url, failed);
  sender.on("ready", () => (isKnown = false));
  const unwatch = watch(sender, failed);
  const receivers: ReturnType<typeof connect>[] = [];
  return {
    isUp: () => sender.isReady,
    publish(channel, text) {
      if (sender.isReady) void sender.publish(channel, text).catch(failed);
    },
    subscribe(channel, listener) {
      const receiver = connect(url, failed);
      receivers.push(receiver);
      let isSubscribed = false;
      // Once subscribed, the client renews the subscription by itself when it connects again.
      receiver.on("ready", () => {
        if (isSubscribed) return;
        isSubscribed = true;
        void receiver.subscribe(channel, listener).catch((error: unknown) => {
          isSubscribed = false;
          failed(error);
        });
      });
    },
    limitersOf: (prefix) => (name, rate) =>
      withHashedKeys(
        new RateLimiterRedis({
          storeClient: sender,
          useRedisPackage: true,
          rejectIfRedisNotReady: true,
          keyPrefix: `${prefix}:${name.replaceAll(" ", ":")}`,
          points: rate.points,
          duration: rate.seconds,
          insuranceLimiter: new RateLimiterMemory({ points: rate.points, duration: rate.seconds }),
        }),
      ),
    close() {
      isKnown = true;
      unwatch();
      for (const client of [sender, ...receivers]) client.destroy();
    },
  };
}
