/** Shared formatting of an order for rows and pages: instrument, direction, price and size. */
import { pathTo } from "#src/paths.ts";
import type { Path } from "#src/paths.ts";
import { useTranslation } from "react-i18next";
import { formatPrice, formatUnits } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { fullName } from "#src/screens/quote/names.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import styles from "./trade.module.css";

/** The price decimals of an instrument, by code. */
export function useDecimals(): (code: string) => number {
  const table = useInstruments();
  return (code) => table?.byCode.get(code)?.decimals ?? 2;
}

/** `2330 台積電 TSMC`, or the code alone while the table is loading. */
export function useOrderName(): (order: Pick<Order, "code">) => string {
  const table = useInstruments();
  return ({ code }) => {
    const instrument = table?.byCode.get(code);
    return instrument ? `${code} ${fullName(instrument)}` : code;
  };
}

/** The direction (buy or sell short) as text, in its colour. */
export function DirectionWord({ order }: { order: Pick<Order, "direction"> }) {
  const { t } = useTranslation();
  return (
    <b className={styles.direction} data-trend={order.direction === "rise" ? "up" : "down"}>
      {t(`ticket.${order.direction}`)}
    </b>
  );
}

/** The limit, or "at market". */
export function usePriceWord(): (order: Pick<Order, "code" | "price" | "market">) => string {
  const { t } = useTranslation();
  const decimals = useDecimals();
  return ({ code, price, market }) =>
    price === null
      ? t(market === "fixed" ? "ticket.atClose" : "ticket.atMarket")
      : `${t("ticket.limit")} ${formatPrice(price, decimals(code))}`;
}

/** `3 lots`, with the filled part while partly filled. */
export function useSizeWord(): (order: Pick<Order, "lots" | "filledLots" | "lotShares" | "unitsPerWhole">) => string {
  const { t } = useTranslation();
  const units = useUnits();
  return (order) =>
    order.filledLots > 0 && order.filledLots < order.lots
      ? t("order.filledOf", { filled: formatUnits(order.filledLots, order.unitsPerWhole), size: units(order.lots, order) })
      : units(order.lots, order);
}

/** The lots still held. */
export const openLots = (order: Pick<Order, "filledLots" | "closedLots">): number => order.filledLots - order.closedLots;

/** The page of an order. */
export const orderPath = (order: Pick<Order, "orderNo">): Path => pathTo("/trade/positionDetail", { orderNo: order.orderNo });
