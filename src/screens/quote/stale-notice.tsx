/** The strip that tells since when prices are stale, and, for two seconds, that they are live again. */
import { useEffect, useState } from "react";
import { formatTime } from "#contract/kernel/time.ts";
import { useConnection } from "#src/streams/connection.ts";
import { StaleStrip } from "#src/ui/state.tsx";

/** How long "live again" is shown. */
const BACK_MS = 2_000;
/** Grace period of the first connection before it is reported as missing. */
const FIRST_MS = 2_000;

/** Empty while prices are live. */
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
