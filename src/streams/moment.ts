/** Timers for a moment of the clock. */
import { useEffect, useState } from "react";

/** A browser's timer counts 31 bits of milliseconds, nearly 25 days. One set further ahead fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Acts when a moment has come, however far ahead it is; at the next turn if it has passed. @returns a function that calls it off */
export function atMoment(at: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (): void => {
    const left = Math.max(0, at - Date.now());
    timer = setTimeout(left > LONGEST_MS ? wait : act, Math.min(left, LONGEST_MS));
  };
  wait();
  return () => clearTimeout(timer);
}

/** The time; rendered again each time one of these moments has passed. */
export function useTimePast(moments: readonly number[]): number {
  const [now, setNow] = useState(Date.now);
  const next = Math.min(...moments.filter((at) => at >= now));
  useEffect(() => {
    if (next === Number.POSITIVE_INFINITY) return undefined;
    // A timer may fire a little early; a moment has passed in the millisecond after it.
    return atMoment(next + 1, () => setNow(Math.max(next + 1, Date.now())));
  }, [next]);
  return now;
}
