/** What the member holds: live profit per position and of all together, each a tap away from being closed. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { OrderStatus } from "#src/screens/ticket/order-status.tsx";
import { positions } from "#src/streams/orders.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { useResource } from "#src/streams/resource.ts";
import { Button } from "#src/ui/button.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { CancelAlert } from "./cancel-alert.tsx";
import { CloseSheet } from "./close-sheet.tsx";
import { openLots, useDecimals } from "./order-lines.tsx";
import { OrderRow } from "./order-row.tsx";
import { Reading } from "./reading.tsx";
import styles from "./trade.module.css";

/** The first tab. */
export function Holdings() {
  const { t } = useTranslation();
  const read = useResource(positions);
  const [closing, setClosing] = useState<Order | null>(null);
  const [cancelling, setCancelling] = useState<Order | null>(null);
  const held = read.value ?? [];
  return (
    <>
      <Reading read={read}>
        {held.length === 0 ? (
          <EmptyState
            title={t("trade.noneHeld")}
            why={t("trade.noneHeldWhy")}
            action={{ label: t("trade.findStock"), to: "/favorite/index" }}
          />
        ) : (
          <>
            <Summary />
            <ul className={styles.list} role="list" aria-label={t("trade.holding")}>
              {held.map((order) => (
                <Position key={order.orderNo} order={order} onClose={() => setClosing(order)} onCancel={() => setCancelling(order)} />
              ))}
            </ul>
          </>
        )}
      </Reading>
      <CloseSheet order={closing} onClose={() => setClosing(null)} />
      <CancelAlert order={cancelling} onClose={() => setCancelling(null)} />
    </>
  );
}

/** All positions together, written by the streaming kernel. */
function Summary() {
  const { t } = useTranslation();
  return (
    <dl className={styles.summary}>
      <div data-main>
        <dt>{t("trade.totalProfit")}</dt>
        <dd>
          <ProfitCell orderNo={null} field="profit" className={styles.hero} />
          <ProfitCell orderNo={null} field="returnRate" className={styles.rate} />
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

function Position({ order, onClose, onCancel }: { order: Order; onClose: () => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const decimals = useDecimals();
  const closing = order.status === "readyToClose";
  return (
    <OrderRow
      order={order}
      note={
        closing ? (
          <OrderStatus status={order.status} />
        ) : (
          t("trade.heldAt", { n: openLots(order), price: formatPrice(order.openAverage, decimals(order.code)) })
        )
      }
      number={<ProfitCell orderNo={order.orderNo} field="profit" />}
      second={<ProfitCell orderNo={order.orderNo} field="returnRate" />}
      action={closing ? <Button onClick={onCancel}>{t("trade.cancel")}</Button> : <Button onClick={onClose}>{t("trade.close")}</Button>}
    />
  );
}
