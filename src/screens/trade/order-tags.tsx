/** What of an order is not plain, as small words under its row: where it trades, with whose money, what it waits for, what guards it. */
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { fundingWord } from "#src/screens/ticket/choices.ts";
import { useEntryWord, useFundingWord, useTriggerWord } from "#src/screens/ticket/words.ts";
import { useConditions } from "#src/streams/conditions.ts";
import { useDecimals } from "./order-lines.tsx";
import styles from "./trade.module.css";

/** Every mark of an order, in words. */
export function useOrderTags(order: Order): string[] {
  const { t } = useTranslation();
  const decimals = useDecimals()(order.code);
  const funded = useFundingWord();
  const enters = useEntryWord();
  const guards = useTriggerWord();
  const conditions = useConditions().value ?? [];
  return [
    ...(order.market === "board" ? [] : [t(`ticket.at.${order.market}`)]),
    ...(order.validity === "rod" ? [] : [order.validity.toUpperCase()]),
    ...(order.funding === "cash" ? [] : [funded(fundingWord(order))]),
    ...(order.dayTrade ? [t("ticket.dayTrade")] : []),
    ...(order.trigger ? [enters(order.trigger, decimals)] : []),
    ...conditions
      .filter(({ orderNo, status }) => orderNo === order.orderNo && status === "waiting")
      .map((condition) => guards(condition, decimals)),
  ];
}

export function OrderTags({ order }: { order: Order }) {
  const marks = useOrderTags(order);
  return marks.length > 0 && <span className={styles.marks}>{marks.join(" · ")}</span>;
}
