/** A Redis in memory, for tests: its messages arrive at once, and none while it is down. */
import { limitInProcess } from "#server/kernel/limiter.ts";
import type { RedisLink } from "#server/cluster/redis-link.ts";

export interface MessageBus extends RedisLink {
  /** Loses every message until it is up again. */
  setUp(isUp: boolean): void;
}

export function openMessageBus(): MessageBus {
  const listeners = new Map<string, ((text: string) => void)[]>();
  let up = true;
  return {
    isUp: () => up,
    setUp: (isUp) => (up = isUp),
    publish(channel, text) {
      if (up) for (const listener of listeners.get(channel) ?? []) listener(text);
    },
    subscribe: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    limitersOf: () => limitInProcess,
    close: () => listeners.clear(),
  };
}
