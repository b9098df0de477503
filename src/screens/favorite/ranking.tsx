/** The full live ranking: the first two hundred instruments of one board or all, by any of the seven measures. */
import { useTranslation } from "react-i18next";
import type { QueryOf } from "#src/paths.ts";
import { useQuery } from "#src/ui/link.tsx";
import { MAX_WATCHED } from "#contract/quote.ts";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { BoardPicker, RANKED_BOARDS } from "./board-chips.tsx";
import { RankedList, rankingNamed, RankingTabs } from "./ranked-list.tsx";

/** `/favorite/moreList?by=…&board=…` */
export function Rankings() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/favorite/moreList">();
  const by = rankingNamed(query.get("by"));
  const board = RANKED_BOARDS.find((one) => one === query.get("board")) ?? null;
  const choose = (next: QueryOf<"/favorite/moreList">): void => setQuery({ by, board: board ?? undefined, ...next });
  return (
    <Screen
      header={
        <BackHeader
          title={t("ranking.title")}
          action={
            <>
              <BoardPicker board={board} onChoose={(value) => choose({ board: value ?? undefined })} />
              <SearchLink />
            </>
          }
          fallback="/favorite/index"
        />
      }
      top={
        <>
          <StaleNotice />
          <RankingTabs by={by} onChoose={(value) => choose({ by: value })} />
        </>
      }
      scroll="own"
    >
      <RankedList
        view={{ by, board, category: null, size: MAX_WATCHED }}
        {...(board === null ? {} : { emptyAction: { label: t("ranking.showAll"), onPress: () => choose({ board: undefined }) } })}
      />
    </Screen>
  );
}
