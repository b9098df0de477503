/** What every conversion quote costs, how long it holds, and how much may be converted. */
import { useTranslation } from "react-i18next";
import type { ConversionRule } from "#contract/conversion.ts";
import { formatMoney, formatRate } from "#contract/kernel/money.ts";
import { Section } from "#src/ui/row.tsx";
import styles from "./money.module.css";

export function ConversionTerms({ title, rule }: { title: string; rule: ConversionRule }) {
  const { t } = useTranslation();
  return (
    <Section title={title} inset>
      <ul className={styles.terms}>
        <li>{t("conversion.termsSpread", { rate: formatRate(rule.spreadPerMillion) })}</li>
        <li>{t("conversion.termsLock", { count: rule.quoteSeconds })}</li>
        <li>{t("conversion.termsRounding")}</li>
        <li>{t("conversion.termsHour", { amount: formatMoney(rule.hourlyCents) })}</li>
      </ul>
    </Section>
  );
}
