/** The whole market: every instrument by category in one virtual list with sticky headings, live. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Board } from "#contract/instrument.ts";
import { BOARDS } from "#contract/instrument.ts";
import { useInstruments, useListedBoards } from "#src/streams/instruments.ts";
import { categoryKey, categoryRankingPath, grouped } from "#src/screens/quote/categories.ts";
import { categoryName } from "#src/screens/quote/names.ts";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Skeleton, useSkeleton } from "#src/ui/state.tsx";
import styles from "./stock-list.module.css";

/** `/home/stockList` */
export function StockList() {
  const { t } = useTranslation();
  const [board, setBoard] = useState<Board | null>(null);
  const table = useInstruments();
  const boards = useListedBoards(BOARDS);
  const skeleton = useSkeleton(table === null);
  const sections = useMemo(
    () =>
      grouped(table?.categories ?? [], table?.list ?? [], board).map(({ category, items }) => ({
        id: categoryKey(category),
        title: t("home.category", { board: t(`market.board.${category.board}`), category: categoryName(category) }),
        to: categoryRankingPath(category),
        note: String(items.length),
        items,
      })),
    [table, board, t],
  );
  return (
    <Screen
      header={
        <BackHeader title={t("home.stockList")} subtitle={table && t("home.count", { n: table.list.length })} action={<SearchLink />} />
      }
      top={
        <>
          <StaleNotice />
          <div className={styles.boards}>
            <ChipRow label={t("home.boards")}>
              <Chip pressed={board === null} onPress={() => setBoard(null)}>
                {t("home.allBoards")}
              </Chip>
              {boards.map((one) => (
                <Chip key={one} pressed={board === one} onPress={() => setBoard(one)}>
                  {t(`market.board.${one}`)}
                </Chip>
              ))}
            </ChipRow>
          </div>
        </>
      }
      scroll="own"
    >
      {table ? (
        // A new key per board, so that another board starts at its top.
        <QuoteList key={board} label={t("home.stockList")} sections={sections} />
      ) : (
        skeleton && <Skeleton rows={10} />
      )}
    </Screen>
  );
}
