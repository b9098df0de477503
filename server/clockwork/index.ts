/** What happens by itself: one line for each. */
import { startAlerting } from "./alerting.ts";
import type { AlertingDeps } from "./alerting.ts";
import { startMatching } from "./matching.ts";
import type { MatchingDeps } from "./matching.ts";
import { startSweeping } from "./sweeping.ts";

export type ClockworkDeps = MatchingDeps & AlertingDeps;

/** Start the clockwork. @returns how to stop it */
export async function startClockwork(deps: ClockworkDeps): Promise<() => void> {
  const stops = [await startMatching(deps), await startAlerting(deps), await startSweeping(deps)];
  return () => {
    for (const stop of stops) stop();
  };
}
