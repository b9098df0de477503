/** Pending, closed and cancelled orders, newest first, page by page. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { QueuePlace } from "#src/screens/ticket/queue-place.tsx";
import { orders } from "#src/streams/orders.ts";
import type { OrderTab } from "#src/streams/orders.ts";
import { usePages } from "#src/streams/pages.ts";
import { Button } from "#src/ui/button.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { BulkAlert } from "./bulk-alert.tsx";
import { OrderActions } from "./order-actions.tsx";
import type { RunningAction } from "./order-actions.tsx";
import { FilterRow } from "./filter-row.tsx";
import { passes } from "./filter.ts";
import type { OrderFilter } from "./filter.ts";
import { usePriceWord, useSizeWord } from "./order-lines.tsx";
import { OrderRow } from "./order-row.tsx";
import { AsyncSection } from "./async-section.tsx";
import styles from "./trade.module.css";

export interface OrderListProps {
  tab: Exclude<OrderTab, "holding">;
  filter: OrderFilter;
  onFilter: (filter: OrderFilter) => void;
}

/** A tab of the trade screen that is a plain list. */
export function OrderList({ tab, filter, onFilter }: OrderListProps) {
  const { t } = useTranslation();
  const list = usePages(orders[tab]);
  const [running, setRunning] = useState<RunningAction | null>(null);
  const [cancellingAll, setCancellingAll] = useState(false);
  const items = list.value?.items ?? [];
  const shown = items.filter((order) => passes(filter, order));
  const cancellable = items.filter((order) => filter.code === null || order.code === filter.code);
  const Row = ROWS[tab];
  return (
    <>
      <AsyncSection read={list}>
        {items.length === 0 ? (
          <EmptyState title={t(`trade.none.${tab}`)} why={t(`trade.noneWhy.${tab}`)} />
        ) : (
          <>
            {tab === "closed" && <RealisedTotal orders={shown} whole={list.value?.next === null} />}
            <FilterRow orders={items} filter={filter} onFilter={onFilter} />
            <ul className={styles.list} role="list" aria-label={t(`trade.${tab}`)}>
              {shown.map((order) => (
                <Row key={order.orderNo} order={order} onDo={setRunning} />
              ))}
            </ul>
          </>
        )}
        {list.value?.next !== null && (
          <div className={styles.more}>
            {list.moreState === "failed" && <p role="alert">{t("trade.moreFailed")}</p>}
            <Button busy={list.moreState === "loading"} onClick={list.more}>
              {t("trade.more")}
            </Button>
          </div>
        )}
        {tab === "pending" && cancellable.length > 1 && (
          <div className={styles.bulk}>
            <Button block onClick={() => setCancellingAll(true)}>
              {filter.code === null ? t("trade.cancelAll") : t("trade.cancelAllOf", { code: filter.code })}
            </Button>
          </div>
        )}
      </AsyncSection>
      <OrderActions running={running} onDo={setRunning} />
      <BulkAlert what="cancel" open={cancellingAll} orders={cancellable} code={filter.code} onClose={() => setCancellingAll(false)} />
    </>
  );
}

/** The total realised profit of a list of orders. */
function RealisedTotal({ orders: closedOrders, whole }: { orders: readonly Order[]; whole: boolean }) {
  const { t } = useTranslation();
  const profitCents = closedOrders.reduce((sum, order) => sum + order.profitCents, 0);
  return (
    <dl className={styles.summary}>
      <div data-main>
        <dt>{t(whole ? "trade.madeTotal" : "trade.madeShown", { count: closedOrders.length, n: closedOrders.length })}</dt>
        <dd className={styles.rate}>
          <Direction trend={trendOf(profitCents)} text={formatMoney(profitCents, "always")} arrow={false} />
        </dd>
      </div>
    </dl>
  );
}

interface RowProps {
  order: Order;
  onDo: (running: RunningAction) => void;
}

function PendingRow({ order, onDo }: RowProps) {
  const { t } = useTranslation();
  const price = usePriceWord();
  const size = useSizeWord();
  return (
    <OrderRow
      order={order}
      note={
        <>
          {`${price(order)} · ${size(order)}`}
          <QueuePlace order={order} />
        </>
      }
      action={<Button onClick={() => onDo({ action: "cancel", order })}>{t("trade.cancel")}</Button>}
      onMenu={() => onDo({ action: "menu", order })}
    />
  );
}

function ClosedRow({ order }: RowProps) {
  const { t } = useTranslation();
  const units = useUnits();
  const cause = order.closeCause === null || order.closeCause === "member" ? "" : ` · ${t(`order.cause.${order.closeCause}`)}`;
  return (
    <OrderRow
      order={order}
      note={`${units(order.closedLots, order)}${cause}`}
      number={<Direction trend={trendOf(order.profitCents)} text={formatMoney(order.profitCents, "always")} arrow={false} />}
      second={order.soldAt === null ? null : formatDateTime(order.soldAt).slice(0, 10)}
    />
  );
}

function CancelledRow({ order }: RowProps) {
  const price = usePriceWord();
  const size = useSizeWord();
  return <OrderRow order={order} note={`${price(order)} · ${size(order)}`} second={formatDateTime(order.placedAt).slice(0, 10)} />;
}

const ROWS = { pending: PendingRow, closed: ClosedRow, cancelled: CancelledRow };
