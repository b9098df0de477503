/** The market tab: index strip, quick links, watchlist, and rankings of one board or all. */
import { Table2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "#src/ui/link.tsx";
import type { Board } from "#contract/instrument.ts";
import { IndexStrip } from "#src/screens/quote/index-strip.tsx";
import { QuoteLists } from "#src/screens/quote/quote-lists.tsx";
import type { ListName } from "#src/screens/quote/lists.ts";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { Screen, TitleHeader } from "#src/ui/screen.tsx";
import { BoardChips } from "./board-chips.tsx";
import { QuickLinks } from "./quick-links.tsx";
import styles from "./quotes.module.css";

/** `/favorite/index` */
export function Quotes() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [list, setList] = useState<ListName>("watchlist");
  const [board, setBoard] = useState<Board | null>(null);
  return (
    <Screen
      header={
        <TitleHeader
          title={t("favorite.title")}
          action={
            <>
              <IconButton
                label={t("favorite.dense")}
                icon={<Table2 size={22} aria-hidden />}
                onClick={() => void navigate("/favorite/indexCopy", { replace: true })}
              />
              <SearchLink />
            </>
          }
        />
      }
      top={<StaleNotice />}
      scroll="own"
    >
      <QuoteLists
        list={list}
        onChoose={setList}
        board={board}
        above={
          <div className={styles.above}>
            <IndexStrip />
            <QuickLinks />
          </div>
        }
        between={
          <div className={styles.boards}>
            <BoardChips board={board} onChoose={setBoard} />
          </div>
        }
      />
    </Screen>
  );
}
