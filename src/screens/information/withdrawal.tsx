/** The progress of one withdrawal, when it is paid usually and at the latest, and the ledger lines that it became. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { bankName } from "#contract/bank.ts";
import { formatTwd } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Withdrawal } from "#contract/withdrawal.ts";
import { useRequest } from "#src/actors/request.ts";
import { takeWithdrawal, useWithdrawal, withdrawing } from "#src/streams/withdrawals.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { useQuery } from "#src/ui/link.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Timeline } from "#src/ui/timeline.tsx";
import type { TimelineStep } from "#src/ui/timeline.tsx";
import { FundingError } from "./funding-error.tsx";
import { FundingLines } from "./funding-lines.tsx";
import styles from "./funding.module.css";

/** `/information/withdrawalDetail?no=W12` */
export function WithdrawalPage() {
  const { t } = useTranslation();
  const [query] = useQuery<"/information/withdrawalDetail">();
  const { value, state, failure, retry } = useWithdrawal(query.get("no") ?? "");
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("withdrawal.one")} fallback="/information/cashOut" />}>
      <div className={styles.page}>
        {value && <Known withdrawal={value} />}
        {!value && skeleton && <Skeleton rows={6} />}
        {!value && failure === "GEN_NOT_FOUND" && (
          <EmptyState
            title={t("refusal.GEN_NOT_FOUND")}
            why={t("withdrawal.unknown")}
            action={{ label: t("withdrawal.title"), to: "/information/cashOut" }}
          />
        )}
        {!value && state === "failed" && failure !== "GEN_NOT_FOUND" && (
          <ErrorState what={t("withdrawal.oneFailed")} code={failure ?? ""} onRetry={retry} />
        )}
      </div>
    </Screen>
  );
}

const WAY = ["requested", "underReview", "processing", "paid"] as const;

function useSteps(withdrawal: Withdrawal): TimelineStep[] {
  const { t } = useTranslation();
  const { status, reason, requestedAt, reviewedAt, approvedAt, endedAt, usualAt, latestAt } = withdrawal;
  const times = { requested: requestedAt, underReview: reviewedAt, processing: approvedAt, paid: endedAt };
  const title = (key: Withdrawal["status"]): string => t(`withdrawal.status.${key}`);
  if (status === "failed" || status === "cancelled") {
    const done = WAY.slice(0, 3).filter((key) => times[key] !== null);
    const note = status === "failed" ? t(`withdrawal.reason.${reason ?? "operator"}`) : t("withdrawal.returned");
    return [
      ...done.map((key): TimelineStep => ({ key, title: title(key), at: times[key], state: "done" })),
      { key: status, title: title(status), note, at: endedAt, state: "failed" },
    ];
  }
  const now = WAY.indexOf(status);
  return WAY.map((key, at): TimelineStep => {
    const state = at < now || (key === status && key === "paid") ? "done" : at === now ? "now" : "ahead";
    const expected = { usual: formatDateTime(usualAt), latest: formatDateTime(latestAt) };
    return {
      key,
      title: title(key),
      at: times[key],
      state,
      ...(key === "paid" && state === "ahead" ? { note: t("withdrawal.expected", expected) } : {}),
    };
  });
}

function Known({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t, i18n } = useTranslation();
  const steps = useSteps(withdrawal);
  const { withdrawalNo, amountCents, bankCode, number, status, requestedAt, endedAt } = withdrawal;
  return (
    <>
      <div className={styles.inset}>
        <p className={styles.total}>{formatTwd(amountCents)}</p>
        <p role="status">{t(`withdrawal.status.${status}`)}</p>
        <Timeline label={t("deposit.progress")} steps={steps} />
        <Card label={t("withdrawal.one")}>
          <FieldList
            fields={[
              { label: t("withdrawal.number"), value: withdrawalNo },
              { label: t("withdrawal.toCard"), value: `${bankName(bankCode, i18n.language)} ${number}` },
              { label: t("deposit.submittedAt"), value: formatDateTime(requestedAt) },
            ]}
          />
        </Card>
        {status === "requested" && <Cancel withdrawalNo={withdrawalNo} />}
      </div>
      <Section title={t("funding.lines")}>
        <FundingLines kinds={["payoutHold"]} at={requestedAt} />
        {endedAt !== null && <FundingLines kinds={["withdrawal", "payoutRelease"]} at={endedAt} />}
      </Section>
      <div className={styles.inset}>
        <ButtonLink to="/information/fundRecord">{t("deposit.records")}</ButtonLink>
      </div>
    </>
  );
}

function Cancel({ withdrawalNo }: { withdrawalNo: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const request = useRequest("cancelWithdrawal", { onAccepted: takeWithdrawal, onArrived: withdrawing.refetch });
  return (
    <div className={styles.form}>
      <p className={styles.note}>{t("withdrawal.mayCancel")}</p>
      <FundingError request={request} />
      <Button tone="danger" busy={request.busy} onClick={() => setAsking(true)}>
        {t("withdrawal.cancel")}
      </Button>
      <Alert
        open={asking}
        title={t("withdrawal.cancelTitle")}
        confirm={t("withdrawal.cancel")}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          request.submit({ withdrawalNo });
        }}
      >
        <p>{t("withdrawal.cancelWhy")}</p>
      </Alert>
    </div>
  );
}
