/** Words that the screens of copy trading share: how a mentor is called, and what everybody should know. */
import { useTranslation } from "react-i18next";
import type { Mentor } from "#contract/copy.ts";
import type { CopyRule } from "#contract/copy-rule.ts";
import { formatRate } from "#contract/kernel/money.ts";
import styles from "./fund.module.css";

/** The name of a mentor: the strategy of the broker's own, or what a member chose. */
export function useMentorName(): (mentor: Pick<Mentor, "strategy" | "name">) => string {
  const { t } = useTranslation();
  return ({ strategy, name }) => (strategy === null ? (name ?? "") : t(`copy.strategy.${strategy}`));
}

export function CopyNotes({ rule }: { rule: CopyRule }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.notes}>
      <li>{t("copy.note.past")}</li>
      <li>{t("copy.note.ordinary")}</li>
      <li>{t("copy.note.price", { rate: formatRate(rule.slipPerMillion), part: formatRate(rule.volumePerMillion) })}</li>
      <li>{t("copy.note.stop", { rate: formatRate(rule.slipPerMillion) })}</li>
      <li>{t("copy.note.house")}</li>
    </ul>
  );
}
