/** Looks for sessions that ended without this follower's being told, one look at a time. */
import type { SocketServer } from "#server/realtime/socket-server.ts";

export interface Recheck {
  /** Looks, unless a look is under way or ended less than `afterMs` ago. */
  unlessSince(afterMs: number): void;
  /** Looks, and once more where a look is under way: that one may have passed a session before it ended. */
  now(): void;
}

/** Nothing waits for a look. */
export function recheckOf({ recheck }: Pick<SocketServer, "recheck">): Recheck {
  let isUnderWay = false;
  let isWanted = false;
  let endedAt = -Infinity;
  const now = (): void => {
    isWanted = isUnderWay;
    if (isUnderWay) return;
    isUnderWay = true;
    void recheck().finally(() => {
      isUnderWay = false;
      endedAt = performance.now();
      if (isWanted) now();
    });
  };
  return {
    now,
    unlessSince(afterMs) {
      if (!isUnderWay && performance.now() - endedAt >= afterMs) now();
    },
  };
}
