/** A clock that moves on only at the moments that matter: the page is drawn again, and what it shows is read again, when one has come. */
import { useEffect, useEffectEvent, useState } from "react";

/** Beyond this a timer overflows; no page is open that long. */
const LONGEST_MS = 2_147_000_000;

/** @returns the time, renewed with `read` called at `nextTurn` of it; null is never */
export function useTurnClock(nextTurn: (now: number) => number | null, read: () => void): number {
  const [now, setNow] = useState(Date.now);
  const turn = useEffectEvent(() => {
    setNow(Date.now());
    read();
  });
  const next = nextTurn(now);
  useEffect(() => {
    if (next === null) return undefined;
    const timer = window.setTimeout(turn, Math.min(LONGEST_MS, Math.max(0, next - Date.now()) + 1));
    return () => window.clearTimeout(timer);
  }, [next]);
  return now;
}
