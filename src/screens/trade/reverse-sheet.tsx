/** The sheet to reverse a position: close all of it at market and open the same size the other way, in one step, confirmed by a slide. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { haptic } from "#src/gateway/shell.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useConnection } from "#src/streams/connection.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { FieldList } from "#src/ui/row.tsx";
import { SlideToConfirm } from "#src/ui/slide-to-confirm.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import { LockUpNotice, useLockUpLeft } from "#src/screens/ticket/lock-up.tsx";
import { openLots, useOrderName } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import { UnknownOutcome, isReady } from "./unknown-outcome.tsx";
import styles from "./trade.module.css";

/** Open while `order` is not null. */
export function ReverseSheet({ order, onClose }: { order: Order | null; onClose: () => void }) {
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now, lock) => <ReverseForm key={now.orderNo} order={now} onClose={onClose} onLock={lock} />}
    </OrderSheet>
  );
}

function ReverseForm({ order, onClose, onLock }: { order: Order; onClose: () => void; onLock: (locked: boolean) => void }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const units = useUnits();
  const { tradable } = useConnection();
  const locked = useLockUpLeft(order.lockedUntil) > 0;
  const other = order.direction === "rise" ? "fall" : "rise";
  const request = useRequest("reverseOrder", {
    onAccepted: ({ closed, opened }) => {
      haptic("success");
      takeOrder(closed);
      takeOrder(opened);
      showToast(t("trade.reversed"), "success");
      onClose();
    },
    onArrived: onClose,
  });
  const sending = request.state === "submitting";
  useEffect(() => onLock(sending), [sending, onLock]);
  const size = units(openLots(order), order.lotShares);
  const message = request.state === "failed" ? t("trade.notSent") : request.errorOfForm;
  const reason = tradable ? message : t("ticket.notLive");
  return (
    <UnknownOutcome request={request}>
      <div className={styles.form}>
        <RiskNotice />
        <FieldList
          fields={[
            { label: t("ticket.instrument"), value: nameOf(order) },
            { label: t(`trade.closeSide.${order.direction}`), value: `${size} · ${t("ticket.atMarket")}` },
            { label: t("trade.opens"), value: `${t(`ticket.${other}`)} · ${size} · ${t("ticket.atMarket")}` },
          ]}
        />
        <p className={styles.hint}>{t("trade.reverseWhy")}</p>
        <LockUpNotice order={order} />
        {reason && (
          <p className={styles.problem} role="alert">
            {reason}
          </p>
        )}
        <SlideToConfirm
          // Reset the slide after a refusal.
          key={request.state === "refused" || request.state === "failed" ? "again" : "first"}
          label={t("trade.reverse")}
          tone={other === "rise" ? "up" : "down"}
          busy={request.busy}
          onConfirm={() => tradable && !locked && isReady(request) && request.submit({ orderNo: order.orderNo })}
        />
      </div>
    </UnknownOutcome>
  );
}
