/** Market breadth and turnover of both boards, with links to indices and sectors. */
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { grouped } from "#contract/kernel/money.ts";
import { BreadthStrip } from "#src/screens/quote/breadth-bar.tsx";
import { breadthOf } from "#src/screens/quote/breadth.ts";
import { useCategoryHeats } from "#src/screens/quote/use-sector-heats.ts";
import { useListedBoards } from "#src/streams/instruments.ts";
import { useShortNumber } from "#src/streams/short-numbers.ts";
import { Direction } from "#src/ui/direction.tsx";
import { Section } from "#src/ui/row.tsx";
import styles from "./digest.module.css";

const BOARDS = ["listed", "otc"] as const;
const SIDES = ["up", "flat", "down"] as const;
const NONE = { up: 0, down: 0, flat: 0, turnover: 0 };

/** One line per board; updates about once a second. */
export function MarketInfo() {
  const { t } = useTranslation();
  const heats = useCategoryHeats();
  const boards = useListedBoards(BOARDS);
  const short = useShortNumber();
  return (
    <Section
      title={t("home.marketInfo")}
      action={
        <Link to="/market/Plate" className={styles.all ?? ""}>
          {t("home.way.sectors")}
        </Link>
      }
    >
      <ul role="list" className={styles.boards}>
        {boards.map((board) => {
          const breadth = heats ? breadthOf(heats, board) : NONE;
          return (
            <li key={board}>
              <Link to="/market/largeMarket" className={styles.board ?? ""}>
                <span className={styles.boardName}>{t(`market.board.${board}`)}</span>
                <span className={styles.counts} data-live>
                  {heats ? SIDES.map((side) => <Direction key={side} trend={side} text={grouped(String(breadth[side]))} />) : "--"}
                </span>
                <span className={styles.turnover} data-live>
                  {heats ? t("home.turnover", { amount: short(breadth.turnover) }) : "--"}
                </span>
                <BreadthStrip breadth={breadth} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
