/** Remembers which background jobs failed lately, for the log and for the operator's health check. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";

/** A job counts as failing this long after its last failure: longer than most wait until they try again. */
export const FAILING_MS = 10 * MINUTE_MS;
/** A job that fails at every tick is named in the log this often. */
const NAMED_EVERY_MS = MINUTE_MS;

export interface JobHealth {
  /** Notes a failure. An outage of the database is none of the job's. @returns whether the log should name the job now */
  failed(error: unknown, job: string): boolean;
  /** Tells whether no job has failed lately. */
  isGood(): boolean;
}

/** `now` in epoch milliseconds. */
export function openJobHealth(now: () => number): JobHealth {
  const failures = new Map<string, { at: number; namedAt: number }>();
  return {
    failed(error, job) {
      if (error instanceof DatabaseUnavailable) return false;
      const at = now();
      const namedAt = failures.get(job)?.namedAt ?? Number.NEGATIVE_INFINITY;
      const names = at - namedAt >= NAMED_EVERY_MS;
      failures.set(job, { at, namedAt: names ? at : namedAt });
      return names;
    },
    isGood: () => [...failures.values()].every(({ at }) => now() - at >= FAILING_MS),
  };
}
