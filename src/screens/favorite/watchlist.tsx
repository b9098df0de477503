/** The watchlist: groups as tabs, live rows in the member's order or sorted by a column, and links to add and edit. */
import { pathTo } from "#src/paths.ts";
import { Pencil, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useQuery } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { useWatchlist } from "#src/streams/watchlist.ts";
import { useNamed, useSorted, useWatched } from "#src/screens/quote/lists.ts";
import { useGroupName } from "#src/screens/quote/names.ts";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import { metricOf, SORT_FIELDS } from "#src/screens/quote/sorting.ts";
import type { Sort, SortField } from "#src/screens/quote/sorting.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { RowDots } from "#src/screens/quote/watch-star.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { Picker } from "#src/ui/picker.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import type { VirtualRowProps } from "#src/ui/virtual-list.tsx";

function itemWith(metric: SortField): ComponentType<VirtualRowProps<Instrument>> {
  return function WatchedItem({ item }) {
    return <QuoteRow instrument={item} metric={metric} action={<RowDots instrument={item} />} />;
  };
}

const PLAIN = itemWith(metricOf(null));
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
      header={
        <BackHeader
          title={t("watchlist.title")}
          fallback="/favorite/index"
          action={
            <>
              <SortPicker sort={sort} onSort={setSort} />
              <EditLinks group={group?.id} />
            </>
          }
        />
      }
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
        </>
      }
      scroll="own"
    >
      <QuoteList
        // A new key per group, so that another group starts at its top.
        key={group?.id}
        label={group ? nameOf(group) : t("watchlist.title")}
        sections={sections}
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

/** The name of a sort in the picker, such as `last down`. */
type SortName = `${SortField} ${"down" | "up"}` | "own";

const sortNamed = (name: SortName): Sort | null => {
  const by = SORT_FIELDS.find((field) => name.startsWith(`${field} `));
  return by === undefined ? null : { by, descending: name.endsWith("down") };
};

/** The member's own order, or a column in either direction. */
function SortPicker({ sort, onSort }: { sort: Sort | null; onSort: (sort: Sort | null) => void }) {
  const { t } = useTranslation();
  const sorts = SORT_FIELDS.flatMap((by) => {
    const column = t(`ranking.column.${by}`);
    return [
      { value: `${by} down` as const, label: `${column} ↓` },
      { value: `${by} up` as const, label: `${column} ↑` },
    ];
  });
  return (
    <Picker<SortName>
      label={t("watchlist.sortBy")}
      options={[{ value: "own", label: t("watchlist.ownOrder") }, ...sorts]}
      value={sort === null ? "own" : `${sort.by} ${sort.descending ? "down" : "up"}`}
      onChoose={(name) => onSort(sortNamed(name))}
    />
  );
}
