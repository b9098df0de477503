/** The market tab as one dense table: the watchlist, one of its groups or a ranking, with all of the day's figures in columns. */
import { LayoutList } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { RANKINGS } from "#contract/quote.ts";
import type { Ranking } from "#contract/quote.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { useWatchlist } from "#src/streams/watchlist.ts";
import type { QuoteCellField } from "#src/streams/worker.ts";
import { TABLE_ROW_PX, useDensity } from "#src/screens/quote/density.ts";
import { ownPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { rememberOrigin } from "#src/screens/quote/origin-list.ts";
import { useNamed, useRanked, useSorted, useWatched } from "#src/screens/quote/lists.ts";
import type { Listed } from "#src/screens/quote/lists.ts";
import { shortName, useGroupName } from "#src/screens/quote/names.ts";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { nextSort, SORT_FIELDS } from "#src/screens/quote/sorting.ts";
import type { Sort } from "#src/screens/quote/sorting.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { Picker } from "#src/ui/picker.tsx";
import { Screen, TitleHeader } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualTable } from "#src/ui/virtual-table.tsx";
import type { TableColumn } from "#src/ui/virtual-table.tsx";
import styles from "./quotes.module.css";

/** How many rows of a ranking the table shows; sorting needs all of them, so all are watched. */
const RANKED = 100;

/** Prices up to five digits: `WIDE_REM` fits millions. Three columns fit beside the name on a phone; the fourth is cut off at the edge, which shows that there are more. */
const COLUMNS = [
  { name: "last", rem: 5 },
  { name: "percent", rem: 4.75 },
  { name: "change", rem: 4.75 },
  { name: "bid", rem: 5.25 },
  { name: "ask", rem: 5.25 },
  { name: "volume", rem: 4.75 },
  { name: "turnover", rem: 4.75 },
  { name: "amplitude", rem: 5 },
  { name: "open", rem: 5.25 },
  { name: "high", rem: 5.25 },
  { name: "low", rem: 5.25 },
  { name: "reference", rem: 5.25 },
] as const satisfies readonly { name: QuoteCellField; rem: number }[];
/** The width of price columns where a digital currency is listed. */
const WIDE_REM = 7;
const PRICES: readonly string[] = ["last", "change", "bid", "ask", "open", "high", "low", "reference"];
type ColumnName = (typeof COLUMNS)[number]["name"];

const codeOf = (instrument: Instrument): string => instrument.code;
const isRanking = (source: string): source is Ranking => RANKINGS.some((one) => one === source);

/** The source "whole watchlist"; other sources are a ranking or a group's id. */
const ALL = "watchlist";

/** `/favorite/indexCopy` */
export function QuotesCompact() {
  const { t } = useTranslation();
  const [source, setSource] = useState<string>(ALL);
  const [sort, setSort] = useState<Sort | null>(null);
  const { instruments, failure, retry } = useSourceList(source, sort);
  const sources = useSources();
  const columns = useColumns(instruments?.some(({ board }) => board === "crypto") ?? false);
  const skeleton = useSkeleton(instruments === null && failure === null);
  return (
    <Screen
      header={
        <TitleHeader
          title={t("favorite.title")}
          action={
            <>
              <Picker label={t("market.lists")} options={sources} value={source} onChoose={setSource} />
              <HeaderLinks />
            </>
          }
        />
      }
      top={<StaleNotice />}
      scroll="own"
      width="wide"
    >
      <div className={styles.origin} onClick={() => rememberOrigin(instruments ?? [])}>
        <VirtualTable
          // A new key per list, so that another list starts at its top.
          key={source}
          label={sources.find(({ value }) => value === source)?.label ?? t("market.list.watchlist")}
          items={instruments ?? []}
          keyOf={codeOf}
          corner={t("ranking.name")}
          columns={columns}
          RowHead={NameCell}
          Cell={ValueCell}
          rowPx={TABLE_ROW_PX[useDensity()]}
          sort={sort}
          onSort={(by) => {
            const field = SORT_FIELDS.find((one) => one === by);
            if (field) setSort(nextSort(sort, field));
          }}
          after={
            <>
              {failure !== null && <ErrorState what={t("market.listFailed")} code={failure} onRetry={retry} />}
              {skeleton && instruments === null && <Skeleton rows={8} />}
              {instruments?.length === 0 && <EmptyTable source={source} />}
            </>
          }
        />
      </div>
    </Screen>
  );
}

/** The lists the table can show: the whole watchlist, its groups when there are several, and the rankings. */
function useSources(): { value: string; label: string }[] {
  const { t } = useTranslation();
  const nameOf = useGroupName();
  const { groups } = useWatchlist();
  return [
    { value: ALL, label: t("market.list.watchlist") },
    ...(groups.length > 1 ? groups.map((group) => ({ value: group.id, label: nameOf(group) })) : []),
    ...RANKINGS.map((value) => ({ value, label: t(`ranking.by.${value}`) })),
  ];
}

/** The sorted instruments of a source; null while loading. Only a watchlist can fail: rankings are streamed. */
function useSourceList(source: string, sort: Sort | null): Listed {
  const watched = useWatched(source);
  const ranked = useRanked(isRanking(source) ? { by: source, board: null, category: null, size: RANKED } : null);
  const instruments = useNamed(useSorted(isRanking(source) ? ranked : watched.codes, sort));
  return { instruments, failure: isRanking(source) ? null : watched.failure, retry: watched.retry };
}

function useColumns(wide: boolean): TableColumn<ColumnName>[] {
  const { t } = useTranslation();
  return useMemo(
    () =>
      COLUMNS.map(({ name, rem }) => ({
        name,
        rem: wide && PRICES.includes(name) ? WIDE_REM : rem,
        title: t(`ranking.column.${name}`),
        sorts: SORT_FIELDS.some((field) => field === name),
      })),
    [t, wide],
  );
}

/** To the roomy layout of this tab, and to the search. */
function HeaderLinks() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <>
      <IconButton
        label={t("favorite.roomy")}
        icon={<LayoutList size={22} aria-hidden />}
        onClick={() => void navigate("/favorite/index", { replace: true })}
      />
      <SearchLink />
    </>
  );
}

function NameCell({ item }: { item: Instrument }) {
  return (
    <Link to={ownPath(item)} className={styles.name ?? ""} onClick={() => rememberDetail(item)}>
      <span className={styles.title}>{shortName(item)}</span>
      <span className={styles.code}>{item.code}</span>
    </Link>
  );
}

function ValueCell({ item, column }: { item: Instrument; column: ColumnName }) {
  return <QuoteCell code={item.code} field={column} />;
}

function EmptyTable({ source }: { source: string }) {
  const { t } = useTranslation();
  if (source === "limitUp" || source === "limitDown") {
    return <EmptyState title={t(source === "limitUp" ? "ranking.noneUp" : "ranking.noneDown")} why={t("ranking.noneLimitWhy")} />;
  }
  if (isRanking(source)) return <EmptyState title={t("ranking.empty")} />;
  return (
    <EmptyState
      title={source === ALL ? t("favorite.noneTitle") : t("watchlist.emptyGroup")}
      why={t("favorite.noneWhy")}
      action={{ label: t("favorite.find"), to: "/favorite/search" }}
    />
  );
}
