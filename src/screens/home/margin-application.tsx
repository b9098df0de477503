/** Applying for a margin account: its terms and costs, the agreement, and the application under review. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatRate } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { MarginStatus } from "#contract/margin.ts";
import type { Rules } from "#contract/rule.ts";
import { useRequest } from "#src/actors/request.ts";
import { margin, takeMargin } from "#src/streams/margin.ts";
import { useMember } from "#src/streams/member.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { Card, Section } from "#src/ui/row.tsx";
import { AgreementForm } from "./agreement-form.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./trading.module.css";

export interface MarginApplicationProps {
  /** Any status but `approved`, which needs no application. */
  status: Exclude<MarginStatus, "approved">;
  appliedAt: number | null;
  rules: Rules | null;
}

export function MarginApplication({ status, appliedAt, rules }: MarginApplicationProps) {
  const { t } = useTranslation();
  const minor = useMember().value?.facts.minor ?? false;
  return (
    <Section title={t(`margin.status.${status}`)} inset>
      <Card label={t("margin.title")}>
        {status === "pendingReview" ? (
          <UnderReview appliedAt={appliedAt} />
        ) : (
          <>
            {status === "rejected" && <p className={styles.trouble}>{t("margin.rejectedWhy")}</p>}
            {minor ? <p className={styles.plain}>{t("refusal.ACC_MINOR")}</p> : <Apply rules={rules} />}
          </>
        )}
      </Card>
    </Section>
  );
}

function Apply({ rules }: { rules: Rules | null }) {
  const { t } = useTranslation();
  return (
    <AgreementForm
      name="applyMargin"
      kind="margin"
      agree={t("margin.agree")}
      sign={t("margin.apply")}
      onAccepted={takeMargin}
      onArrived={margin.refetch}
    >
      {rules && (
        <>
          <li>{t("margin.point.loan", { loan: formatRate(rules.trade.loanPerMillion) })}</li>
          <li>{t("margin.point.short", { short: formatRate(rules.trade.marginShortPerMillion) })}</li>
          <li>{t("margin.point.interest", { rate: formatRate(rules.trade.interestPerMillion) })}</li>
          <li>{t("margin.point.call", { call: rules.margin.callPercent, cleared: rules.margin.clearedPercent })}</li>
          <li>{t("margin.point.sold", { count: rules.margin.graceDays })}</li>
        </>
      )}
    </AgreementForm>
  );
}

/** An application under review; it can still be withdrawn. */
function UnderReview({ appliedAt }: { appliedAt: number | null }) {
  const { t } = useTranslation();
  const [confirming, setConfirming] = useState(false);
  const request = useRequest("withdrawMargin", { onAccepted: takeMargin, onArrived: margin.refetch });
  return (
    <div className={styles.form}>
      <p>{t("margin.reviewed")}</p>
      {appliedAt !== null && <p className={styles.plain}>{t("margin.appliedAt", { time: formatDateTime(appliedAt) })}</p>}
      <RequestError request={request} />
      <Button busy={request.busy} onClick={() => setConfirming(true)}>
        {t("margin.withdraw")}
      </Button>
      <Alert
        open={confirming}
        title={t("margin.withdrawTitle")}
        confirm={t("margin.withdraw")}
        onClose={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          request.submit({});
        }}
      >
        <p>{t("margin.withdrawWhy")}</p>
      </Alert>
    </div>
  );
}
