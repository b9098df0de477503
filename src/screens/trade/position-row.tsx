/** One position in two lines: name and kind, size and average, last price, live profit; a tap shows its orders and actions. */
import { useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import { detailPath, rememberDetail } from "#src/screens/quote/detail-link.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { PositionKind } from "#src/screens/quote/position-kind.tsx";
import { useSharesWord } from "#src/screens/quote/position-words.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import { OrderStatus } from "#src/screens/ticket/order-status.tsx";
import { useUnits } from "#src/screens/quote/units.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { Button } from "#src/ui/button.tsx";
import { Link } from "#src/ui/link.tsx";
import { openLots } from "./order-lines.tsx";
import { OrderRow } from "./order-row.tsx";
import { isReversible } from "./order-actions.tsx";
import type { RunningAction } from "./order-actions.tsx";
import styles from "./positions.module.css";

interface PositionRowProps {
  position: Position;
  expanded: boolean;
  onExpand: () => void;
  /** Opens the sheet that closes it. */
  onClose: () => void;
  onDo: (running: RunningAction) => void;
}

export function PositionRow({ position, expanded, onExpand, onClose, onDo }: PositionRowProps) {
  const { t, i18n } = useTranslation();
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  const sharesOf = useSharesWord();
  const instrument = useInstruments()?.byCode.get(position.code);
  const { closingShares } = position;
  // A link to one position of many leads to its row.
  useEffect(() => {
    if (expanded) row.current?.scrollIntoView({ block: "nearest" });
  }, [expanded]);
  return (
    <li ref={row} className={styles.item}>
      <div className={styles.row}>
        <button type="button" className={styles.toggle} aria-expanded={expanded} aria-controls={id} onClick={onExpand}>
          <span className={styles.texts}>
            <span className={styles.title}>
              <span className={styles.name}>{instrument ? shortName(instrument, i18n.language) : position.code}</span>
              <PositionKind position={position} />
            </span>
            <span className={styles.size}>
              {position.code} ·{" "}
              {t("trade.heldSize", {
                size: sharesOf(position, position.shares),
                price: formatPrice(position.averagePrice, instrument?.decimals ?? 2),
              })}
              {closingShares > 0 && ` · ${t(`trade.closingSize.${position.direction}`, { size: sharesOf(position, closingShares) })}`}
            </span>
          </span>
          <QuoteCell code={position.code} field="last" className={styles.last} />
        </button>
        <ProfitButton of={{ kind: "position", position }} className={styles.profit}>
          <ProfitCell positionId={position.id} field="profit" className={styles.amount} />
          <ProfitCell positionId={position.id} field="returnRate" className={styles.percent} />
        </ProfitButton>
      </div>
      <div id={id} hidden={!expanded}>
        {expanded && <PositionOrders position={position} onClose={onClose} onDo={onDo} />}
      </div>
    </li>
  );
}

/** The actions of a position, and the orders that hold it. */
function PositionOrders({ position, onClose, onDo }: Pick<PositionRowProps, "position" | "onClose" | "onDo">) {
  const { t } = useTranslation();
  const instrument = useInstruments()?.byCode.get(position.code);
  const { orders, direction } = position;
  return (
    <div className={styles.orders}>
      <div className={styles.actions}>
        {position.closableShares > 0 && (
          <Button tone={direction === "rise" ? "down" : "up"} onClick={onClose}>
            {t(`trade.closeSide.${direction}`)}
          </Button>
        )}
        <Button onClick={() => onDo({ action: "positionExits", position })}>{t("trade.exits")}</Button>
        {isReversible(position) && <Button onClick={() => onDo({ action: "positionReverse", position })}>{t("trade.reverse")}</Button>}
        <Link to={detailPath(position.code)} className={styles.stock ?? ""} onClick={() => instrument && rememberDetail(instrument)}>
          {t("order.toStock", { code: position.code })}
        </Link>
      </div>
      <ul role="list" aria-label={t("trade.ordersOf", { code: position.code })}>
        {orders.map((order) => (
          <HeldOrder key={order.orderNo} order={order} decimals={instrument?.decimals ?? 2} onDo={onDo} />
        ))}
      </ul>
    </div>
  );
}

function HeldOrder({ order, decimals, onDo }: { order: Order; decimals: number; onDo: (running: RunningAction) => void }) {
  const { t } = useTranslation();
  const units = useUnits();
  const closing = order.status === "readyToClose";
  return (
    <OrderRow
      order={order}
      title={t("trade.heldSize", { size: units(openLots(order), order), price: formatPrice(order.openAverage, decimals) })}
      note={
        <>
          {formatDateTime(order.placedAt).slice(0, 16)} {closing && <OrderStatus order={order} />}
        </>
      }
      number={<ProfitCell orderNo={order.orderNo} field="profit" />}
      second={<ProfitCell orderNo={order.orderNo} field="returnRate" />}
      action={closing && <Button onClick={() => onDo({ action: "cancel", order })}>{t("trade.cancel")}</Button>}
      onMenu={() => onDo({ action: "menu", order })}
    />
  );
}
