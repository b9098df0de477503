/** Shows the timeline of an order: past entries, the current status, and those still to come. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { formatMinute } from "#contract/kernel/time.ts";
import type { OrderDetail, OrderEvent, OrderStatus } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useTriggerWord } from "#src/screens/ticket/words.ts";
import { useConditionsOf } from "#src/streams/conditions.ts";
import { Timeline } from "#src/ui/timeline.tsx";
import type { TimelineStep } from "#src/ui/timeline.tsx";
import { aheadOf, timelineOf } from "./order-timeline.ts";
import type { Moment } from "./order-timeline.ts";
import { useDecimals } from "./order-lines.tsx";

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
      ? `${units(lots, order)} · ${t("ticket.atMarket")}`
      : t("order.sizeAt", { size: units(lots, order), price: formatPrice(each, decimals) });
  const eventText = (event: OrderEvent): EntryText => {
    const cause = event.cause === null || event.cause === "member" ? "" : ` · ${t(`order.cause.${event.cause}`)}`;
    const noSize = event.type === "order.triggered" || event.type === "order.entered" || event.type === "order.closeCancelled";
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
        return [t("order.event.placed"), units(order.lots, order)];
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
        return [
          t(`order.adjusted.${kind}`),
          `${same ? "" : `${units(fromLots, { lotShares: fromLotShares })} → ${units(toLots, { lotShares: toLotShares })}`}${cash}`,
        ];
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

/** What happened to an order, the status it is in, and those still to come. */
export function OrderTimeline({ detail }: { detail: OrderDetail }) {
  const { t } = useTranslation();
  const { order } = detail;
  const conditions = useConditionsOf(order.orderNo).value ?? [];
  const textOf = useEntryText(detail);
  const done = timelineOf(detail, conditions).map((moment, nth): TimelineStep => {
    const [title, note] = textOf(moment);
    return { key: `${moment.at} ${nth}`, state: "done", title, at: moment.at, ...(note && { note }) };
  });
  const cause = order.status === "closed" && order.closeCause !== null ? { note: t(`order.cause.${order.closeCause}`) } : {};
  const reserved = order.reservedFor === undefined ? {} : { title: t("order.reserved"), note: formatMinute(order.reservedFor) };
  const step = (status: OrderStatus, state: "now" | "ahead"): TimelineStep => ({
    key: status,
    state,
    title: t(`status.order.${status}`),
    at: null,
  });
  const ahead = aheadOf(order.status).map((status) => step(status, "ahead"));
  return <Timeline label={t("order.life")} steps={[...done, { ...step(order.status, "now"), ...reserved, ...cause }, ...ahead]} />;
}
