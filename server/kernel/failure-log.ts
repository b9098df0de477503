/** Failures in the log: each once, by the first layer that catches it, however many it passes on its way up. */
import type { Logger } from "pino";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";

export type LogFailure = (error: unknown, message: string, facts?: Record<string, unknown>) => void;

/** Open the log of failures. Every layer of one server shares it. */
export function openFailureLog(log: Pick<Logger, "error">): LogFailure {
  const logged = new WeakSet<object>();
  let outageLoggedAt = Number.NEGATIVE_INFINITY;
  return (error, message, facts = {}) => {
    if (typeof error === "object" && error !== null) {
      if (logged.has(error)) return;
      logged.add(error);
    }
    // While the database is gone every command fails alike: once a second is enough.
    if (error instanceof DatabaseUnavailable) {
      if (performance.now() - outageLoggedAt < SECOND_MS) return;
      outageLoggedAt = performance.now();
      log.error({ reason: error.message }, "the database does not answer");
      return;
    }
    log.error({ ...facts, err: error }, message);
  };
}
