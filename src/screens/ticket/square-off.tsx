/** When open day trades are squared off, and how long that is from now. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { MINUTE_MS, formatTime } from "#contract/kernel/time.ts";
import { useDayTrading } from "#src/streams/day-trading.ts";

/** Whole minutes until a time, at least 0. */
export const minutesUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / MINUTE_MS));

/** `Squared off at 13:20 (in 42 min)`; nothing while no time is known. */
export function SquareOff() {
  const { t } = useTranslation();
  const at = useDayTrading().value?.squareOffAt ?? null;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), MINUTE_MS / 4);
    return () => window.clearInterval(timer);
  }, []);
  if (at === null || at <= now) return null;
  const minutes = minutesUntil(at, now);
  const left =
    minutes < 60 ? t("ticket.minutes", { n: minutes }) : t("ticket.hoursMinutes", { h: Math.floor(minutes / 60), n: minutes % 60 });
  return <>{t("ticket.squareOff", { time: formatTime(at).slice(0, 5), left })}</>;
}
