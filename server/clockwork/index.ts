/** What happens by itself: one line for each. */
import { startMatching } from "./matching.ts";
import type { MatchingDeps } from "./matching.ts";

/** Start the clockwork. @returns how to stop it */
export async function startClockwork(deps: MatchingDeps): Promise<() => void> {
  const stops = [await startMatching(deps)];
  return () => {
    for (const stop of stops) stop();
  };
}
