/** Every field of a position order, labelled and in the member's words. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import type { Field } from "#src/ui/row.tsx";
import { openLots, useDecimals, usePriceWord } from "./order-lines.tsx";

const when = (at: number | null): string => (at === null ? "--" : formatDateTime(at));

/** What was ordered. */
export function useOrderFields(order: Order): Field[] {
  const { t } = useTranslation();
  const price = usePriceWord();
  const shares = (lots: number): string => t("ticket.lotsAndShares", { n: lots, shares: grouped(String(lots * order.lotShares)) });
  return [
    { label: t("order.orderNo"), value: order.orderNo },
    { label: t("ticket.direction"), value: t(`ticket.${order.direction}`) },
    { label: t("order.type"), value: price(order) },
    { label: t("order.ordered"), value: shares(order.lots) },
    { label: t("order.filled"), value: shares(order.filledLots) },
    { label: t("order.held"), value: shares(openLots(order)) },
    { label: t("order.closed"), value: shares(order.closedLots) },
    { label: t("order.leverage"), value: `${order.leverage}×` },
  ];
}

/** When things happened, and how long it is locked. */
export function useTimeFields(order: Order): Field[] {
  const { t } = useTranslation();
  return [
    { label: t("order.placedAt"), value: when(order.placedAt) },
    { label: t("order.boughtAt"), value: when(order.boughtAt) },
    { label: t("order.lockedUntil"), value: order.lockedUntil === null ? t("order.noLock") : when(order.lockedUntil) },
    { label: t("order.soldAt"), value: when(order.soldAt) },
  ];
}

/** Prices, value, costs and what is set aside. */
export function useMoneyFields(order: Order): Field[] {
  const { t } = useTranslation();
  const decimals = useDecimals()(order.code);
  return [
    { label: t("order.buyPrice"), value: formatPrice(order.openAverage, decimals) },
    { label: t("order.cost"), value: formatMoney(order.openCents) },
    { label: t("order.buyFee"), value: formatMoney(order.openFeeCents) },
    { label: t("order.sellPrice"), value: formatPrice(order.closeAverage, decimals) },
    { label: t("order.sold"), value: formatMoney(order.closeCents) },
    { label: t("order.sellFee"), value: formatMoney(order.closeFeeCents) },
    { label: t("order.tax"), value: formatMoney(order.openTaxCents + order.closeTaxCents) },
    { label: t("order.heldMoney"), value: formatMoney(order.heldCents) },
    { label: t("order.collateral"), value: formatMoney(order.collateralCents) },
    { label: t("order.realised"), value: formatMoney(order.profitCents, "always") },
  ];
}
