/** The calendar of check-ins: one month at a time, the days with a check-in marked. */
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { daysOfMonth, monthAfter } from "#contract/check-in.ts";
import type { Month } from "#contract/check-in.ts";
import { DAY_MS, formatDate, taipeiMidnight } from "#contract/kernel/time.ts";
import { useCheckIns } from "#src/streams/rewards.ts";
import { IconButton } from "#src/ui/button.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import own from "./check-in.module.css";
import styles from "./funding.module.css";

/** The weekday of a `taipeiDay`, 0 for Sunday: day 0 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;
const WEEK = [0, 1, 2, 3, 4, 5, 6] as const;
/** A Sunday. */
const SUNDAY_MS = Date.UTC(2026, 0, 4);
/** How far back the calendar goes. */
const MONTHS_BACK = 24;

/** The weeks of a month, Sunday first; null outside the month. */
export function weeksOf(month: Month): (number | null)[][] {
  const { first, last } = daysOfMonth(month);
  const before = weekdayOf(first);
  const weeks = Math.ceil((before + last - first + 1) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    WEEK.map((weekday) => {
      const day = first - before + week * 7 + weekday;
      return day < first || day > last ? null : day;
    }),
  );
}

/** `current`: the month of `today`, a `taipeiDay`. */
export function CheckInCalendar({ today, current }: { today: number; current: Month }) {
  const { t, i18n } = useTranslation();
  const [shown, setShown] = useState<Month | null>(null);
  const month = shown ?? current;
  const { value } = useCheckIns(shown ?? "");
  const done = new Set(value?.month === month ? value.days : []);
  const narrow = new Intl.DateTimeFormat(i18n.language, { weekday: "narrow", timeZone: "UTC" });
  const long = new Intl.DateTimeFormat(i18n.language, { weekday: "long", timeZone: "UTC" });
  const { first } = daysOfMonth(month);
  const go = (months: number): void => {
    const next = monthAfter(month, months);
    setShown(next === current ? null : next);
  };
  return (
    <section className={styles.inset} aria-label={t("reward.calendar", { month })}>
      <div className={own.monthHead}>
        <IconButton
          label={t("reward.before")}
          icon={<ChevronLeft size={22} aria-hidden />}
          aria-disabled={month <= monthAfter(current, -MONTHS_BACK)}
          onClick={() => month > monthAfter(current, -MONTHS_BACK) && go(-1)}
        />
        <h2 aria-live="polite">{t("reward.calendar", { month: month.replace("-", ".") })}</h2>
        <IconButton
          label={t("reward.after")}
          icon={<ChevronRight size={22} aria-hidden />}
          aria-disabled={month >= current}
          onClick={() => month < current && go(1)}
        />
      </div>
      <table className={own.calendar}>
        <thead>
          <tr>
            {WEEK.map((weekday) => (
              <th key={weekday} scope="col" abbr={long.format(SUNDAY_MS + weekday * DAY_MS)}>
                {narrow.format(SUNDAY_MS + weekday * DAY_MS)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((day) => day !== null) ?? 0}>
              {week.map((day, weekday) => (
                <td key={WEEK[weekday]}>
                  {day !== null && (
                    <span className={own.day} data-today={day === today || undefined} data-done={done.has(day) || undefined}>
                      {done.has(day) ? (
                        <>
                          <span aria-hidden>{day - first + 1}</span>
                          <Hidden>{t("reward.dayDone", { day: formatDate(taipeiMidnight(day)) })}</Hidden>
                        </>
                      ) : (
                        day - first + 1
                      )}
                    </span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
