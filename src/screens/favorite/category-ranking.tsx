/** A live ranking of one category, with the category's own change. */
import { useTranslation } from "react-i18next";
import { useQuery } from "#src/ui/link.tsx";
import { MAX_WATCHED } from "#contract/quote.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { CategoryChange } from "#src/screens/quote/category-change.tsx";
import { categoryName } from "#src/screens/quote/names.ts";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { RankedList, rankingNamed, RankingTabs } from "./ranked-list.tsx";

/** `/favorite/moreListCate?board=…&category=…&by=…` */
export function CategoryRanking() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/favorite/moreListCate">();
  const table = useInstruments();
  const skeleton = useSkeleton(table === null);
  const by = rankingNamed(query.get("by"));
  const place = table?.categories.findIndex(({ board, code }) => board === query.get("board") && code === query.get("category")) ?? -1;
  const category = table?.categories[place];
  if (!category) {
    return (
      <Screen header={<BackHeader title={t("ranking.category")} fallback="/favorite/categoryList" />}>
        {skeleton && !table && <Skeleton rows={8} />}
        {table && (
          <EmptyState
            title={t("ranking.noCategory")}
            why={t("ranking.noCategoryWhy")}
            action={{ label: t("ranking.allCategories"), to: "/favorite/categoryList" }}
          />
        )}
      </Screen>
    );
  }
  const { board, code } = category;
  return (
    <Screen
      header={
        <BackHeader
          title={categoryName(category)}
          subtitle={
            <>
              {t(`market.board.${board}`)} · {t("ranking.members", { count: category.count })} <CategoryChange place={place} />
            </>
          }
          action={<SearchLink />}
          fallback="/favorite/categoryList"
        />
      }
      top={
        <>
          <StaleNotice />
          <RankingTabs by={by} onChoose={(value) => setQuery({ board, category: code, by: value })} />
        </>
      }
      scroll="own"
    >
      <RankedList view={{ by, board, category: code, size: MAX_WATCHED }} />
    </Screen>
  );
}
