/** The connection to Redis: messages to every server of a database, which are lost while Redis is away. */
import { createClient } from "@redis/client";
import { SECOND_MS } from "#contract/kernel/time.ts";

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
  close(): void;
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

/** Connects, now or as soon as Redis is there: nothing waits for it. `report` is told when it is away, once until it is back. */
export function openRedisLink(url: string, report: (error: unknown) => void): RedisLink {
  let isKnown = false;
  const failed = (error: unknown): void => {
    if (!isKnown) report(error);
    isKnown = true;
  };
  const sender = connect(url, failed);
  sender.on("ready", () => (isKnown = false));
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
    close() {
      isKnown = true;
      for (const client of [sender, ...receivers]) client.destroy();
    },
  };
}
