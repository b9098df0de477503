/** Confirms cancelling an order, naming it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { haptic } from "#src/gateway/shell.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { takeOrder } from "#src/streams/orders.ts";
import { Alert } from "#src/ui/alert.tsx";
import { openLots, useOrderName } from "./order-lines.tsx";
import { useRestingWords } from "./resting-order.ts";
import { UnknownOutcome, isReady } from "./unknown-outcome.tsx";

/** Confirms cancelling `order`; hidden while that is null. */
export function CancelAlert({ order, onClose }: { order: Order | null; onClose: () => void }) {
  // The order stays readable while the alert closes.
  const [last, setLast] = useState(order);
  if (order !== null && order !== last) setLast(order);
  return last && <CancelQuestion key={last.orderNo} order={last} open={order !== null} onClose={onClose} />;
}

function CancelQuestion({ order, open, onClose }: { order: Order; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  const { side, price, size } = useRestingWords(order);
  const units = useUnits();
  const request = useRequest("cancelOrder", {
    onAccepted: (cancelled) => {
      haptic("success");
      takeOrder(cancelled);
      showToast(t("operation.OP_CANCEL_ORDER_OK"), "success");
      onClose();
    },
  });
  const closing = order.status === "readyToClose";
  const cancel = (): void => {
    if (request.state === "accepted") request.reset();
    if (isReady(request)) request.submit({ orderNo: order.orderNo });
  };
  return (
    <Alert
      open={open}
      title={closing ? t(`trade.cancelCloseTitle.${order.direction}`) : t("trade.cancelTitle")}
      confirm={closing ? t(`trade.cancelClose.${order.direction}`) : t("trade.cancelOrder")}
      refuse={t("trade.keepOrder")}
      busy={request.busy}
      onConfirm={cancel}
      onClose={onClose}
    >
      <UnknownOutcome request={request}>
        <p>{`${side} · ${nameOf(order)} · ${price} · ${size}`}</p>
        <p>{order.orderNo}</p>
        {!closing && openLots(order) > 0 && <p>{t("trade.filledSize", { size: units(openLots(order), order) })}</p>}
        {closing && <p>{t(`trade.cancelCloseWhy.${order.direction}`)}</p>}
        {(request.errorOfForm || request.state === "failed") && <p role="alert">{request.errorOfForm ?? t("trade.notSent")}</p>}
      </UnknownOutcome>
    </Alert>
  );
}
