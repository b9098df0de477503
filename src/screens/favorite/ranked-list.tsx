/** A live ranking in one virtual list, and the tabs that choose the ranking. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { RANKINGS } from "#contract/quote.ts";
import type { Ranking, RankView } from "#contract/quote.ts";
import { useNamed, useRanked } from "#src/screens/quote/lists.ts";
import { RANKED_ROWS } from "#src/screens/quote/ranked-row.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import type { Action } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";

/** The ranking named in the address; gainers by default. */
export function rankingNamed(name: string | null): Ranking {
  return RANKINGS.find((one) => one === name) ?? "gainers";
}

/** One tab per ranking. */
export function RankingTabs({ by, onChoose }: { by: Ranking; onChoose: (by: Ranking) => void }) {
  const { t } = useTranslation();
  const tabs = RANKINGS.map((value) => ({ value, label: t(`ranking.by.${value}`) }));
  return <Tabs label={t("ranking.rankings")} tabs={tabs} value={by} onChoose={onChoose} />;
}

/** Fills its container and scrolls on its own. `emptyAction` is offered when the ranking is empty. */
export function RankedList({ view, emptyAction }: { view: RankView; emptyAction?: Action }) {
  const { t } = useTranslation();
  const instruments = useNamed(useRanked(view));
  const skeleton = useSkeleton(instruments === null);
  const sections = useMemo(() => [{ id: "ranked", items: instruments ?? [] }], [instruments]);
  const atLimit = view.by === "limitUp" || view.by === "limitDown";
  return (
    <QuoteList
      // A new key per ranking, so that another ranking starts at its top.
      key={`${view.by} ${view.board} ${view.category}`}
      label={t(`ranking.by.${view.by}`)}
      sections={sections}
      Row={RANKED_ROWS[view.by]}
      after={
        <>
          {skeleton && instruments === null && <Skeleton rows={8} />}
          {instruments?.length === 0 && (
            <EmptyState
              title={atLimit ? t(view.by === "limitUp" ? "ranking.noneUp" : "ranking.noneDown") : t("ranking.empty")}
              {...(atLimit ? { why: t("ranking.noneLimitWhy") } : {})}
              {...(emptyAction ? { action: emptyAction } : {})}
            />
          )}
        </>
      }
    />
  );
}
