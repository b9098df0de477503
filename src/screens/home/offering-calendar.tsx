/** The calendar of offerings: on each day what opens, closes, is drawn, is to be paid, is delivered and lists. */
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useMinute } from "#src/screens/quote/use-minute.ts";
import { useOfferings, usePhases } from "#src/streams/offerings.ts";
import type { SubscribedKind } from "#src/streams/offerings.ts";
import { Link } from "#src/ui/link.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { calendarDays, momentText } from "./offering-days.ts";
import type { CalendarEntry } from "./offering-days.ts";
import styles from "./new-share.module.css";

/** Room for two lines of the name and of what it is. */
const ROW_PX = 88;
const keyOf = ({ offering, moment }: CalendarEntry): string => `${offering.offeringNo} ${moment}`;

export function OfferingCalendar({ kind }: { kind: SubscribedKind | null }) {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = useOfferings("ahead", kind);
  const skeleton = useSkeleton(value === null && state === "loading");
  const now = useMinute();
  const items = value?.items;
  const offerings = useMemo(() => (items ?? []).map(({ offering }) => offering), [items]);
  usePhases(offerings, retry);
  // A day is complete only when every page is there; those ahead fit in very few.
  const incomplete = value !== null && value.next !== null;
  useEffect(() => {
    if (incomplete && moreState === "idle") more();
  });
  const days = useMemo(() => calendarDays(items ?? [], now), [items, now]);
  const sections = days.map(({ id, title, isToday, entries }) => ({
    id,
    title: isToday ? `${title} · ${t("offering.today")}` : title,
    items: entries,
  }));
  return (
    <VirtualList
      label={t("offering.tab.calendar")}
      sections={sections}
      keyOf={keyOf}
      Row={CalendarRow}
      rowPx={ROW_PX}
      after={
        <>
          {value === null && skeleton && <Skeleton rows={6} />}
          {(moreState === "failed" || (value === null && state === "failed")) && (
            <ErrorState what={t("offering.failed")} code={failure ?? ""} onRetry={value === null ? retry : more} />
          )}
          {value !== null && days.length === 0 && <EmptyState title={t("offering.none")} why={t("offering.noneWhy")} />}
        </>
      }
    />
  );
}

function CalendarRow({ item: { offering, moment, at, isMine } }: { item: CalendarEntry }) {
  const { t, i18n } = useTranslation();
  return (
    <Link to={pathTo("/home/newStockBuy", { offering: offering.offeringNo })} className={styles.moment ?? ""}>
      <time dateTime={new Date(at).toISOString()}>{formatTime(at).slice(0, 5)}</time>
      <span className={styles.momentTexts}>
        <span className={styles.momentName}>{shortName(offering.names, i18n.language)}</span>
        <span className={styles.momentWhat}>
          {isMine && `${t("offering.applied")} · `}
          {offering.code} · {t(`offering.kind.${offering.kind}`)}
        </span>
      </span>
      <span className={styles.momentKind}>{t(momentText(offering, moment))}</span>
    </Link>
  );
}
