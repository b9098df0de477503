/** The watchlist: groups as tabs, live rows in the member's order or sorted by a column, and links to add and edit. */
import { pathTo } from "#src/paths.ts";
import { ArrowDown, ArrowUp, Pencil, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useQuery } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { useWatchlist } from "#src/streams/watchlist.ts";
import { useNamed, useSorted, useWatched } from "#src/screens/quote/lists.ts";
import { useGroupName } from "#src/screens/quote/names.ts";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import { metricOf, nextSort, SORT_FIELDS } from "#src/screens/quote/sorting.ts";
import type { Sort, SortField } from "#src/screens/quote/sorting.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { WatchDots } from "#src/screens/quote/watch-star.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import type { VirtualRowProps } from "#src/ui/virtual-list.tsx";
import styles from "./watchlist.module.css";

const codeOf = (instrument: Instrument): string => instrument.code;

function itemWith(metric: SortField | null): ComponentType<VirtualRowProps<Instrument>> {
  return function WatchedItem({ item }) {
    return <QuoteRow instrument={item} metric={metric} action={<WatchDots instrument={item} />} />;
  };
}

const PLAIN = itemWith(null);
const ITEMS = new Map(SORT_FIELDS.map((field) => [field, itemWith(metricOf(field))]));

/** `/favorite/zxList?group=…` */
export function Watchlist() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/favorite/zxList">();
  const nameOf = useGroupName();
  const { groups } = useWatchlist();
  const [sort, setSort] = useState<Sort | null>(null);
  const group = groups.find(({ id }) => id === query.get("group")) ?? groups[0];
  const { codes, failure, retry } = useWatched(group?.id ?? null);
  const instruments = useNamed(useSorted(codes, sort));
  const skeleton = useSkeleton(instruments === null && failure === null);
  const sections = useMemo(() => [{ id: "watched", items: instruments ?? [] }], [instruments]);
  return (
    <Screen
      header={<BackHeader title={t("watchlist.title")} fallback="/favorite/index" action={<EditLinks group={group?.id} />} />}
      top={
        <>
          <StaleNotice />
          {groups.length > 1 && group && (
            <Tabs
              label={t("favorite.groups")}
              tabs={groups.map((one) => ({ value: one.id as string, label: nameOf(one), count: one.codes.length }))}
              value={group.id}
              onChoose={(id) => setQuery({ group: id })}
            />
          )}
          <div className={styles.sorts}>
            <SortChips sort={sort} onSort={setSort} />
          </div>
        </>
      }
      scroll="own"
    >
      <VirtualList
        // A new key per group, so that another group starts at its top.
        key={group?.id}
        label={group ? nameOf(group) : t("watchlist.title")}
        sections={sections}
        keyOf={codeOf}
        Row={(sort && ITEMS.get(sort.by)) ?? PLAIN}
        after={
          <>
            {failure !== null && <ErrorState what={t("market.listFailed")} code={failure} onRetry={retry} />}
            {skeleton && instruments === null && <Skeleton rows={8} />}
            {instruments?.length === 0 && (
              <EmptyState
                title={groups.length > 1 ? t("watchlist.emptyGroup") : t("favorite.noneTitle")}
                why={t("favorite.noneWhy")}
                action={{ label: t("favorite.find"), to: "/favorite/search" }}
              />
            )}
          </>
        }
      />
    </Screen>
  );
}

/** To editing the group shown, and to the search that adds to it. */
function EditLinks({ group }: { group: string | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const edit = pathTo("/favorite/editSelf", { group });
  return (
    <>
      <IconButton label={t("watchlist.edit")} icon={<Pencil size={20} aria-hidden />} onClick={() => void navigate(edit)} />
      <IconButton label={t("favorite.find")} icon={<Plus size={24} aria-hidden />} onClick={() => void navigate("/favorite/search")} />
    </>
  );
}

/** The member's own order, or a column: the second tap reverses it, the third returns to the member's order. */
function SortChips({ sort, onSort }: { sort: Sort | null; onSort: (sort: Sort | null) => void }) {
  const { t } = useTranslation();
  return (
    <ChipRow label={t("watchlist.sortBy")}>
      <Chip pressed={sort === null} onPress={() => onSort(null)}>
        {t("watchlist.ownOrder")}
      </Chip>
      {SORT_FIELDS.map((field) => (
        <Chip key={field} pressed={sort?.by === field} onPress={() => onSort(nextSort(sort, field))}>
          {t(`ranking.column.${field}`)}
          {sort?.by === field && (
            <>
              {sort.descending ? <ArrowDown size={14} aria-hidden /> : <ArrowUp size={14} aria-hidden />}
              <Hidden>{sort.descending ? t("watchlist.descending") : t("watchlist.ascending")}</Hidden>
            </>
          )}
        </Chip>
      ))}
    </ChipRow>
  );
}
