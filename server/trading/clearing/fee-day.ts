/** What is done at the start of each day that fees count, before anything is decided on it. */
import { DatabaseUnavailable } from "#server/db/outage.ts";
import type { Sequencer, StartOfDay } from "#server/trading/sequencer/sequencer.ts";
import type { Venue } from "#server/venue/venue.ts";

export interface FeeDayDeps {
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports faults; days that were not counted are counted with the next one. */
  report?: ((error: unknown) => void) | undefined;
}

type Serve = Parameters<StartOfDay["work"]>[0];

/** Does a part of the work, or each of its items alone if it fails together: one that fails keeps neither the others nor the day from it. */
export async function eachPart<Item>(
  parts: readonly Item[][],
  run: (items: readonly Item[]) => Promise<void>,
  report: FeeDayDeps["report"],
): Promise<void> {
  for (const part of parts) {
    try {
      await run(part);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      for (const item of part)
        await run([item]).catch((cause: unknown) => {
          if (cause instanceof DatabaseUnavailable) throw cause;
          report?.(cause);
        });
    }
  }
}

/**
 * Registers work with the sequencer: who acts in the first moment of a day does so after it.
 * @returns a function that stops it
 */
export async function startEachFeeDay(deps: FeeDayDeps, run: (day: number, serve: Serve) => Promise<void>): Promise<() => void> {
  const { venue, sequencer, now, report } = deps;
  /** The fee day that the venue has begun. */
  let day = venue.feeDay(now());
  let doneDay = -1;
  sequencer.beforeEachDay({
    due: () => doneDay !== day,
    work: async (serve) => {
      const working = day;
      await run(working, serve);
      doneDay = working;
    },
  });
  /** A timer has to check; otherwise the work would wait for the day's first command. */
  const ask = (): Promise<void> => sequencer.submit({ memberIds: [], decide: () => undefined }).catch((error: unknown) => report?.(error));
  const stop = venue.onPhase(() => {
    const begun = venue.feeDay(now());
    if (begun === day) return;
    day = begun;
    void ask();
  });
  await ask();
  return stop;
}
