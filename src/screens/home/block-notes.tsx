/** What a member should know of block trades before they commit: hours, limits, payment, lock, and what ends a purchase. */
import { useTranslation } from "react-i18next";
import type { BlockRule } from "#contract/block-market.ts";
import { formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { Card, FieldList } from "#src/ui/row.tsx";
import styles from "./block.module.css";

/** A number of shares with its word. */
export function useShares(): (shares: number) => string {
  const { t } = useTranslation();
  return (shares) => t("block.shares", { n: grouped(String(shares)) });
}

export function BlockLimits({ rule, used }: { rule: BlockRule; used: number }) {
  const { t } = useTranslation();
  const shares = useShares();
  return (
    <Card label={t("block.title")}>
      <FieldList
        fields={[
          { label: t("block.field.minimum"), value: shares(rule.minimumShares) },
          { label: t("block.field.daily"), value: `${grouped(String(used))} / ${shares(rule.dailyShares)}` },
        ]}
      />
    </Card>
  );
}

export function BlockNotes({ rule, unlocksAt }: { rule: BlockRule; unlocksAt: number | null }) {
  const { t } = useTranslation();
  return (
    <div className={styles.notes}>
      <p>{t("block.note.cash")}</p>
      {unlocksAt !== null && <p>{t("block.note.lock", { time: formatDateTime(unlocksAt) })}</p>}
      <p>{t("block.note.moved")}</p>
      <p>{t("block.note.review", { amount: formatTwd(rule.reviewCents) })}</p>
      <p>{t("block.note.cancel")}</p>
      <p>{t("block.note.discount")}</p>
      <p>
        {t("block.field.hours")}: {t("block.hours")}
      </p>
      <p>{t("block.simulated")}</p>
    </div>
  );
}
