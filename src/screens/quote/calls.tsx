/** Says how often a stock under disposition has a call and, while it trades, when the next one is. */
import { useTranslation } from "react-i18next";
import { MINUTE_MS, formatTime } from "#contract/kernel/time.ts";

export function Calls({ everyMs, next }: { everyMs: number; next: number | null }) {
  const { t } = useTranslation();
  const n = everyMs / MINUTE_MS;
  return next === null ? t("market.calls.every", { n }) : t("market.calls.next", { n, time: formatTime(next) });
}
