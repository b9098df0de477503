/** The strip over live prices when they are not: since when they are old, and, for two seconds, that they live again. */
import { useEffect, useState } from "react";
import { formatTime } from "#contract/kernel/time.ts";
import { useConnection } from "#src/streams/connection.ts";
import { StaleStrip } from "#src/ui/state.tsx";

const BACK_MS = 2_000;

/** Nothing while prices are live. */
export function StaleNotice() {
  const { stale, staleSince } = useConnection();
  const [was, setWas] = useState(false);
  if (stale && !was) setWas(true);
  useEffect(() => {
    if (stale || !was) return;
    const timer = window.setTimeout(() => setWas(false), BACK_MS);
    return () => window.clearTimeout(timer);
  }, [stale, was]);
  if (stale) return <StaleStrip since={staleSince === null ? null : formatTime(staleSince)} />;
  return was ? <StaleStrip since={null} back /> : null;
}
