/** The margin account: applying for it, how well it is covered, the call under way with its payment, and what it finances. */
import { useTranslation } from "react-i18next";
import { underWay, useMargin } from "#src/streams/margin.ts";
import type { Margin } from "#src/streams/margin.ts";
import { useRules } from "#src/streams/rules.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, RiskNotice, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { MarginApplication } from "./margin-application.tsx";
import { MarginCallUnderWay } from "./margin-call.tsx";
import { MarginCalls } from "./margin-calls.tsx";
import { MarginCover } from "./margin-cover.tsx";
import { MarginPositions } from "./margin-positions.tsx";
import styles from "./trading.module.css";

/** `/home/margin` */
export function MarginPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useMargin();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("margin.title")} fallback="/home/allTool" />} top={<StaleNotice />}>
      <div className={styles.page}>
        <div className={styles.inset}>
          <RiskNotice>{t("margin.risk")}</RiskNotice>
        </div>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("margin.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && <Account known={value} />}
      </div>
    </Screen>
  );
}

function Account({ known: { account, calls } }: { known: Margin }) {
  const rules = useRules().value;
  const call = underWay(account);
  const over = calls.filter(({ endedAt }) => endedAt !== null);
  return (
    <>
      {call && <MarginCallUnderWay key={call.callNo} call={call} rule={rules?.margin ?? null} />}
      {/* A short paid in cash is watched, and may be called, without a margin account. */}
      {(account.status === "approved" || account.ratioBasisPoints !== null) && (
        <>
          <MarginCover account={account} rule={rules?.margin ?? null} />
          <MarginPositions />
        </>
      )}
      {account.status !== "approved" && <MarginApplication status={account.status} appliedAt={account.appliedAt} rules={rules} />}
      {over.length > 0 && <MarginCalls calls={over} />}
    </>
  );
}
