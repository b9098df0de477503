/** The calendar of offerings: on each day what opens, closes, is drawn, is to be paid, is delivered and lists. */
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useMinute } from "#src/screens/quote/use-minute.ts";
import { useOfferings, usePhases } from "#src/streams/offerings.ts";
import type { SubscribedKind } from "#src/streams/offerings.ts";
import { useRaises, useStakes } from "#src/streams/raises.ts";
import { Link } from "#src/ui/link.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { calendarDays, momentText } from "./offering-days.ts";
import type { CalendarEntry } from "./offering-days.ts";
import styles from "./new-share.module.css";

/** Room for two lines of the name and of what it is. */
const ROW_PX = 88;
const keyOf = (entry: CalendarEntry): string =>
  "ending" in entry ? `${entry.ending.code} end` : `${entry.offering.offeringNo} ${entry.moment}`;

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
  const raises = useRaises().value?.raises;
  const stakes = useStakes().value?.items;
  const days = useMemo(() => {
    const held = new Set((stakes ?? []).filter(({ endedAt }) => endedAt === null).map(({ code }) => code));
    return calendarDays(items ?? [], now, kind === null ? raises : [], held);
  }, [items, now, raises, stakes, kind]);
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

function CalendarRow({ item }: { item: CalendarEntry }) {
  const { t, i18n } = useTranslation();
  const nameOf = useInstrumentName();
  const { at, isMine } = item;
  const { to, name, code, kind, what } =
    "ending" in item
      ? {
          to: pathTo("/home/etf", { fund: item.ending.code }),
          name: nameOf(item.ending.code),
          code: item.ending.code,
          kind: "fund" as const,
          what: t("offering.field.maturity"),
        }
      : {
          to: pathTo("/home/newStockBuy", { offering: item.offering.offeringNo }),
          name: shortName(item.offering.names, i18n.language),
          code: item.offering.code,
          kind: item.offering.kind,
          what: t(momentText(item.offering, item.moment)),
        };
  return (
    <Link to={to} className={styles.moment ?? ""}>
      <time dateTime={new Date(at).toISOString()}>{formatTime(at).slice(0, 5)}</time>
      <span className={styles.momentTexts}>
        <span className={styles.momentName}>{name}</span>
        <span className={styles.momentWhat}>
          {isMine && `${t("offering.applied")} · `}
          {code} · {t(`offering.kind.${kind}`)}
        </span>
      </span>
      <span className={styles.momentKind}>{what}</span>
    </Link>
  );
}
