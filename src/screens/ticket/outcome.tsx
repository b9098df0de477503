/** What became of the order: being asked about, not received, or in the book with its number and status as they change. */
import { CircleCheck, CircleHelp, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Order } from "#contract/order.ts";
import type { Request } from "#src/actors/request.ts";
import { orderDetail } from "#src/streams/orders.ts";
import { useResource } from "#src/streams/resource.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { OrderStatus } from "./order-status.tsx";
import type { TicketModel } from "./use-ticket.ts";
import styles from "./ticket.module.css";

/** Sent, and no answer came: asked for until it is known. Sending again is offered only when the desk says it never arrived. */
export function OutcomeUnknown({ request }: { request: Pick<Request<EndpointName>, "state" | "edit" | "sendAgain"> }) {
  const { t } = useTranslation();
  const lost = request.state === "notReceived";
  return (
    <div className={styles.outcome} role="status">
      {lost ? <CircleHelp size={40} aria-hidden /> : <LoaderCircle className={styles.turning} size={40} aria-hidden />}
      <h3>{t(lost ? "ticket.notReceived" : "ticket.checking")}</h3>
      <p>{t(lost ? "ticket.notReceivedWhy" : "ticket.checkingWhy")}</p>
      {lost && (
        <div className={styles.answers}>
          <Button onClick={() => request.edit()}>{t("ticket.letBe")}</Button>
          <Button tone="primary" onClick={request.sendAgain}>
            {t("ticket.sendAgain")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The order's number, and its status as the facts come in. */
export function TicketResult({ model, placed, onClose }: { model: TicketModel; placed: Order; onClose?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const detail = useResource(orderDetail(placed.orderNo));
  const known = detail.value?.order;
  const order = known && known.version >= placed.version ? known : placed;
  const { decimals } = model.ladder;
  return (
    <div className={styles.outcome} role="status">
      <CircleCheck size={40} aria-hidden />
      <OrderStatus status={order.status} />
      <h3>{t(order.filledLots === 0 ? "ticket.queued" : order.filledLots < order.lots ? "ticket.partlyFilled" : "ticket.filled")}</h3>
      <p>
        {order.openAverage !== null &&
          t("ticket.filledAt", { n: order.filledLots, of: order.lots, price: formatPrice(order.openAverage, decimals) })}
        {order.openAverage === null && t("ticket.queuedWhy")}
      </p>
      <p className={styles.hint}>{t("ticket.orderNo", { no: order.orderNo })}</p>
      <div className={styles.answers}>
        <ButtonLink to={`/trade/positionDetail?orderNo=${order.orderNo}`}>{t("ticket.viewOrder")}</ButtonLink>
        <Button
          tone="primary"
          onClick={() => {
            model.again();
            onClose?.();
          }}
        >
          {t("ticket.done")}
        </Button>
      </div>
    </div>
  );
}
