/** The second tab: where the market stands, my watchlist, and who moves most, on one board or all. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Board } from "#contract/instrument.ts";
import { IndexStrip } from "#src/screens/quote/index-strip.tsx";
import { QuoteLists } from "#src/screens/quote/quote-lists.tsx";
import type { ListName } from "#src/screens/quote/lists.ts";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { Screen, TitleHeader } from "#src/ui/screen.tsx";
import styles from "./quotes.module.css";

/** The boards whose instruments are ranked. */
const RANKED_BOARDS = ["listed", "otc", "crypto"] as const satisfies readonly Board[];

/** `/favorite/index` */
export function Quotes() {
  const { t } = useTranslation();
  const [list, setList] = useState<ListName>("watchlist");
  const [board, setBoard] = useState<Board | null>(null);
  return (
    <Screen header={<TitleHeader title={t("favorite.title")} action={<SearchLink />} />} top={<StaleNotice />} scroll="own">
      <QuoteLists
        list={list}
        onChoose={setList}
        board={board}
        above={
          <div className={styles.above}>
            <IndexStrip />
          </div>
        }
        between={
          list !== "watchlist" && (
            <div className={styles.boards}>
              <ChipRow label={t("favorite.boards")}>
                <Chip pressed={board === null} onPress={() => setBoard(null)}>
                  {t("favorite.allBoards")}
                </Chip>
                {RANKED_BOARDS.map((one) => (
                  <Chip key={one} pressed={board === one} onPress={() => setBoard(one)}>
                    {t(`market.board.${one}`)}
                  </Chip>
                ))}
              </ChipRow>
            </div>
          )
        }
      />
    </Screen>
  );
}
