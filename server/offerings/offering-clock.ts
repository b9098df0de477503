/** The clock of offerings: announces them and moves each through its phases when they are due, also those missed while the server was off. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";
import { announceOfferings } from "./announce.ts";

export interface OfferingClockDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; the step is tried again at the next tick. */
  report?: ((error: unknown) => void) | undefined;
}

/** Starts the clock. @returns a function that stops it */
export async function startOfferingClock(deps: OfferingClockDeps): Promise<() => void> {
  const { now, report } = deps;
  const known = new Set<string>();
  const tick = (): Promise<void> => announceOfferings(deps, known, now());
  await tick();
  return every(SECOND_MS, tick, report);
}
