/** Lets the queues before resting orders shorten as others cancel, and stores where the orders stand. */
import { query } from "#server/db/database.ts";
import type { Database } from "#server/db/database.ts";
import { every } from "#server/kernel/every.ts";
import { movePlaces } from "#server/trading/sequencer/queue-in-batch.ts";
import { QUEUE_STEP_MS } from "#server/trading/sequencer/queue-places.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";

export interface QueueClockDeps {
  db: Database;
  sequencer: Sequencer;
  /** Receives errors; the next run tries again. */
  report?: ((error: unknown) => void) | undefined;
  /** How the clock repeats; `every` unless a test does it by hand. */
  repeat?: typeof every;
}

const FORGET = `DELETE FROM queue_place WHERE order_no NOT IN (SELECT order_no FROM "order" WHERE status IN ('pending', 'readyToClose'))`;

/** Starts the clock. @returns a function that stops it */
export async function startQueueClock({ db, sequencer, report, repeat = every }: QueueClockDeps): Promise<() => Promise<void>> {
  await query(db.kysely, FORGET).catch((error: unknown) => report?.(error));
  return repeat(
    QUEUE_STEP_MS,
    async () => {
      const { queue } = sequencer;
      queue.step();
      queue.saved(await movePlaces(db.kysely, queue.unsaved()));
    },
    report,
  );
}
