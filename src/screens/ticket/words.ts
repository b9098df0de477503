/** The rules of an order in the member's language. */
import { useTranslation } from "react-i18next";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#contract/kernel/time.ts";

/** How long something bought may not be sold, in words; null when it may be at once. */
export function useLockRule(): (seconds: number) => string | null {
  const { t } = useTranslation();
  return (seconds) => {
    if (seconds <= 0) return null;
    const ms = seconds * SECOND_MS;
    if (ms >= DAY_MS) return t("ticket.lockDays", { n: Math.ceil(ms / DAY_MS) });
    return ms === MINUTE_MS ? t("ticket.lockMinute") : t("ticket.lockMinutes", { n: Math.ceil(ms / MINUTE_MS) });
  };
}
