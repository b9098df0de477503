/** Agent: the invitation code, the application, and for an agent the invited members and the rebates. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { useAgent } from "#src/streams/agency.ts";
import type { AgentState } from "#src/streams/agency.ts";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { InvitedMembers, RebateMonths } from "./agent-lists.tsx";
import { ApplicationForm } from "./application-form.tsx";
import { Invitation } from "./invitation.tsx";
import styles from "./funding.module.css";

/** `/information/agent` */
export function AgentPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useAgent();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("app.title.agent")} fallback="/information/index" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={5} />}
        {value === null && state === "failed" && <ErrorState what={t("reward.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && (
          <>
            <div className={styles.inset}>
              <p className={styles.note}>{t("agency.agentWhy", { part: value.rule.rebatePerMillion / 10_000 })}</p>
            </div>
            {value.isAgent ? <Earned known={value} /> : <ApplicationForm kind="agent" application={value.application} rule={value.rule} />}
            <Invitation code={value.code} />
            {value.isAgent && (
              <>
                <RebateMonths />
                <InvitedMembers />
              </>
            )}
          </>
        )}
      </div>
    </Screen>
  );
}

function Earned({ known: { invited, accruedCents, paidCents } }: { known: AgentState }) {
  const { t } = useTranslation();
  return (
    <div className={styles.inset}>
      <Card label={t("agency.agentTitle")}>
        <FieldList
          fields={[
            { label: t("agency.invitedCount"), value: String(invited) },
            { label: t("agency.accrued"), value: `NT$${formatMoney(accruedCents)}` },
            { label: t("agency.paid"), value: `NT$${formatMoney(paidCents)}` },
          ]}
        />
      </Card>
    </div>
  );
}
