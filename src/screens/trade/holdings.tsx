/** The member's open positions: live profit of each and in total, expandable to their orders, each with its close button. */
import { Suspense, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import { useQuery } from "#src/ui/link.tsx";
import { positions } from "#src/streams/orders.ts";
import { usePositions } from "#src/streams/positions.ts";
import { useResource } from "#src/streams/resource.ts";
import { Button } from "#src/ui/button.tsx";
import { BulkAlert, directionOf } from "./bulk-alert.tsx";
import type { CloseTarget } from "./close-sheet.tsx";
import { HoldingsHead } from "./holdings-head.tsx";
import { OrderActions } from "./order-actions.tsx";
import type { RunningAction } from "./order-actions.tsx";
import { FilterRow } from "./filter-row.tsx";
import { passes } from "./filter.ts";
import type { OrderFilter } from "./filter.ts";
import { NoneHeld, OpenContracts } from "./open-contracts.tsx";
import { PositionRow } from "./position-row.tsx";
import { AsyncSection } from "./async-section.tsx";
import styles from "./trade.module.css";

const CloseSheet = lazy(() => import("./close-sheet.tsx").then((module) => ({ default: module.CloseSheet })));

/** The expanded row; a link that names a position expands it, also on a page that was kept. */
function useExpanded(named: string | null): [expanded: string | null, expand: (id: string | null) => void] {
  const [followed, setFollowed] = useState(named);
  const [expanded, setExpanded] = useState(named);
  if (followed !== named) {
    setFollowed(named);
    if (named !== null) setExpanded(named);
  }
  return [expanded, setExpanded];
}

/** The first tab of the trade screen. A link may name the position to expand. */
export function Holdings({ filter, onFilter }: { filter: OrderFilter; onFilter: (filter: OrderFilter) => void }) {
  const { t } = useTranslation();
  const [query] = useQuery<"/trade/index">();
  const read = usePositions();
  const orders = useResource(positions).value ?? [];
  const [expanded, setExpanded] = useExpanded(query.get("position"));
  const [running, setRunning] = useState<RunningAction | null>(null);
  const [closing, setClosing] = useState<CloseTarget | null>(null);
  const [closed, setClosed] = useState(false);
  const [closingAll, setClosingAll] = useState(false);
  const held = read.value ?? [];
  const shown = held.filter((position) => passes(filter, position));
  const closable = orders.filter((order) => order.status === "holding" && (filter.code === null || order.code === filter.code));
  const { code } = filter;
  const side = directionOf(closable);
  const closeAll =
    side === null
      ? code === null
        ? t("trade.closeAll")
        : t("trade.closeAllOf", { code })
      : code === null
        ? t(`trade.closeAllSide.${side}.key`)
        : t(`trade.closeAllSide.${side}.keyOf`, { code });
  return (
    <>
      <AsyncSection read={read}>
        <HoldingsHead />
        <OpenContracts />
        {held.length === 0 ? (
          <NoneHeld />
        ) : (
          <>
            <FilterRow orders={held} filter={filter} onFilter={onFilter} byCode={false} />
            <ul className={styles.list} role="list" aria-label={t("trade.holding")}>
              {shown.map((position) => (
                <PositionRow
                  key={position.id}
                  position={position}
                  expanded={expanded === position.id}
                  onExpand={() => setExpanded(expanded === position.id ? null : position.id)}
                  onClose={() => {
                    setClosed(true);
                    setClosing({ position, orderNos: [] });
                  }}
                  onDo={setRunning}
                />
              ))}
            </ul>
            {closable.length > 1 && (
              <div className={styles.bulk}>
                <Button block onClick={() => setClosingAll(true)}>
                  {closeAll}
                </Button>
              </div>
            )}
          </>
        )}
      </AsyncSection>
      <OrderActions running={running} onDo={setRunning} />
      <Suspense fallback={null}>{closed && <CloseSheet target={closing} onClose={() => setClosing(null)} />}</Suspense>
      <BulkAlert what="close" open={closingAll} orders={closable} code={filter.code} onClose={() => setClosingAll(false)} />
    </>
  );
}
