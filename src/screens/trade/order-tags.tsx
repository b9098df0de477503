/** Small tags for what is special about an order: market, funding, trigger, exit orders. */
import { useTranslation } from "react-i18next";
import { formatMinute } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import { fundingWord } from "#src/screens/ticket/choices.ts";
import { useDayTradeWord, useEntryWord, useFundingWord, useTriggerWord } from "#src/screens/ticket/words.ts";
import { useConditions } from "#src/streams/conditions.ts";
import { useDecimals } from "./order-lines.tsx";
import styles from "./trade.module.css";

/** The tags of an order as text. */
export function useOrderTags(order: Order): string[] {
  const { t } = useTranslation();
  const decimals = useDecimals()(order.code);
  const fundingLabel = useFundingWord();
  const dayTradeLabel = useDayTradeWord();
  const entryLabel = useEntryWord();
  const triggerLabel = useTriggerWord();
  const conditions = useConditions().value ?? [];
  return [
    ...(order.reservedFor === undefined ? [] : [`${t("order.reserved")} ${formatMinute(order.reservedFor)}`]),
    ...(order.market === "board" ? [] : [t(`ticket.at.${order.market}`)]),
    ...(order.validity === "rod" ? [] : [order.validity.toUpperCase()]),
    ...(order.funding === "cash" ? [] : [fundingLabel(fundingWord(order))]),
    ...(order.dayTrade ? [dayTradeLabel(order)] : []),
    ...(order.onLoanLots === undefined ? [] : [t("order.onLoan")]),
    ...(order.trigger ? [entryLabel(order.trigger, decimals)] : []),
    ...conditions
      .filter(({ orderNo, status }) => orderNo === order.orderNo && status === "waiting")
      .map((condition) => triggerLabel(condition, decimals)),
  ];
}

export function OrderTags({ order }: { order: Order }) {
  const tags = useOrderTags(order);
  return tags.length > 0 && <span className={styles.marks}>{tags.join(" · ")}</span>;
}
