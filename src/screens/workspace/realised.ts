/** What today's executions realised, by instrument. */
import type { OrderFill } from "#contract/fill.ts";

/** In the order of the last execution. */
export function realisedBy(fills: readonly Pick<OrderFill, "code" | "side" | "profitCents">[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { code, side, profitCents } of fills) if (side === "close") sums.set(code, (sums.get(code) ?? 0) + profitCents);
  return [...sums];
}
