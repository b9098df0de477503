/** Failures in the log: each once, by the first layer that catches it, however many it passes on its way up. */
import type { Logger } from "pino";

export type LogFailure = (error: unknown, message: string, facts?: Record<string, unknown>) => void;

/** Open the log of failures. Every layer of one server shares it. */
export function openFailureLog(log: Pick<Logger, "error">): LogFailure {
  const logged = new WeakSet<object>();
  return (error, message, facts = {}) => {
    if (typeof error === "object" && error !== null) {
      if (logged.has(error)) return;
      logged.add(error);
    }
    log.error({ ...facts, err: error }, message);
  };
}
