/** The outcome of an order: being checked, not received, or accepted with its live number and status. */
import { pathTo } from "#src/paths.ts";
import { CircleCheck, CircleHelp, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatPrice, formatUnits } from "#contract/kernel/money.ts";
import { formatMinute } from "#contract/kernel/time.ts";
import type { EndpointName } from "#contract/endpoints.ts";
import type { Order } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import type { Request } from "#src/actors/request.ts";
import { orderDetail } from "#src/streams/orders.ts";
import { useResource } from "#src/streams/resource.ts";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { OrderStatus } from "./order-status.tsx";
import { useQueueWord } from "./queue-place.tsx";
import { StepHeading } from "./step-heading.tsx";
import { useEntryWord } from "./words.ts";
import styles from "./ticket.module.css";

/** Sent without a response: checked until known. Resending is offered only when the broker confirms the order never arrived. */
export function OutcomeUnknown({ request }: { request: Pick<Request<EndpointName>, "state" | "edit" | "sendAgain"> }) {
  const { t } = useTranslation();
  const lost = request.state === "notReceived";
  return (
    <div className={styles.outcome} role="status">
      {lost ? <CircleHelp size={40} aria-hidden /> : <LoaderCircle className={styles.turning} size={40} aria-hidden />}
      <StepHeading>{t(lost ? "ticket.notReceived" : "ticket.checking")}</StepHeading>
      <p>{t(lost ? "ticket.notReceivedWhy" : "ticket.checkingWhy")}</p>
      {lost && (
        <div className={styles.answers}>
          <Button onClick={() => request.edit()}>{t("app.letBe")}</Button>
          <Button tone="primary" onClick={request.sendAgain}>
            {t("app.sendAgain")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The state of an order so far, as one word. */
export function outcomeOf({
  status,
  trigger,
  filledLots,
  lots,
  reservedFor,
}: Pick<Order, "status" | "trigger" | "filledLots" | "lots" | "reservedFor">) {
  if (status === "cancelled") return "unfilled";
  if (reservedFor !== undefined) return "reserved";
  if (trigger !== null) return "waits";
  if (filledLots === 0) return "queued";
  return filledLots < lots ? "partlyFilled" : "filled";
}

/** The order's number, and its status updated by order facts. */
export function TicketResult({ placed, decimals, onDone }: { placed: Order; decimals: number; onDone: () => void }) {
  const { t } = useTranslation();
  const detail = useResource(orderDetail(placed.orderNo));
  const known = detail.value?.order;
  const order = known && known.version >= placed.version ? known : placed;
  const units = useUnits();
  const waits = useEntryWord();
  const outcome = outcomeOf(order);
  const queue = useQueueWord(order);
  const resting = (outcome === "queued" || outcome === "reserved") && order.price !== null;
  return (
    <div className={styles.outcome} role="status">
      <CircleCheck size={40} aria-hidden />
      {/* Of an order that waits, or that is cancelled, the heading says the status. */}
      {order.openAverage !== null && <OrderStatus order={order} />}
      <StepHeading>{t(`ticket.${outcome}`)}</StepHeading>
      {resting && (
        <p>
          {t("ticket.queuedAt", {
            side: t(order.direction === "rise" ? "ticket.act.buy" : "ticket.act.short"),
            size: units(order.lots, order),
            price: formatPrice(order.price, decimals),
          })}
        </p>
      )}
      <p>
        {order.openAverage !== null
          ? t("ticket.filledAt", {
              n: formatUnits(order.filledLots, order.unitsPerWhole),
              of: units(order.lots, order),
              price: formatPrice(order.openAverage, decimals),
            })
          : outcome === "waits" && order.trigger
            ? t("ticket.waitsFor", { what: waits(order.trigger, decimals) })
            : order.reservedFor !== undefined
              ? t("ticket.reservedUntil", { time: formatMinute(order.reservedFor) })
              : t(outcome === "unfilled" ? "ticket.unfilledWhy" : "ticket.queuedWhy")}
      </p>
      {queue !== null && (
        <p>
          {t("order.queue")} <b>{queue}</b>
        </p>
      )}
      <p className={styles.hint}>{t("ticket.orderNo", { no: order.orderNo })}</p>
      <div className={styles.answers}>
        <ButtonLink to={pathTo("/trade/positionDetail", { orderNo: order.orderNo })}>{t("ticket.viewOrder")}</ButtonLink>
        <Button tone="primary" onClick={onDone}>
          {t("ticket.done")}
        </Button>
      </div>
    </div>
  );
}
