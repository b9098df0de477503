/** Day-trading eligibility: the requirements, which of them the member lacks, and the agreement with its risks. */
import { Check, Minus, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { DAY_TRADE_LACKS } from "#contract/day-trading.ts";
import type { DayTrading } from "#contract/day-trading.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { DayTradeRule } from "#contract/rule.ts";
import { dayTrading, takeDayTrading } from "#src/streams/day-trading.ts";
import { Card, Section } from "#src/ui/row.tsx";
import { BlockedNotice } from "#src/ui/state.tsx";
import { AgreementForm } from "./agreement-form.tsx";
import styles from "./trading.module.css";

export function DayAgreement({ known, rule }: { known: DayTrading; rule: DayTradeRule | null }) {
  const { t } = useTranslation();
  const requirements = {
    accountAge: { has: known.accountDays, needs: rule?.accountDays },
    executedOrders: { has: known.executedOrders, needs: rule?.minimumOrders },
  };
  return (
    <Section title={t("dayTrading.eligibility")} inset>
      <Card label={t("dayTrading.eligibility")}>
        <ul className={styles.checks} role="list">
          {DAY_TRADE_LACKS.map((one) => {
            const lacking = known.lacks.includes(one);
            const { has, needs } = requirements[one];
            // A margin account waives both requirements: an unmet one is then neither lacking nor met.
            const waived = !lacking && needs !== undefined && has < needs;
            return (
              <li key={one} data-lacking={lacking || undefined}>
                {waived && <Minus size={20} aria-hidden />}
                {lacking && <X size={20} aria-label={t("dayTrading.lacking")} />}
                {!waived && !lacking && <Check size={20} aria-label={t("dayTrading.met")} />}
                <span>{needs === undefined ? t(`dayTrading.has.${one}`, { n: has }) : t(`dayTrading.asks.${one}`, { n: has, needs })}</span>
              </li>
            );
          })}
        </ul>
        <p className={styles.plain}>{t("dayTrading.marginInstead")}</p>
        {known.signedAt !== null && <p className={styles.done}>{t("dayTrading.signed", { time: formatDateTime(known.signedAt) })}</p>}
        {known.signedAt === null && known.lacks.length > 0 && (
          <BlockedNotice
            title={t("dayTrading.notYet")}
            why={t("dayTrading.notYetWhy")}
            action={{ label: t("dayTrading.toMargin"), to: "/home/margin" }}
          />
        )}
        {known.signedAt === null && known.lacks.length === 0 && (
          <AgreementForm
            name="signDayTrading"
            kind="dayTrading"
            title={t("dayTrading.agreement")}
            agree={t("dayTrading.agree")}
            sign={t("dayTrading.sign")}
            onAccepted={takeDayTrading}
            onArrived={dayTrading.refetch}
          >
            <li>{t("dayTrading.point.sameDay")}</li>
            <li>{t("dayTrading.point.squareOff")}</li>
            <li>{t("dayTrading.point.tax")}</li>
            <li>{t("dayTrading.point.loss")}</li>
          </AgreementForm>
        )}
      </Card>
    </Section>
  );
}
