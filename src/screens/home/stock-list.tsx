/** The whole market: every instrument under its category, in one virtual list with sticky headings, live. */
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Board, Category, Instrument } from "#contract/instrument.ts";
import { BOARDS } from "#contract/instrument.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { categoryName } from "#src/screens/quote/names.ts";
import { QuoteItem } from "#src/screens/quote/quote-row.tsx";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import styles from "./stock-list.module.css";

const codeOf = (instrument: Instrument): string => instrument.code;

/** A category with its instruments. */
export interface Group {
  category: Category;
  items: Instrument[];
}

/** Instruments under their categories, in the order of boards and of categories; empty categories are left out. */
export function grouped(categories: readonly Category[], instruments: readonly Instrument[], board: Board | null): Group[] {
  const groups = new Map<string, Group>(categories.map((category) => [`${category.board} ${category.code}`, { category, items: [] }]));
  for (const instrument of instruments) groups.get(`${instrument.board} ${instrument.category}`)?.items.push(instrument);
  const shown = [...groups.values()].filter(({ category, items }) => items.length > 0 && (board === null || category.board === board));
  return shown.toSorted((a, b) => BOARDS.indexOf(a.category.board) - BOARDS.indexOf(b.category.board));
}

/** `/home/stockList` */
export function StockList() {
  const { t, i18n } = useTranslation();
  const [board, setBoard] = useState<Board | null>(null);
  const table = useInstruments();
  const skeleton = useSkeleton(table === null);
  const sections = useMemo(
    () =>
      grouped(table?.categories ?? [], table?.list ?? [], board).map(({ category, items }) => ({
        id: `${category.board} ${category.code}`,
        title: t("home.category", { board: t(`market.board.${category.board}`), category: categoryName(category, i18n.language) }),
        note: String(items.length),
        items,
      })),
    [table, board, t, i18n.language],
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
              {BOARDS.map((one) => (
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
        // Another board is another list: it begins at its top.
        <VirtualList key={board} label={t("home.stockList")} sections={sections} keyOf={codeOf} Row={QuoteItem} />
      ) : (
        skeleton && <Skeleton rows={10} />
      )}
    </Screen>
  );
}
