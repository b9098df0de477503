/** Runs an async job on an interval, never overlapping, and reports no errors after it was stopped. */

/**
 * Runs `work` every `ms` milliseconds. Errors are reported and the next interval tries again.
 * @returns a function that stops it; what that returns resolves when no run is at work any more
 */
export function every(ms: number, work: () => Promise<unknown>, report?: (error: unknown) => void): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      // After the stop nobody waits for this run's result.
      if (!stopped) report?.(error);
    }
    running = null;
  };
  const timer = setInterval(() => void (running ??= run()), ms);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
