/** The highest price an order can trade at: the broker reserves money for it, and the ticket shows the same amount. */
import type { Kind } from "./instrument.ts";
import type { Direction } from "./order.ts";
import { toTick } from "./tick.ts";
import type { DayLimits } from "./tick.ts";

/** Without a daily limit, an order is bounded at this percentage of the highest known price. */
const UNLIMITED_BOUND_PERCENT = 110;

/**
 * The highest price an order can trade at, in price units. `prices` are the prices it may meet: the last, the ask and those of its planned
 * fills; unknown ones are 0. Null while none is known.
 */
export function priceBound(
  kind: Kind,
  { direction, limit }: { direction: Direction; limit: number | null },
  limits: DayLimits | null,
  prices: readonly number[],
): number | null {
  if (limit !== null && direction === "rise") return limit;
  if (limits) return limits.up;
  const highest = Math.max(limit ?? 0, ...prices);
  return highest > 0 ? toTick(kind, Math.ceil((highest * UNLIMITED_BOUND_PERCENT) / 100)) : null;
}
