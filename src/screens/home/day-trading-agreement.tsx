/** Who may day trade: what is asked of the member, what they lack, and the agreement with its risks. */
import { Check, Minus, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DAY_TRADE_LACKS } from "#contract/day-trading.ts";
import type { DayTrading } from "#contract/day-trading.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { DayTradeRule } from "#contract/rule.ts";
import { useRequest } from "#src/actors/request.ts";
import { dayTrading, takeDayTrading } from "#src/streams/day-trading.ts";
import { Button } from "#src/ui/button.tsx";
import { Checkbox } from "#src/ui/choice.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { BlockedNotice } from "#src/ui/state.tsx";
import { RequestTrouble } from "./request-trouble.tsx";
import styles from "./trading.module.css";

const FIELDS = ["agreed"] as const;

export function DayAgreement({ known, rule }: { known: DayTrading; rule: DayTradeRule | null }) {
  const { t } = useTranslation();
  const asked = {
    accountAge: { has: known.accountDays, needs: rule?.accountDays },
    executedOrders: { has: known.executedOrders, needs: rule?.minimumOrders },
  };
  return (
    <Section title={t("dayTrading.eligibility")} inset>
      <Card label={t("dayTrading.eligibility")}>
        <ul className={styles.checks} role="list">
          {DAY_TRADE_LACKS.map((one) => {
            const lacking = known.lacks.includes(one);
            const { has, needs } = asked[one];
            // With a margin account neither is asked for: what falls short of it is no obstacle, but not met either.
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
        {known.signedAt === null && known.lacks.length === 0 && <Agreement />}
      </Card>
    </Section>
  );
}

/** The points of the agreement, a tick, and the signature. */
function Agreement() {
  const { t } = useTranslation();
  const [agreed, setAgreed] = useState(false);
  const request = useRequest("signDayTrading", { fields: FIELDS, onAccepted: takeDayTrading, onArrived: dayTrading.refetch });
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        request.submit({ agreed });
      }}
    >
      <h3>{t("dayTrading.agreement")}</h3>
      <ul className={styles.points}>
        <li>{t("dayTrading.point.sameDay")}</li>
        <li>{t("dayTrading.point.squareOff")}</li>
        <li>{t("dayTrading.point.tax")}</li>
        <li>{t("dayTrading.point.loss")}</li>
      </ul>
      <Checkbox
        label={t("dayTrading.agree")}
        on={agreed}
        onCheck={(on) => {
          setAgreed(on);
          request.edit("agreed");
        }}
      />
      {request.errorAt("agreed") !== null && (
        <p className={styles.trouble} role="alert">
          {t("dayTrading.agreeFirst")}
        </p>
      )}
      <RequestTrouble request={request} />
      <Button type="submit" tone="primary" size="large" block busy={request.busy}>
        {t("dayTrading.sign")}
      </Button>
    </form>
  );
}
