/** The rules of an order in the member's language. */
import { useTranslation } from "react-i18next";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Direction } from "#contract/order.ts";

/** How long something bought may not be sold, or a fall not be closed, in words; null when it may be at once. */
export function useLockRule(): (seconds: number, direction: Direction) => string | null {
  const { t } = useTranslation();
  return (seconds, direction) => {
    if (seconds <= 0) return null;
    const ms = seconds * SECOND_MS;
    const fall = direction === "fall";
    if (ms >= DAY_MS) return t(fall ? "ticket.lockFallDays" : "ticket.lockDays", { n: Math.ceil(ms / DAY_MS) });
    const n = Math.ceil(ms / MINUTE_MS);
    if (n === 1) return t(fall ? "ticket.lockFallMinute" : "ticket.lockMinute");
    return t(fall ? "ticket.lockFallMinutes" : "ticket.lockMinutes", { n });
  };
}
