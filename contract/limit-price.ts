/** Whether a limit price is within the day's limits, and the refusal where it is not: the ticket and the server say the same. */
import type { Kind } from "./instrument.ts";
import { PRICE_ONE } from "./kernel/money.ts";
import type { RefusalParams } from "./kernel/reply.ts";
import { step } from "./tick.ts";
import type { DayLimits } from "./tick.ts";

/** The refusal of a limit price. */
export interface LimitRefusal {
  code: "TRD_PRICE_LIMIT_EXCEEDED" | "VAL_LIMIT_PRICE_MIN";
  params: RefusalParams;
}

/**
 * A price at or below the last one under the day's limits is told its bound. Where one price is the only one, as in after-hours trading, a
 * bound would name half of the rule.
 */
export function limitRefusal(kind: Kind, limits: DayLimits | null, price: number): LimitRefusal | null {
  if (!limits || (price <= limits.up && price >= limits.down)) return null;
  const bound = step(kind, limits.down, -1);
  if (limits.up === limits.down || price > bound) return { code: "TRD_PRICE_LIMIT_EXCEEDED", params: {} };
  return { code: "VAL_LIMIT_PRICE_MIN", params: { n: String(bound / PRICE_ONE) } };
}
