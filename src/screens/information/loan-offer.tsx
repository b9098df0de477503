/** An offer: its terms, until when it holds, the agreement to sign first, and drawing it. */
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatTwd } from "#contract/kernel/money.ts";
import { formatTime } from "#contract/kernel/time.ts";
import type { Loan } from "#contract/loan.ts";
import { useLoanStatus } from "#src/actors/loan.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { lending, takeLoan } from "#src/streams/loans.ts";
import { useTimePast } from "#src/streams/moment.ts";
import { Button } from "#src/ui/button.tsx";
import { Card } from "#src/ui/row.tsx";
import { BlockedNotice } from "#src/ui/state.tsx";
import { FundingError } from "./funding-error.tsx";
import { LoanTerms } from "./loan-terms.tsx";
import styles from "./funding.module.css";

/** `signed`: the loan agreement is signed. */
export function LoanOffer({ loan, signed, onChange }: { loan: Loan; signed: boolean; onChange: () => void }) {
  const { t } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  const status = useLoanStatus(loan);
  const ended = useTimePast([loan.offerEndsAt]) > loan.offerEndsAt;
  const request = useRequest("drawLoan", {
    onAccepted: (drawn) => {
      takeLoan(drawn);
      showToast(t("operation.OP_LOAN_OK"), "success");
    },
    onArrived: lending.refetch,
  });
  useEffect(() => heading.current?.focus({ preventScroll: false }), []);
  const ready = signed || status === "signed";
  return (
    <Card label={t("loan.offer")}>
      <div className={styles.form}>
        <h2 ref={heading} tabIndex={-1} className={styles.blockedTitle}>
          {t("loan.offer")}
        </h2>
        <p className={styles.total}>{formatTwd(loan.amountCents)}</p>
        <p role="status">{t(`loan.status.${ready ? "signed" : "offered"}`)}</p>
        <LoanTerms amountCents={loan.amountCents} termDays={loan.termDays} interestPerMillion={loan.interestPerMillion} />
        <p className={styles.note}>{t("loan.use")}</p>
        <p className={styles.note}>{t("loan.debit")}</p>
        {!ended && !ready && (
          <BlockedNotice
            title={t("agreement.signFirst")}
            why={t("agreement.signFirstWhy")}
            action={{ label: t("agreement.toSign"), to: pathTo("/information/shou", { kind: "loan" }) }}
          />
        )}
        {ended ? (
          <p className={styles.trouble} role="alert">
            {t("refusal.FUND_LOAN_OFFER_ENDED")}
          </p>
        ) : (
          <p className={styles.note}>{t("loan.until", { time: formatTime(loan.offerEndsAt) })}</p>
        )}
        <FundingError request={request} />
        {!ended && ready && (
          <Button tone="primary" size="large" block busy={request.busy} onClick={() => request.submit({ loanNo: loan.loanNo })}>
            {t("loan.draw", { amount: formatMoney(loan.amountCents) })}
          </Button>
        )}
        <Button tone={ended ? "primary" : "quiet"} block onClick={onChange}>
          {t("loan.change")}
        </Button>
      </div>
    </Card>
  );
}
