/** The sheet to reverse a position or one of its orders: close all of it at market and open the same size the other way, in one step, confirmed by a slide. */
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { keyOf, openSharesOf } from "#contract/position.ts";
import type { Position } from "#contract/position.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { haptic } from "#src/gateway/shell.ts";
import { useSharesWord } from "#src/screens/quote/position-words.ts";
import { useConnection } from "#src/streams/connection.ts";
import { useMember } from "#src/streams/member.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { FieldList } from "#src/ui/row.tsx";
import { SlideToConfirm } from "#src/ui/slide-to-confirm.tsx";
import { RiskNotice } from "#src/ui/state.tsx";
import { LockUpNotice, useLockUpLeft } from "#src/screens/ticket/lock-up.tsx";
import { useOrderName } from "./order-lines.tsx";
import { OrderSheet } from "./order-sheet.tsx";
import { PositionSheet } from "./position-sheet.tsx";
import { RequestProblem, useLockWhileSending } from "./request-problem.tsx";
import { UnknownOutcome, isReady } from "./unknown-outcome.tsx";
import styles from "./trade.module.css";

/** Reverses one order of a position. Open while `order` is not null. */
export function ReverseSheet({ order, onClose }: { order: Order | null; onClose: () => void }) {
  return (
    <OrderSheet order={order} onClose={onClose}>
      {(now, lock) => <ReverseForm key={now.orderNo} orders={[now]} position={null} onClose={onClose} onLock={lock} />}
    </OrderSheet>
  );
}

/** Reverses a whole position. Open while `position` is not null. */
export function PositionReverseSheet({ position, onClose }: { position: Position | null; onClose: () => void }) {
  return (
    <PositionSheet position={position} onClose={onClose}>
      {(now, lock) => <ReverseForm key={now.id} orders={now.orders} position={now} onClose={onClose} onLock={lock} />}
    </PositionSheet>
  );
}

interface Props {
  /** At least one, all of one position. */
  orders: readonly Order[];
  /** The position they make up; null to reverse one order only. */
  position: Position | null;
  onClose: () => void;
  onLock: (locked: boolean) => void;
}

function useReverseRequest({ orders, position, onClose }: Props) {
  const { t } = useTranslation();
  const done = (changed: readonly Order[]): void => {
    haptic("success");
    changed.forEach(takeOrder);
    showToast(t("trade.reversed"), "success");
    onClose();
  };
  const ofOrder = useRequest("reverseOrder", { onAccepted: ({ closed, opened }) => done([closed, opened]), onArrived: onClose });
  const ofPosition = useRequest("reversePosition", {
    onAccepted: ({ closed, opened }) => done([...closed, opened]),
    onArrived: onClose,
  });
  const send = (): void => {
    if (position) ofPosition.submit(keyOf(position));
    else ofOrder.submit({ orderNo: orders[0]?.orderNo });
  };
  return { request: position ? ofPosition : ofOrder, send };
}

function ReverseForm(props: Props) {
  const { t } = useTranslation();
  const { orders, onLock } = props;
  const nameOf = useOrderName();
  const sharesOf = useSharesWord();
  const { tradable } = useConnection();
  const minor = useMember().value?.facts.minor ?? false;
  // All of it is closed, so the last lock-up counts.
  const lockedUntil = orders.reduce<Order["lockedUntil"]>((latest, order) => maxOf(latest, order.lockedUntil), null);
  const locked = useLockUpLeft(lockedUntil) > 0;
  const { request, send } = useReverseRequest(props);
  useLockWhileSending(request, onLock);
  const [order] = orders;
  if (!order) return null;
  const other = order.direction === "rise" ? "fall" : "rise";
  // Minors sell nothing short.
  const blocked = minor && other === "fall";
  const size = sharesOf(
    order,
    orders.reduce((sum, one) => sum + openSharesOf(one), 0),
  );
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
        <p className={styles.hint}>{t(blocked ? "refusal.ACC_MINOR" : "trade.reverseWhy")}</p>
        <LockUpNotice order={{ lockedUntil, direction: order.direction }} />
        <RequestProblem request={request} live={tradable} />
        <SlideToConfirm
          // Reset the slide after a refusal.
          key={request.state === "refused" || request.state === "failed" ? "again" : "first"}
          label={t("trade.reverse")}
          tone={other === "rise" ? "up" : "down"}
          busy={request.busy}
          onConfirm={() => tradable && !locked && !blocked && isReady(request) && send()}
        />
      </div>
    </UnknownOutcome>
  );
}

const maxOf = (a: Order["lockedUntil"], b: Order["lockedUntil"]): Order["lockedUntil"] => (a === null || (b !== null && b > a) ? b : a);
