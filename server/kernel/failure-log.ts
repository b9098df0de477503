/** Logs each error once, in the first layer that catches it. */
import type { Logger } from "pino";
import { SECOND_MS } from "#contract/kernel/time.ts";
import { DatabaseUnavailable } from "#server/db/outage.ts";

export type LogFailure = (error: unknown, message: string, facts?: Record<string, unknown>) => void;

/** Opens the failure log, shared by all layers of one server. */
export function openFailureLog(log: Pick<Logger, "error">): LogFailure {
  const logged = new WeakSet<object>();
  let outageLoggedAt = Number.NEGATIVE_INFINITY;
  return (error, message, facts = {}) => {
    if (typeof error === "object" && error !== null) {
      if (logged.has(error)) return;
      logged.add(error);
    }
    // During an outage every command fails the same way: log once a second.
    if (error instanceof DatabaseUnavailable) {
      if (performance.now() - outageLoggedAt < SECOND_MS) return;
      outageLoggedAt = performance.now();
      log.error({ reason: error.message }, "the database does not answer");
      return;
    }
    log.error({ ...facts, err: error }, message);
  };
}
