/** The whole market by its indices: both boards with breadth and turnover, then every sector index, live. */
import { pathTo } from "#src/paths.ts";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import type { Instrument } from "#contract/instrument.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import type { Instruments } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { useShortNumber } from "#src/streams/short-numbers.ts";
import { ownPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { QuoteList } from "#src/screens/quote/quote-list.tsx";
import { SearchLink } from "#src/screens/quote/search-link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { BOARD_INDEX, boardOf, INDEXED } from "./board-index.ts";
import type { Indexed } from "./board-index.ts";
import { breadthOf } from "#src/screens/quote/breadth.ts";
import type { Breadth } from "#src/screens/quote/breadth.ts";
import { BreadthBar } from "#src/screens/quote/breadth-bar.tsx";
import { useCategoryHeats } from "#src/screens/quote/use-sector-heats.ts";
import styles from "./indices.module.css";

/** The sector indices of a board: all of its indices but the market index. */
export function sectorIndices({ list }: Pick<Instruments, "list">, board: Indexed): Instrument[] {
  return list.filter((one) => one.kind === "index" && boardOf(one) === board && one.code !== BOARD_INDEX[board]);
}

/** `/market/largeMarket` */
export function Indices() {
  const { t } = useTranslation();
  const table = useInstruments();
  const skeleton = useSkeleton(table === null);
  const sections = useMemo(
    () =>
      INDEXED.map((board) => {
        const items = table ? sectorIndices(table, board) : [];
        return { id: board, title: t(`market.large.sectors.${board}`), note: String(items.length), items };
      }),
    [table, t],
  );
  return (
    <Screen
      header={<BackHeader title={t("market.large.title")} fallback="/market/index" action={<SearchLink />} />}
      top={<StaleNotice />}
      scroll="own"
    >
      {table ? (
        <QuoteList label={t("market.large.title")} sections={sections} before={<Boards table={table} />} />
      ) : (
        skeleton && (
          <>
            <Skeleton shape="block" />
            <Skeleton rows={7} />
          </>
        )
      )}
    </Screen>
  );
}

function Boards({ table }: { table: Instruments }) {
  const heats = useCategoryHeats();
  return (
    <div className={styles.boards}>
      {INDEXED.map((board) => {
        const index = table.byCode.get(BOARD_INDEX[board]);
        return index && <BoardCard key={board} index={index} board={board} breadth={heats && breadthOf(heats, board)} />;
      })}
    </div>
  );
}

const NONE: Breadth = { up: 0, down: 0, flat: 0, limitUp: 0, limitDown: 0, turnover: 0 };

/** One board: its index, breadth and turnover; its layout does not change while loading. */
function BoardCard({ index, board, breadth }: { index: Instrument; board: Indexed; breadth: Breadth | null }) {
  const { t, i18n } = useTranslation();
  const short = useShortNumber();
  return (
    <section className={styles.card} aria-labelledby={`board-${board}`}>
      <Link to={ownPath(index)} className={styles.head ?? ""} onClick={() => rememberDetail(index)}>
        <h2 id={`board-${board}`}>{shortName(index, i18n.language)}</h2>
        <QuoteCell code={index.code} field="last" className={styles.last} />
        <QuoteCell code={index.code} field="changeAndPercent" className={styles.change} />
      </Link>
      <BreadthBar breadth={breadth ?? NONE} />
      <div className={styles.foot}>
        <p>
          {t("market.stat.turnover")} <b data-live>{breadth ? short(breadth.turnover) : "--"}</b>
        </p>
        <Link className={styles.more ?? ""} to={pathTo("/market/Plate", { board })}>
          {t("market.heat.title")}
        </Link>
      </div>
    </section>
  );
}
