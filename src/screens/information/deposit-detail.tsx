/** The progress of one deposit, and the ledger lines that it became. */
import { useTranslation } from "react-i18next";
import { isOpenDeposit } from "#contract/deposit.ts";
import type { Deposit } from "#contract/deposit.ts";
import { formatMoney, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useDeposit } from "#src/streams/deposits.ts";
import { usePhoto } from "#src/streams/identity.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Timeline } from "#src/ui/timeline.tsx";
import type { TimelineStep } from "#src/ui/timeline.tsx";
import { FundingLines } from "./funding-lines.tsx";
import styles from "./funding.module.css";

export function DepositDetail({ depositNo }: { depositNo: string }) {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useDeposit(depositNo);
  const skeleton = useSkeleton(value === null && state === "loading");
  if (value) return <Known deposit={value} />;
  if (failure === "GEN_NOT_FOUND") {
    return <EmptyState title={t("refusal.GEN_NOT_FOUND")} action={{ label: t("deposit.title"), to: "/information/recharge" }} />;
  }
  if (state === "failed") return <ErrorState what={t("deposit.oneFailed")} code={failure ?? ""} onRetry={retry} />;
  return skeleton ? <Skeleton rows={6} /> : null;
}

function useSteps({ status, reason, submittedAt, receivedAt, endedAt, expiresAt }: Deposit): TimelineStep[] {
  const { t } = useTranslation();
  const step = (key: Deposit["status"], state: TimelineStep["state"], at: number | null, note?: string): TimelineStep => ({
    key,
    title: t(`deposit.status.${key}`),
    at,
    state,
    // What a step means is said while it lasts.
    ...(note === undefined || state === "done" ? {} : { note }),
  });
  const pending = step("pending", status === "pending" ? "now" : "done", submittedAt, t("deposit.step.pending"));
  if (status === "expired") return [pending, step("expired", "failed", endedAt, t("deposit.step.expired"))];
  const received = step("processing", phase(status), receivedAt, t("deposit.step.processing"));
  if (status === "rejected") return [pending, received, step("rejected", "failed", endedAt, t(`deposit.reason.${reason ?? "operator"}`))];
  const note = status === "credited" ? undefined : t("deposit.step.credited", { until: formatDateTime(expiresAt) });
  return [pending, received, step("credited", status === "credited" ? "done" : "ahead", endedAt, note)];
}

const phase = (status: Deposit["status"]): TimelineStep["state"] =>
  status === "pending" ? "ahead" : status === "processing" ? "now" : "done";

function Known({ deposit }: { deposit: Deposit }) {
  const { t } = useTranslation();
  const steps = useSteps(deposit);
  const { paid, amount, currency, creditCents, status, endedAt, sender, txHash, proofId } = deposit;
  return (
    <>
      <div className={styles.inset}>
        <p className={styles.total}>{`${paid} ${grouped(String(amount))}`}</p>
        <p role="status">{t(`deposit.status.${status}`)}</p>
        <Timeline label={t("deposit.progress")} steps={steps} />
        <Card label={t("deposit.one")}>
          <FieldList
            fields={[
              { label: t("deposit.number"), value: deposit.depositNo },
              { label: t("deposit.channelLabel"), value: t(`deposit.channel.${deposit.channel}`) },
              { label: t(txHash === null ? "deposit.virtualAccount" : "deposit.address"), value: <Long text={deposit.payTo} /> },
              ...(sender === null ? [] : [{ label: t("deposit.sender"), value: <Long text={sender} /> }]),
              ...(txHash === null ? [] : [{ label: t("deposit.txHash"), value: <Long text={txHash} /> }]),
              { label: t("deposit.credit"), value: `${currency} ${formatMoney(creditCents)}` },
              { label: t("deposit.submittedAt"), value: formatDateTime(deposit.submittedAt) },
            ]}
          />
          {proofId !== null && <OwnProof id={proofId} />}
        </Card>
      </div>
      {status === "credited" && endedAt !== null && (
        <Section title={t("funding.lines")}>
          <FundingLines kinds={["deposit"]} at={endedAt} />
        </Section>
      )}
      <div className={styles.inset}>
        {isOpenDeposit(deposit) ? (
          <p className={styles.note}>{t("deposit.mayLeave")}</p>
        ) : status === "credited" ? (
          <ButtonLink to="/favorite/index" tone="primary" size="large" block>
            {t("deposit.toMarket")}
          </ButtonLink>
        ) : (
          <ButtonLink to="/information/recharge" tone="primary" size="large" block>
            {t("deposit.again")}
          </ButtonLink>
        )}
      </div>
    </>
  );
}

function Long({ text }: { text: string }) {
  return <span className={styles.long}>{text}</span>;
}

/** The photo as the broker keeps it, until it is deleted. */
function OwnProof({ id }: { id: string }) {
  const { t } = useTranslation();
  const url = usePhoto(id);
  return url === null ? null : <img className={styles.photo} src={url} alt={t("deposit.proof")} />;
}
