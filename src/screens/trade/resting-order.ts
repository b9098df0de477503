/** The order of a member that waits in the market: the closing order of a position being closed, else the order that opens it. */
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { usePriceWord, useSizeWord } from "./order-lines.tsx";

/** The lots that wait, and their limit; null at market. */
export const restingOf = (order: Order): { lots: number; price: Order["price"] } =>
  order.status === "readyToClose" ? { lots: order.closingLots, price: order.closePrice } : { lots: order.lots, price: order.price };

interface RestingWords {
  side: string;
  price: string;
  size: string;
}

/** The resting order as text: what it does (closing a long sells, closing a short buys back), at what price, and its size. */
export function useRestingWordsOf(): (order: Order) => RestingWords {
  const { t } = useTranslation();
  const priceOf = usePriceWord();
  const sizeOf = useSizeWord();
  const units = useUnits();
  return (order) => {
    if (order.status !== "readyToClose") return { side: t(`ticket.${order.direction}`), price: priceOf(order), size: sizeOf(order) };
    const { lots, price } = restingOf(order);
    return { side: t(`trade.closeSide.${order.direction}`), price: priceOf({ ...order, price }), size: units(lots, order) };
  };
}

/** The same of one order. */
export function useRestingWords(order: Order): RestingWords {
  return useRestingWordsOf()(order);
}
