/** Pending, closed and cancelled orders, newest first, page by page. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import { orders } from "#src/streams/orders.ts";
import type { OrderTab } from "#src/streams/orders.ts";
import { usePages } from "#src/streams/pages.ts";
import { Button } from "#src/ui/button.tsx";
import { Direction, trendOf } from "#src/ui/direction.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { CancelAlert } from "./cancel-alert.tsx";
import { usePriceWord, useSizeWord } from "./order-lines.tsx";
import { OrderRow } from "./order-row.tsx";
import { Reading } from "./reading.tsx";
import styles from "./trade.module.css";

/** One tab of the trade screen that is a plain list. */
export function OrderList({ tab }: { tab: Exclude<OrderTab, "holding"> }) {
  const { t } = useTranslation();
  const list = usePages(orders[tab]);
  const [cancelling, setCancelling] = useState<Order | null>(null);
  const items = list.value?.items ?? [];
  const Row = ROWS[tab];
  return (
    <>
      <Reading read={list}>
        {items.length === 0 ? (
          <EmptyState title={t(`trade.none.${tab}`)} why={t(`trade.noneWhy.${tab}`)} />
        ) : (
          <ul className={styles.list} role="list" aria-label={t(`trade.${tab}`)}>
            {items.map((order) => (
              <Row key={order.orderNo} order={order} onCancel={() => setCancelling(order)} />
            ))}
          </ul>
        )}
        {list.value?.next !== null && (
          <div className={styles.more}>
            {list.moreState === "failed" && <p role="alert">{t("trade.moreFailed")}</p>}
            <Button busy={list.moreState === "loading"} onClick={list.more}>
              {t("trade.more")}
            </Button>
          </div>
        )}
      </Reading>
      <CancelAlert order={cancelling} onClose={() => setCancelling(null)} />
    </>
  );
}

interface RowProps {
  order: Order;
  onCancel: () => void;
}

function PendingRow({ order, onCancel }: RowProps) {
  const { t } = useTranslation();
  const price = usePriceWord();
  const size = useSizeWord();
  return (
    <OrderRow order={order} note={`${price(order)} · ${size(order)}`} action={<Button onClick={onCancel}>{t("trade.cancel")}</Button>} />
  );
}

function ClosedRow({ order }: RowProps) {
  const size = useSizeWord();
  return (
    <OrderRow
      order={order}
      note={size(order)}
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
