/** Rate limiters: each server counts for itself, unless it is given others, which count for all servers together. */
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { RateLimiterAbstract } from "rate-limiter-flexible";
import type { Rate } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** Counts events by key; `consume` rejects with a RateLimiterRes when there are too many. */
export type Limiter = Pick<RateLimiterAbstract, "consume" | "penalty" | "reward" | "get" | "delete">;

/** Opens a limiter. Those of one name count together where several servers do. */
export type OpenLimiter = (name: string, rate: Rate) => Limiter;

export const limitInProcess: OpenLimiter = (...[, { points, seconds }]) => new RateLimiterMemory({ points, duration: seconds });

/** Counts an event. @throws Refusal `GEN_TOO_FREQUENT` */
export async function countOrRefuse<Key extends string | number>(
  limiter: { consume(key: Key): Promise<unknown> },
  key: Key,
): Promise<void> {
  await limiter.consume(key).catch((error: unknown) => {
    throw error instanceof RateLimiterRes ? new Refusal("GEN_TOO_FREQUENT") : error;
  });
}
