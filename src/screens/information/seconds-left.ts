/** The seconds that a quote is still locked for. */
import { useEffect, useState } from "react";
import { SECOND_MS } from "#contract/kernel/time.ts";

const TICK_MS = 200;

/** Whole seconds left of a quote since it was first shown. */
export function useSecondsLeft(quoteId: string, lifetimeMs: number): number {
  const [shown, setShown] = useState({ quoteId, left: lifetimeMs });
  useEffect(() => {
    const until = performance.now() + lifetimeMs;
    const tick = (): void => setShown({ quoteId, left: Math.max(0, until - performance.now()) });
    tick();
    const timer = window.setInterval(tick, TICK_MS);
    return () => window.clearInterval(timer);
  }, [quoteId, lifetimeMs]);
  return Math.ceil((shown.quoteId === quoteId ? shown.left : lifetimeMs) / SECOND_MS);
}
