/** All fields of an order, labelled in the member's language. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice, formatRate, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { isOnMargin, priceAtRatio } from "#contract/margin.ts";
import { isCoin } from "#contract/order.ts";
import type { Order } from "#contract/order.ts";
import { collateralParts, liquidationPrice } from "#contract/profit.ts";
import { useRules } from "#src/streams/rules.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { fundingWord } from "#src/screens/ticket/choices.ts";
import { useDayTradeWord, useEntryWord, useFundingWord } from "#src/screens/ticket/words.ts";
import type { Field } from "#src/ui/row.tsx";
import { openLots, useDecimals, usePriceWord } from "./order-lines.tsx";

const when = (at: number | null): string => (at === null ? "--" : formatDateTime(at));
const PER_PERCENT = 10_000;

/** A short position is sold first and covered later: its two sides have labels of their own. */
const LABELS = {
  rise: {
    openPrice: "order.buyPrice",
    openValue: "trade.cost",
    openFee: "order.buyFee",
    openedAt: "order.boughtAt",
    closePrice: "order.sellPrice",
    closeValue: "order.sold",
    closeFee: "order.sellFee",
    closedAt: "order.soldAt",
  },
  fall: {
    openPrice: "order.shortPrice",
    openValue: "order.shorted",
    openFee: "order.shortFee",
    openedAt: "order.shortedAt",
    closePrice: "order.coverPrice",
    closeValue: "order.covered",
    closeFee: "order.coverFee",
    closedAt: "order.coveredAt",
  },
} as const;

/** The fields of what was ordered. */
export function useOrderFields(order: Order): Field[] {
  const { t } = useTranslation();
  const price = usePriceWord();
  const units = useUnits();
  const fundingLabel = useFundingWord();
  const dayTradeLabel = useDayTradeWord();
  const entryLabel = useEntryWord();
  const decimals = useDecimals()(order.code);
  const size = (lots: number): string =>
    order.lotShares === 1
      ? units(lots, order)
      : t("ticket.lotsAndShares", { n: grouped(String(lots)), shares: grouped(String(lots * order.lotShares)) });
  return [
    { label: t("order.orderNo"), value: order.orderNo },
    ...(order.onLoanLots === undefined ? [] : [{ label: t("order.onLoan"), value: size(order.onLoanLots) }]),
    { label: t("ticket.direction"), value: t(`ticket.${order.direction}`) },
    ...(isCoin(order) ? [] : [{ label: t("ticket.atTitle"), value: t(`ticket.at.${order.market}`) }]),
    { label: t("ticket.pricing"), value: `${price(order)} · ${t(`ticket.validity.${order.validity}`)}` },
    ...(order.trigger ? [{ label: t("ticket.entryTitle"), value: entryLabel(order.trigger, decimals) }] : []),
    { label: t("ticket.fundingTitle"), value: isCoin(order) ? t("position.coin") : fundingLabel(fundingWord(order)) },
    { label: t("order.leverage"), value: t("ticket.multiple", { n: order.leverage }) },
    ...(order.dayTrade ? [{ label: dayTradeLabel(order), value: t("order.yes") }] : []),
    { label: t("order.ordered"), value: size(order.lots) },
    { label: t("order.filled"), value: size(order.filledLots) },
    { label: t("order.held"), value: size(openLots(order)) },
    ...(order.closingLots > 0
      ? [
          {
            label: t(`order.closing.${order.direction}`),
            value: `${size(order.closingLots)} · ${price({ ...order, price: order.closePrice })}`,
          },
        ]
      : []),
    { label: t(`order.closed.${order.direction}`), value: size(order.closedLots) },
  ];
}

/** The times of an order, and its lock-up. */
export function useTimeFields(order: Order): Field[] {
  const { t } = useTranslation();
  const labels = LABELS[order.direction];
  return [
    { label: t("order.placedAt"), value: when(order.placedAt) },
    ...(order.reservedFor === undefined ? [] : [{ label: t("order.reservedFor"), value: when(order.reservedFor) }]),
    { label: t(labels.openedAt), value: when(order.boughtAt) },
    ...(order.origin ? [{ label: t("order.origin"), value: t(`block.origin.${order.origin}`) }] : []),
    { label: t("order.lockedUntil"), value: order.lockedUntil === null ? t("order.noLock") : when(order.lockedUntil) },
    { label: t(labels.closedAt), value: when(order.soldAt) },
    ...(order.terms.settlementDays > 0 ? [{ label: t("order.settled"), value: `T+${order.terms.settlementDays}` }] : []),
  ];
}

/** Prices, value, costs, reserved money and loan. */
export function useMoneyFields(order: Order): Field[] {
  const { t } = useTranslation();
  const labels = LABELS[order.direction];
  const decimals = useDecimals()(order.code);
  const liquidation = liquidationPrice(order);
  const { collateralCents, proceedsCents } = collateralParts(order);
  const margin = useRules().value?.margin ?? null;
  const onMargin = margin !== null && isOnMargin(order) && openLots(order) > 0;
  const borrowed = order.terms.ownPerMillion < 1_000_000 || order.loanCents > 0;
  return [
    { label: t(labels.openPrice), value: formatPrice(order.openAverage, decimals) },
    { label: t(labels.openValue), value: formatMoney(order.openCents) },
    { label: t(labels.openFee), value: formatMoney(order.openFeeCents) },
    ...(order.voucherCents === undefined ? [] : [{ label: t("order.voucher"), value: formatMoney(0 - order.voucherCents) }]),
    ...(order.voucherLeftCents === undefined
      ? []
      : [{ label: t("order.voucher"), value: `${t("ticket.upTo")} ${formatMoney(0 - order.voucherLeftCents)}` }]),
    { label: t(labels.closePrice), value: formatPrice(order.closeAverage, decimals) },
    { label: t(labels.closeValue), value: formatMoney(order.closeCents) },
    { label: t(labels.closeFee), value: formatMoney(order.closeFeeCents) },
    { label: t("order.tax"), value: formatMoney(order.openTaxCents + order.closeTaxCents) },
    { label: t("order.heldMoney"), value: formatMoney(order.heldCents) },
    { label: t("ticket.collateral"), value: formatMoney(collateralCents) },
    ...(order.direction === "fall" ? [{ label: t("order.proceedsKept"), value: formatMoney(proceedsCents) }] : []),
    ...(borrowed
      ? [
          { label: t("ticket.loan"), value: formatMoney(order.loanCents) },
          {
            label: t("order.interest", { rate: order.terms.interestPerMillion / PER_PERCENT }),
            value: formatMoney(order.interestCents),
          },
        ]
      : []),
    ...(liquidation === null ? [] : [{ label: t("ticket.liquidation"), value: formatPrice(liquidation, decimals) }]),
    ...(onMargin
      ? [
          { label: t("ticket.maintenance.call"), value: formatPrice(priceAtRatio(order, margin.callPercent), decimals) },
          { label: t("ticket.maintenance.liquidation"), value: formatPrice(priceAtRatio(order, margin.liquidationPercent), decimals) },
        ]
      : []),
    ...(order.direction === "fall" && openLots(order) > 0 && (order.terms.borrowPerMillion ?? 0) > 0
      ? [{ label: t("order.borrowRate"), value: t("order.perYear", { rate: formatRate(order.terms.borrowPerMillion ?? 0) }) }]
      : []),
    ...(order.lendingCents === undefined
      ? []
      : [
          {
            label: t(order.direction === "fall" ? "order.borrowFees" : "order.lendingFees"),
            value: formatMoney(order.lendingCents, "always"),
          },
        ]),
    ...(order.dividendCents === 0 ? [] : [{ label: t("order.dividends"), value: formatMoney(order.dividendCents, "always") }]),
    { label: t("order.realised"), value: formatMoney(order.profitCents, "always") },
  ];
}
