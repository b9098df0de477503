/** When open day trades are squared off, and how long that is from now. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { MINUTE_MS, formatDateTime, formatTime, taipeiDay } from "#contract/kernel/time.ts";
import { useDayTrading } from "#src/streams/day-trading.ts";

/** Whole minutes until a time, at least 0. */
export const minutesUntil = (at: number, now: number): number => Math.max(0, Math.ceil((at - now) / MINUTE_MS));

/** The time of the square-off, with its date unless that is today, and how long it is until then: empty once it is over. */
export function useSquareOff(): { time: string; left: string } | null {
  const { t } = useTranslation();
  const at = useDayTrading().value?.squareOffAt ?? null;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), MINUTE_MS / 4);
    return () => window.clearInterval(timer);
  }, []);
  if (at === null) return null;
  const minutes = minutesUntil(at, now);
  const left =
    minutes < 60 ? t("ticket.minutes", { n: minutes }) : t("ticket.hoursMinutes", { h: Math.floor(minutes / 60), n: minutes % 60 });
  const time = taipeiDay(at) === taipeiDay(now) ? formatTime(at).slice(0, 5) : formatDateTime(at);
  return { time, left: at > now ? left : "" };
}

/** `Squared off at 13:20, in 42 min`; nothing while no time is known or it is over. */
export function SquareOff() {
  const { t } = useTranslation();
  const squareOff = useSquareOff();
  return squareOff === null || squareOff.left === "" ? null : <>{t("ticket.squareOff", squareOff)}</>;
}
