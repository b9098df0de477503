/** What a client should know of regular savings before they start a plan. */
import { useTranslation } from "react-i18next";
import { formatRate, formatTwd } from "#contract/kernel/money.ts";
import type { SavingsRule } from "#contract/savings-rule.ts";
import styles from "./fund.module.css";

export function SavingsNotes({ rule }: { rule: SavingsRule }) {
  const { t } = useTranslation();
  return (
    <div className={styles.notes}>
      <p>{t("savings.note.what")}</p>
      <p>{t("savings.note.minimum", { amount: formatTwd(rule.minimumCents) })}</p>
      <p>{t("savings.note.day")}</p>
      <p>{t("savings.note.limit", { rate: formatRate(rule.limitPerMillion) })}</p>
      <p>{t("savings.note.skip")}</p>
      <p>{t("savings.note.risk")}</p>
    </div>
  );
}
