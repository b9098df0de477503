/** Runs a job once per Taipei day, and again on the same day if something else it depends on has changed. */
import { MINUTE_MS, taipeiDay } from "#contract/kernel/time.ts";
import { every } from "#server/kernel/every.ts";

export interface DailyJob {
  run: () => Promise<void>;
  /** Epoch milliseconds. */
  now: () => number;
  /** A version of what the job depends on besides the day; a new version runs it again. */
  version?: () => number;
  /** Reports errors of the later runs; the next check runs the job again. */
  report?: ((error: unknown) => void) | undefined;
}

/** How often the day and the version are checked. */
const CHECK_EVERY_MS = MINUTE_MS;

/** Runs the job now, rejecting when that fails, and then whenever it is due. @returns a function that stops it */
export async function startDailyJob({ run, now, version = () => 0, report }: DailyJob): Promise<() => void> {
  let done = "";
  const runIfDue = async (): Promise<void> => {
    const due = `${taipeiDay(now())} ${version()}`;
    if (due === done) return;
    await run();
    done = due;
  };
  await runIfDue();
  return every(CHECK_EVERY_MS, runIfDue, report);
}
