/** Tabs of live lists (watchlist, gainers, losers, hot) over one virtual list, with whatever stands above them. */
import { useMemo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Board, Instrument } from "#contract/instrument.ts";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { LISTS, useListed } from "./lists.ts";
import type { ListName } from "./lists.ts";
import { QuoteItem } from "./quote-row.tsx";
import styles from "./quote-lists.module.css";

export interface QuoteListsProps {
  list: ListName;
  onChoose: (list: ListName) => void;
  /** Rank this board only; null for all. */
  board?: Board | null;
  /** Scrolls along above the tabs. */
  above?: ReactNode;
  /** Between tabs and rows: filters. */
  between?: ReactNode;
}

const codeOf = (instrument: Instrument): string => instrument.code;

/** One list at a time, live. Fills its place and scrolls alone. */
export function QuoteLists({ list, onChoose, board = null, above, between }: QuoteListsProps) {
  const { t } = useTranslation();
  const { instruments, failure, retry } = useListed(list, board);
  const skeleton = useSkeleton(instruments === null && failure === null);
  const sections = useMemo(() => [{ id: list, items: instruments ?? [] }], [list, instruments]);
  const tabs = LISTS.map((value) => ({ value, label: t(`market.list.${value}`) }));
  return (
    <div className={styles.lists}>
      <VirtualList
        label={t(`market.list.${list}`)}
        sections={sections}
        keyOf={codeOf}
        Row={QuoteItem}
        before={
          <>
            {above}
            <Tabs label={t("market.lists")} tabs={tabs} value={list} onChoose={onChoose} />
            {between}
          </>
        }
        after={
          <>
            {failure !== null && <ErrorState what={t("market.listFailed")} code={failure} onRetry={retry} />}
            {skeleton && <Skeleton rows={6} />}
            {instruments?.length === 0 && <NothingListed list={list} />}
          </>
        }
      />
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
