/** The strip over live prices when they are not: since when they are old, and, for two seconds, that they live again. */
import { useEffect, useState } from "react";
import { formatTime } from "#contract/kernel/time.ts";
import { useConnection } from "#src/streams/connection.ts";
import { StaleStrip } from "#src/ui/state.tsx";

/** How long "live again" stands. */
const BACK_MS = 2_000;
/** The first connection is given this long before its absence is news. */
const FIRST_MS = 2_000;

/** Nothing while prices are live. */
export function StaleNotice() {
  const { stale, staleSince } = useConnection();
  const [shown, setShown] = useState(false);
  const wait = stale ? (staleSince === null ? FIRST_MS : 0) : BACK_MS;
  useEffect(() => {
    if (stale === shown) return;
    const timer = window.setTimeout(() => setShown(stale), wait);
    return () => window.clearTimeout(timer);
  }, [stale, shown, wait]);
  if (!shown) return null;
  return stale ? <StaleStrip since={staleSince === null ? null : formatTime(staleSince)} /> : <StaleStrip since={null} back />;
}
