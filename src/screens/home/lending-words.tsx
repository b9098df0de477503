/** Parts that the screens of securities lending share: which shares can be lent, what a loan brings, and what everybody should know. */
import { useTranslation } from "react-i18next";
import { lenderPartOf, lendingFeeOf } from "#contract/lending-fee.ts";
import type { LendingRule } from "#contract/lending-rule.ts";
import { formatRate, formatTwd } from "#contract/kernel/money.ts";
import type { Cents } from "#contract/kernel/money.ts";
import type { Order } from "#contract/order.ts";
import { positions } from "#src/streams/orders.ts";
import { useResource } from "#src/streams/resource.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import type { Field } from "#src/ui/row.tsx";
import styles from "./fund.module.css";

/** Lots of an order that are neither on loan nor offered. */
export const freeLotsOf = ({ filledLots, closedLots, onLoanLots = 0 }: Order): number => filledLots - closedLots - onLoanLots;

/** The member's purchases for cash of whole lots that can be borrowed, as far as they are free. */
export function useLendable(): readonly Order[] {
  const held = useResource(positions).value ?? [];
  const table = useInstruments();
  return held.filter((order) => {
    const instrument = table?.byCode.get(order.code);
    const own = order.direction === "rise" && order.funding === "cash" && !order.dayTrade && order.status === "holding";
    return (
      own && instrument?.shortable === true && order.lotShares === instrument.lotShares && order.lotShares > 1 && freeLotsOf(order) > 0
    );
  });
}

/** What a loan brings the lender, a day and over its term, at the latest close. */
export function useIncomeFields(): (value: Cents, ratePerMillion: number, days: number, rule: LendingRule) => Field[] {
  const { t } = useTranslation();
  return (value, rate, days, { brokerPerMillion }) => {
    const fee = lendingFeeOf(rate, value, 1);
    return [
      { label: t("lending.field.value"), value: formatTwd(value) },
      { label: t("lending.field.perDay"), value: `≈ ${formatTwd(lenderPartOf(brokerPerMillion, fee))}` },
      { label: t("lending.field.all"), value: `≈ ${formatTwd(lenderPartOf(brokerPerMillion, fee * days))}` },
    ];
  };
}

export function LendingNotes({ rule }: { rule: LendingRule }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.notes}>
      <li>{t("lending.note.fee", { rate: formatRate(rule.brokerPerMillion) })}</li>
      <li>{t("lending.note.locked")}</li>
      <li>{t("lending.note.dividends")}</li>
      <li>{t("lending.note.broker")}</li>
      <li>{t("lending.note.simulated")}</li>
    </ul>
  );
}
