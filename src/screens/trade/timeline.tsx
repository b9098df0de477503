/** Shows the timeline of an order: past entries, the current status, and those still to come. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { OrderDetail, OrderEvent } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useTriggerWord } from "#src/screens/ticket/words.ts";
import { useConditionsOf } from "#src/streams/conditions.ts";
import { aheadOf, timelineOf } from "./order-timeline.ts";
import type { Moment } from "./order-timeline.ts";
import { useDecimals } from "./order-lines.tsx";
import styles from "./timeline.module.css";

/** The name of an order event without its prefix. */
type NameOf<Event> = Event extends `order.${infer Name}` ? Name : never;

/** The title of an entry and a note about it. */
type EntryText = readonly [title: string, note: string];

function useEntryText({ order }: OrderDetail): (moment: Moment) => EntryText {
  const { t } = useTranslation();
  const units = useUnits();
  const triggerLabel = useTriggerWord();
  const decimals = useDecimals()(order.code);
  const at = (lots: number, each: number | null): string =>
    each === null
      ? `${units(lots, order.lotShares)} · ${t("ticket.atMarket")}`
      : t("order.sizeAt", { size: units(lots, order.lotShares), price: formatPrice(each, decimals) });
  const eventText = (event: OrderEvent): EntryText => {
    const cause = event.cause === null || event.cause === "member" ? "" : ` · ${t(`order.cause.${event.cause}`)}`;
    const noSize = event.type === "order.triggered" || event.type === "order.closeCancelled";
    return [
      event.type === "order.closeRequested" || event.type === "order.closeCancelled"
        ? t(`order.closeEvent.${order.direction}.${event.type === "order.closeRequested" ? "closeRequested" : "closeCancelled"}`)
        : t(`order.event.${event.type.slice("order.".length) as NameOf<typeof event.type>}`),
      noSize ? "" : `${at(event.lots, event.price)}${cause}`,
    ];
  };
  return (moment) => {
    switch (moment.kind) {
      case "placed":
        return [t("order.event.placed"), units(order.lots, order.lotShares)];
      case "event":
        return eventText(moment.event);
      case "filled":
        return [
          moment.side === "open" ? t("order.event.filled") : t(`order.closeEvent.${order.direction}.sold`),
          at(moment.lots, moment.each),
        ];
      case "adjusted": {
        const { fromLots, fromLotShares, toLots, toLotShares, cashCents, kind } = moment.adjustment;
        const cash = cashCents === 0 ? "" : ` · ${formatMoney(cashCents, "always")}`;
        const same = fromLots === toLots && fromLotShares === toLotShares;
        return [t(`order.adjusted.${kind}`), `${same ? "" : `${units(fromLots, fromLotShares)} → ${units(toLots, toLotShares)}`}${cash}`];
      }
      default: {
        const { condition } = moment;
        const fired = condition.firedPrice === null || moment.kind === "set" ? "" : ` · ${formatPrice(condition.firedPrice, decimals)}`;
        const title = moment.kind === "failed" ? t(`order.closeEvent.${order.direction}.failed`) : t(`order.event.${moment.kind}`);
        return [title, `${triggerLabel(condition, decimals)}${fired}`];
      }
    }
  };
}

export function Timeline({ detail }: { detail: OrderDetail }) {
  const { t } = useTranslation();
  const { order } = detail;
  const conditions = useConditionsOf(order.orderNo).value ?? [];
  const textOf = useEntryText(detail);
  const timeline = timelineOf(detail, conditions);
  return (
    <ol className={styles.timeline}>
      {timeline.map((moment, nth) => {
        const [title, note] = textOf(moment);
        return (
          <Entry key={`${moment.at} ${nth}`} state="done" title={title} at={moment.at}>
            {note}
          </Entry>
        );
      })}
      <Entry state="now" title={t(`status.order.${order.status}`)} at={null}>
        {order.status === "closed" && order.closeCause !== null ? t(`order.cause.${order.closeCause}`) : null}
      </Entry>
      {aheadOf(order.status).map((status) => (
        <Entry key={status} state="ahead" title={t(`status.order.${status}`)} at={null} />
      ))}
    </ol>
  );
}

function Entry({
  state,
  title,
  at,
  children,
}: {
  state: "done" | "now" | "ahead";
  title: string;
  at: number | null;
  children?: ReactNode;
}) {
  return (
    <li data-state={state} aria-current={state === "now" ? "step" : undefined}>
      <strong>{title}</strong>
      {children && <span>{children}</span>}
      {at !== null && <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>}
    </li>
  );
}
