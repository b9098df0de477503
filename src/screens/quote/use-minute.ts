/** The time now for screens that count in minutes. */
import { useEffect, useState } from "react";
import { MINUTE_MS } from "#contract/kernel/time.ts";

/** The time now, once a minute: what is counted with it never needs a second. */
export function useMinute(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
