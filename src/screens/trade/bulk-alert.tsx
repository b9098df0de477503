/** Confirms cancelling or closing all orders, listing them; afterwards shows what was refused, and why. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BulkOutcome, Order } from "#contract/order.ts";
import { positionId } from "#contract/position.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { haptic } from "#src/gateway/shell.ts";
import { closingAct } from "#src/screens/ticket/intent.ts";
import { confirmationFor } from "#src/screens/ticket/confirm-rule.ts";
import { instrumentOf, useInstruments } from "#src/streams/instruments.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { Alert } from "#src/ui/alert.tsx";
import { useOrderName, useSizeWord } from "./order-lines.tsx";
import { UnknownOutcome, isReady, isUnknown } from "./unknown-outcome.tsx";
import styles from "./trade.module.css";

export interface BulkAlertProps {
  what: "cancel" | "close";
  open: boolean;
  /** The affected orders. */
  orders: readonly Order[];
  /** Only those of this instrument; null for all. */
  code: string | null;
  onClose: () => void;
}

/** Orders are cancelled one by one; closing counts positions. */
const countOf = (what: BulkAlertProps["what"], orders: readonly Order[]): number =>
  what === "close" ? new Set(orders.map(positionId)).size : orders.length;

/** The direction that all the positions have; null when there are both. */
export function directionOf(orders: readonly Order[]): Order["direction"] | null {
  const [first] = orders;
  return first && orders.every(({ direction }) => direction === first.direction) ? first.direction : null;
}

/** The title, and what confirming says: closing says sell or cover where all positions are on one side. */
function useBulkWords({ what, orders, code }: Pick<BulkAlertProps, "what" | "orders" | "code">): { title: string; confirm: string } {
  const { t } = useTranslation();
  const n = countOf(what, orders);
  const side = what === "close" ? directionOf(orders) : null;
  if (side === null) {
    return {
      title: code === null ? t(`trade.bulk.${what}`) : t(`trade.bulkOf.${what}`, { code }),
      confirm: t(`trade.bulkConfirm.${what}`, { count: n, n }),
    };
  }
  return {
    title: code === null ? t(`trade.closeAllSide.${side}.title`) : t(`trade.closeAllSide.${side}.titleOf`, { code }),
    confirm: t(`trade.closeAllSide.${side}.confirm`, { count: n, n }),
  };
}

/** At market, like every order of that kind: see `confirmationFor`. */
function closesBySlide([first]: readonly Order[]): boolean {
  if (!first) return false;
  const { funding } = first;
  const intent = { act: closingAct(first), funding, closes: first, nothing: null };
  return (
    confirmationFor({ pricing: "market", waits: false, intent, valueCents: null }, { slideAboveCents: null, sendUpToCents: null }) ===
    "slide"
  );
}

/** At most this many orders are listed by name. */
const MAX_NAMED = 4;

export function BulkAlert({ what, open, orders, code, onClose }: BulkAlertProps) {
  const { t } = useTranslation();
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const done = (answer: BulkOutcome | null): void => {
    haptic(answer?.refused.length ? "error" : "success");
    answer?.orders.forEach(takeOrder);
    if (answer && answer.refused.length > 0) setOutcome(answer);
    else {
      const count = countOf(what, answer?.orders ?? []);
      showToast(t(`trade.bulkDone.${what}`, { count, n: count }), "success");
      onClose();
    }
  };
  const request = useRequest(what === "cancel" ? "cancelOrders" : "closeOrders", { onAccepted: done, onArrived: () => done(null) });
  const close = (): void => {
    setOutcome(null);
    if (request.state === "accepted") request.reset();
    onClose();
  };
  const confirm = (): void => {
    if (outcome) close();
    else if (isReady(request)) {
      if (request.state === "accepted") request.reset();
      request.submit({ code });
    }
  };
  const words = useBulkWords({ what, orders, code });
  useInstruments();
  const byCalls = what === "close" && orders.some((order) => instrumentOf(order.code)?.watch === "disposition");
  return (
    <Alert
      open={open}
      title={words.title}
      confirm={outcome ? t("ticket.done") : words.confirm}
      slides={what === "close" && outcome === null && closesBySlide(orders)}
      tone={outcome ? "primary" : "danger"}
      busy={request.busy}
      onConfirm={confirm}
      onClose={close}
    >
      {outcome ? (
        <Refused outcome={outcome} known={orders} />
      ) : (
        <UnknownOutcome request={request}>
          <OrderNames orders={orders} />
          <p>{t(`trade.bulkWhy.${what}`)}</p>
          {byCalls && <p>{t("trade.bulkWhy.closeByCalls")}</p>}
          {!isUnknown(request) && (request.errorOfForm || request.state === "failed") && (
            <p role="alert">{request.errorOfForm ?? t("trade.notSent")}</p>
          )}
        </UnknownOutcome>
      )}
    </Alert>
  );
}

function OrderNames({ orders }: { orders: readonly Order[] }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const size = useSizeWord();
  const more = orders.length - MAX_NAMED;
  return (
    <ul className={styles.named} role="list">
      {orders.slice(0, MAX_NAMED).map((order) => (
        <li key={order.orderNo}>{`${nameOf(order)} · ${t(`ticket.${order.direction}`)} · ${size(order)}`}</li>
      ))}
      {more > 0 && <li>{t("trade.andMore", { count: more, n: more })}</li>}
    </ul>
  );
}

/** The refused orders, each with its reason. */
function Refused({ outcome: { orders, refused }, known }: { outcome: BulkOutcome; known: readonly Order[] }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  return (
    <>
      <p>{t("trade.bulkPartly", { done: orders.length, n: refused.length })}</p>
      <ul className={styles.named} role="list">
        {refused.map(({ orderNo, code, params }) => {
          const order = known.find((one) => one.orderNo === orderNo);
          return (
            <li key={orderNo}>
              <strong>{order ? nameOf(order) : orderNo}</strong> {refusalTextNow({ code: code as RefusalCode, params, msg: code })}
            </li>
          );
        })}
      </ul>
    </>
  );
}
