/** Something looked after now and then: never twice at once, and in silence once it was stopped. */

/** Do something every so often. What goes wrong is reported, and done again at the next beat. @returns how to stop */
export function every(ms: number, work: () => Promise<unknown>, report?: (error: unknown) => void): () => void {
  let stopped = false;
  let working = false;
  const timer = setInterval(() => {
    if (working) return;
    working = true;
    work()
      // The house may close its books while somebody still reads in them.
      .catch((error: unknown) => (stopped ? undefined : report?.(error)))
      .finally(() => (working = false));
  }, ms);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
