/** The sector heat screen: every category of a board as a treemap or as a list. */
import { ArrowDown, ArrowUp } from "lucide-react";
import { useContext } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Board } from "#contract/instrument.ts";
import { useQuery } from "#src/ui/link.tsx";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { Chip, ChipRow, Segmented } from "#src/ui/choice.tsx";
import { Hidden } from "#src/ui/hidden.tsx";
import { BackHeader, Pane, Screen } from "#src/ui/screen.tsx";
import { EmptyState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { useWide } from "#src/ui/use-wide.ts";
import { INDEXED, isIndexed } from "./board-index.ts";
import { HEAT_SORTS } from "#src/screens/quote/breadth.ts";
import type { CategoryHeat, HeatSort } from "#src/screens/quote/breadth.ts";
import { HeatList } from "./heat-list.tsx";
import { HeatMap } from "./heat-map.tsx";
import { useCategoryHeats } from "#src/screens/quote/use-sector-heats.ts";
import styles from "./categories.module.css";

const VIEWS = ["map", "list"] as const;

/** `/market/Plate?board=otc&view=list&by=turnover&up=1`: the choices are kept in the address, so that Back restores them. */
export function Categories() {
  const { t } = useTranslation();
  const [query, setQuery] = useQuery<"/market/Plate">();
  const boardParam = query.get("board");
  const board = isIndexed(boardParam) ? boardParam : "listed";
  const view = VIEWS.find((one) => one === query.get("view")) ?? "map";
  const by = HEAT_SORTS.find((one) => one === query.get("by")) ?? "change";
  const descending = query.get("up") === null;
  const change = (next: { board?: Board; view?: (typeof VIEWS)[number]; by?: HeatSort; descending?: boolean }): void => {
    const now = { board, view, by, descending, ...next };
    setQuery({ board: now.board, view: now.view, by: now.by, up: now.descending ? undefined : "1" });
  };
  const all = useCategoryHeats();
  const heats = all?.filter(({ category }) => category.board === board) ?? null;
  const skeleton = useSkeleton(heats === null);
  return (
    <Screen
      header={<BackHeader title={t("market.heat.title")} fallback="/market/index" />}
      top={
        <>
          <StaleNotice />
          <div className={styles.choices}>
            <Segmented
              label={t("market.boards")}
              options={INDEXED.map((value) => ({ value, label: t(`market.tab.${value}`) }))}
              value={board}
              onChoose={(next) => change({ board: next })}
            />
            <Segmented
              label={t("market.heat.views")}
              options={VIEWS.map((value) => ({ value, label: t(`market.heat.view.${value}`) }))}
              value={view}
              onChoose={(next) => change({ view: next })}
            />
          </div>
          {view === "list" && (
            <div className={styles.sorts}>
              <ChipRow label={t("market.heat.sortBy")}>
                {HEAT_SORTS.map((one) => (
                  <Chip
                    key={one}
                    pressed={one === by}
                    onPress={() => change(one === by ? { descending: !descending } : { by: one, descending: true })}
                  >
                    {t(`market.heat.sort.${one}`)}
                    {one === by && <Order descending={descending} />}
                  </Chip>
                ))}
              </ChipRow>
            </div>
          )}
        </>
      }
      scroll="own"
      width="wide"
    >
      {heats === null && skeleton && <Skeleton rows={view === "list" ? 9 : 1} shape={view === "list" ? "row" : "block"} />}
      {heats?.length === 0 && <EmptyState title={t("market.heat.none")} />}
      {heats && heats.length > 0 && view === "map" && <HeatMap key={board} heats={heats} onList={() => change({ view: "list" })} />}
      {heats && heats.length > 0 && view === "list" && (
        <BesideMap board={board} heats={heats}>
          <HeatList key={`${board} ${by} ${descending}`} heats={heats} by={by} descending={descending} />
        </BesideMap>
      )}
    </Screen>
  );
}

/** The list, with the map beside it where there is room. */
function BesideMap({ board, heats, children }: { board: Board; heats: readonly CategoryHeat[]; children: ReactNode }) {
  const alone = useContext(Pane) === null;
  const room = useWide() && alone;
  return (
    <div className={styles.panes}>
      {children}
      {room && <HeatMap key={board} heats={heats} onList={() => undefined} />}
    </div>
  );
}

function Order({ descending }: { descending: boolean }) {
  const { t } = useTranslation();
  const Arrow = descending ? ArrowDown : ArrowUp;
  return (
    <>
      <Arrow size={14} aria-hidden />
      <Hidden>{t(descending ? "market.heat.descending" : "market.heat.ascending")}</Hidden>
    </>
  );
}
