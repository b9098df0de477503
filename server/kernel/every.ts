/** Runs an async job on an interval, never overlapping, and reports no errors after it was stopped. */

/** Runs `work` every `ms` milliseconds. Errors are reported and the next interval tries again. @returns a function that stops it */
export function every(ms: number, work: () => Promise<unknown>, report?: (error: unknown) => void): () => void {
  let stopped = false;
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    work()
      // At shutdown the database may close while a run is still reading.
      .catch((error: unknown) => (stopped ? undefined : report?.(error)))
      .finally(() => (running = false));
  }, ms);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
