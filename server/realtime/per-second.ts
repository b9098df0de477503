/** A limit of so much a second, for what one connection does. */
import { SECOND_MS } from "#contract/kernel/time.ts";

/** Allows things that cost up to `most` together in any second counted from the first of them. */
export function perSecond(most: number): (cost: number) => boolean {
  let since = 0;
  let count = 0;
  return (cost) => {
    const now = Date.now();
    if (now - since >= SECOND_MS) {
      since = now;
      count = 0;
    }
    count += cost;
    return count <= most;
  };
}
