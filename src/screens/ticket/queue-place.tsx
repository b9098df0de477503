/** Where a resting order stands in the exchange's queue, live. */
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useQueuePlace } from "#src/streams/queue-places.ts";

/** Whether an order, or the close order of a position, waits at a limit of the board. */
export function isQueued({ status, trigger, market, price, closePrice, closingLots }: Order): boolean {
  if (market !== "board") return false;
  return status === "readyToClose" ? closePrice !== null && closingLots > 0 : status === "pending" && trigger === null && price !== null;
}

/** The place as text; null while the order does not wait, or its place is not known. */
export function useQueueWord(order: Order): string | null {
  const { t } = useTranslation();
  const units = useUnits();
  const lots = useQueuePlace(isQueued(order) ? order.orderNo : null);
  if (lots === null) return null;
  return lots === 0 ? t("order.queueFirst") : t("order.queueAhead", { size: units(lots, order) });
}

/** The place in a list's second line, after what precedes it there. */
export function QueuePlace({ order }: { order: Order }) {
  const word = useQueueWord(order);
  return word !== null && <> · {word}</>;
}
