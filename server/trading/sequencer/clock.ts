/** What the clocks of members' orders and products share: what they are given, and how one that follows batches is started. */
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { Batch } from "./batch.ts";
import type { Sequencer } from "./sequencer.ts";

export interface ClockDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Epoch milliseconds. */
  now: () => number;
  /** Reports faults; what failed is tried again at a later tick. */
  report?: ((error: unknown) => void) | undefined;
  /** Repeats the tick; tests tick by hand as well. */
  repeat?: typeof every | undefined;
}

interface FollowingClock {
  /** Sees every batch, between ticks. */
  follow(batch: Batch): void;
  tick(): Promise<void>;
  stop(): void;
}

/** Starts a clock. @returns a function that stops it, and resolves when it is at rest */
export function startClock(clock: FollowingClock, ms: number, { sequencer, repeat = every, report }: ClockDeps): () => Promise<void> {
  const stopFollowing = sequencer.onBatch((batch) => clock.follow(batch));
  const stopTicking = repeat(ms, () => clock.tick(), report);
  return () => {
    clock.stop();
    stopFollowing();
    return stopTicking();
  };
}
