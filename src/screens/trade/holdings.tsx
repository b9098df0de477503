/** The member's open positions: live profit of each and in total, each with a close button. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import { useUnits } from "#src/screens/quote/units.ts";
import { OrderStatus } from "#src/screens/ticket/order-status.tsx";
import { positions } from "#src/streams/orders.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { useResource } from "#src/streams/resource.ts";
import { Button } from "#src/ui/button.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { BulkAlert } from "./bulk-alert.tsx";
import { OrderActions } from "./order-actions.tsx";
import type { RunningAction } from "./order-actions.tsx";
import { FilterRow } from "./filter-row.tsx";
import { passes } from "./filter.ts";
import type { OrderFilter } from "./filter.ts";
import { openLots, useDecimals } from "./order-lines.tsx";
import { OrderRow } from "./order-row.tsx";
import { AsyncSection } from "./async-section.tsx";
import styles from "./trade.module.css";

/** The first tab of the trade screen. */
export function Holdings({ filter, onFilter }: { filter: OrderFilter; onFilter: (filter: OrderFilter) => void }) {
  const { t } = useTranslation();
  const read = useResource(positions);
  const [running, setRunning] = useState<RunningAction | null>(null);
  const [closingAll, setClosingAll] = useState(false);
  const held = read.value ?? [];
  const shown = held.filter((order) => passes(filter, order));
  const closable = held.filter((order) => order.status === "holding" && (filter.code === null || order.code === filter.code));
  return (
    <>
      <AsyncSection read={read}>
        {held.length === 0 ? (
          <EmptyState
            title={t("trade.noneHeld")}
            why={t("trade.noneHeldWhy")}
            action={{ label: t("trade.findStock"), to: "/favorite/index" }}
          />
        ) : (
          <>
            <Summary />
            <FilterRow orders={held} filter={filter} onFilter={onFilter} />
            <ul className={styles.list} role="list" aria-label={t("trade.holding")}>
              {shown.map((order) => (
                <Position key={order.orderNo} order={order} onDo={setRunning} />
              ))}
            </ul>
            {closable.length > 1 && (
              <div className={styles.bulk}>
                <Button block onClick={() => setClosingAll(true)}>
                  {filter.code === null ? t("trade.closeAll") : t("trade.closeAllOf", { code: filter.code })}
                </Button>
              </div>
            )}
          </>
        )}
      </AsyncSection>
      <OrderActions running={running} onDo={setRunning} />
      <BulkAlert what="close" open={closingAll} orders={closable} code={filter.code} onClose={() => setClosingAll(false)} />
    </>
  );
}

/** The totals of all positions, updated by the streams without React rendering. */
function Summary() {
  const { t } = useTranslation();
  return (
    <dl className={styles.summary}>
      <div data-main>
        <dt>{t("trade.totalProfit")}</dt>
        <dd>
          <ProfitButton of={{ kind: "open" }} className={styles.total}>
            <ProfitCell orderNo={null} field="profit" className={styles.hero} />
            <ProfitCell orderNo={null} field="returnRate" className={styles.rate} />
          </ProfitButton>
        </dd>
      </div>
      <div>
        <dt>{t("trade.marketValue")}</dt>
        <dd>
          <ProfitCell orderNo={null} field="marketValue" className={styles.plain} />
        </dd>
      </div>
      <div>
        <dt>{t("trade.cost")}</dt>
        <dd>
          <ProfitCell orderNo={null} field="openCost" className={styles.plain} />
        </dd>
      </div>
    </dl>
  );
}

function Position({ order, onDo }: { order: Order; onDo: (running: RunningAction) => void }) {
  const { t } = useTranslation();
  const decimals = useDecimals();
  const units = useUnits();
  const closing = order.status === "readyToClose";
  return (
    <OrderRow
      order={order}
      note={
        closing ? (
          <OrderStatus status={order.status} />
        ) : (
          t("trade.heldSize", {
            size: units(openLots(order), order.lotShares),
            price: formatPrice(order.openAverage, decimals(order.code)),
          })
        )
      }
      number={<ProfitCell orderNo={order.orderNo} field="profit" />}
      second={<ProfitCell orderNo={order.orderNo} field="returnRate" />}
      action={
        <Button onClick={() => onDo({ action: closing ? "cancel" : "close", order })}>{t(closing ? "trade.cancel" : "trade.close")}</Button>
      }
      onMenu={() => onDo({ action: "menu", order })}
    />
  );
}
