/** Watchlist editing: the instruments of a group (order, removal), and the groups themselves (names, order, removal). */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "#src/ui/link.tsx";
import { useWatchlist } from "#src/streams/watchlist.ts";
import { useGroupName } from "#src/screens/quote/names.ts";
import { Segmented } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { EditGroups } from "./edit-groups.tsx";
import { EditStocks } from "./edit-stocks.tsx";
import styles from "./watchlist-edit.module.css";

const PARTS = ["stocks", "groups"] as const;

/** `/favorite/editSelf?group=…` */
export function WatchlistEdit() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/favorite/editSelf">();
  const nameOf = useGroupName();
  const { groups, value, state, failure, retry } = useWatchlist();
  const [part, setPart] = useState<(typeof PARTS)[number]>("stocks");
  const skeleton = useSkeleton(value === null && state === "loading");
  const group = groups.find(({ id }) => id === query.get("group")) ?? groups[0];
  return (
    <Screen
      header={<BackHeader title={t("watchlist.edit")} fallback="/favorite/zxList" />}
      top={
        <div className={styles.parts}>
          <Segmented
            label={t("watchlist.parts")}
            options={PARTS.map((name) => ({ value: name, label: t(`watchlist.part.${name}`) }))}
            value={part}
            onChoose={setPart}
          />
        </div>
      }
      scroll="own"
    >
      {group && part === "stocks" && groups.length > 1 && (
        <Tabs
          label={t("favorite.groups")}
          tabs={groups.map((one) => ({ value: one.id as string, label: nameOf(one), count: one.codes.length }))}
          value={group.id}
          onChoose={(id) => setQuery({ group: id })}
        />
      )}
      {group && part === "stocks" && <EditStocks key={group.id} group={group} />}
      {group && part === "groups" && <EditGroups groups={groups} />}
      {skeleton && value === null && <Skeleton rows={6} />}
      {value === null && state === "failed" && <ErrorState what={t("market.listFailed")} code={failure ?? ""} onRetry={retry} />}
    </Screen>
  );
}
