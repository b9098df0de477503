/** A clock that moves on only at the moments that matter: the page is drawn again, and what it shows is read again, when one has come. */
import { useEffect, useEffectEvent, useState } from "react";
import { atMoment } from "#src/streams/moment.ts";

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
    return atMoment(next + 1, turn);
  }, [next]);
  return now;
}
