/** Rate limiters: each server counts for itself, unless it is given others, which count for all servers together. */
import { RateLimiterMemory } from "rate-limiter-flexible";
import type { RateLimiterAbstract } from "rate-limiter-flexible";
import type { Rate } from "./limits.ts";

/** Counts events by key; `consume` rejects with a RateLimiterRes when there are too many. */
export type Limiter = Pick<RateLimiterAbstract, "consume" | "penalty" | "reward" | "get" | "delete">;

/** Opens a limiter. Those of one name count together where several servers do. */
export type OpenLimiter = (name: string, rate: Rate) => Limiter;

export const limitInProcess: OpenLimiter = (...[, { points, seconds }]) => new RateLimiterMemory({ points, duration: seconds });
