/** Tabs of live lists (watchlist, gainers, losers, most traded) in one virtual list, with content above them. */
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import { useMemo, useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Board } from "#contract/instrument.ts";
import { useWatchlist } from "#src/streams/watchlist.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { LISTS, useListed } from "./lists.ts";
import type { ListName } from "./lists.ts";
import { useGroupName } from "./names.ts";
import { QuoteList } from "./quote-list.tsx";
import styles from "./quote-lists.module.css";

export interface QuoteListsProps {
  list: ListName;
  onChoose: (list: ListName) => void;
  /** The board to rank; null for all. */
  board?: Board | null;
  /** At most this many rows, before what is below them. */
  size?: number;
  /** Scrolls along, above the tabs. */
  above?: ReactNode;
  /** Between tabs and rows: filters of a ranking. */
  between?: ReactNode;
  /** Below the rows. */
  below?: ReactNode;
}

/** The path of the complete list. */
function fullListPath(list: ListName, board: Board | null, group: string | null): Path {
  if (list === "watchlist") return pathTo("/favorite/zxList", { group: group ?? undefined });
  return pathTo("/favorite/moreList", { by: list, board: board ?? undefined });
}

/** One live list at a time. Fills its container and scrolls on its own. */
export function QuoteLists({ list, onChoose, board = null, size, above, between, below }: QuoteListsProps) {
  const { t } = useTranslation();
  const [group, setGroup] = useState<string | null>(null);
  const { instruments, failure, retry } = useListed(list, board, group);
  const skeleton = useSkeleton(instruments === null && failure === null);
  const sections = useMemo(() => [{ id: list, items: instruments?.slice(0, size) ?? [] }], [list, instruments, size]);
  const tabs = LISTS.map((value) => ({ value, label: t(`market.list.${value}`) }));
  return (
    <div className={styles.lists}>
      <QuoteList
        label={t(`market.list.${list}`)}
        sections={sections}
        before={
          <>
            {above}
            <Tabs label={t("market.lists")} tabs={tabs} value={list} onChoose={onChoose} />
            {list === "watchlist" ? <GroupChips group={group} onChoose={setGroup} /> : between}
          </>
        }
        after={
          <>
            {failure !== null && <ErrorState what={t("market.listFailed")} code={failure} onRetry={retry} />}
            {skeleton && instruments === null && <Skeleton rows={6} />}
            {instruments?.length === 0 && <NothingListed list={list} />}
            {instruments !== null && instruments.length > 0 && (
              <div className={styles.whole}>
                <ButtonLink tone="quiet" to={fullListPath(list, board, group)}>
                  {list === "watchlist" ? t("favorite.wholeWatchlist") : t("favorite.wholeRanking")}
                </ButtonLink>
              </div>
            )}
            {below}
          </>
        }
      />
    </div>
  );
}

/** The chips of the watchlist groups; hidden if there are fewer than two. */
function GroupChips({ group, onChoose }: { group: string | null; onChoose: (group: string | null) => void }) {
  const { t } = useTranslation();
  const { groups } = useWatchlist();
  const nameOf = useGroupName();
  if (groups.length < 2) return null;
  const known = groups.some(({ id }) => id === group);
  return (
    <div className={styles.chips}>
      <ChipRow label={t("favorite.groups")}>
        <Chip pressed={!known} onPress={() => onChoose(null)}>
          {t("favorite.allGroups")}
        </Chip>
        {groups.map((one) => (
          <Chip key={one.id} pressed={one.id === group} onPress={() => onChoose(one.id)}>
            {nameOf(one)}
          </Chip>
        ))}
      </ChipRow>
    </div>
  );
}

function NothingListed({ list }: { list: ListName }) {
  const { t } = useTranslation();
  if (list !== "watchlist") return <EmptyState why={t("market.noRanking")} />;
  return (
    <EmptyState
      title={t("favorite.noneTitle")}
      why={t("favorite.noneWhy")}
      action={{ label: t("favorite.find"), to: "/favorite/search" }}
    />
  );
}
