/** A per-second rate limit for one connection. */
import { SECOND_MS } from "#contract/kernel/time.ts";

/** Returns a check that allows a total cost of `limit` per second; a window starts with its first call. */
export function perSecond(limit: number): (cost: number) => boolean {
  let since = 0;
  let count = 0;
  return (cost) => {
    const now = Date.now();
    if (now - since >= SECOND_MS) {
      since = now;
      count = 0;
    }
    count += cost;
    return count <= limit;
  };
}
