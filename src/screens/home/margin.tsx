/** The margin account: application, coverage, the open margin call with its payment, financed positions and past calls. */
import { useTranslation } from "react-i18next";
import { openCallOf, useMargin } from "#src/streams/margin.ts";
import type { Margin } from "#src/streams/margin.ts";
import { useRules } from "#src/streams/rules.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, RiskNotice, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { MarginApplication } from "./margin-application.tsx";
import { OpenMarginCall } from "./margin-call.tsx";
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
  const call = openCallOf(account);
  const ended = calls.filter(({ endedAt }) => endedAt !== null);
  return (
    <>
      {call && <OpenMarginCall key={call.callNo} call={call} rule={rules?.margin ?? null} />}
      {/* A cash-collateralised short is monitored, and may get a margin call, without a margin account. */}
      {(account.status === "approved" || account.ratioBasisPoints !== null) && (
        <>
          <MarginCover account={account} rule={rules?.margin ?? null} />
          <MarginPositions />
        </>
      )}
      {account.status !== "approved" && <MarginApplication status={account.status} appliedAt={account.appliedAt} rules={rules} />}
      {ended.length > 0 && <MarginCalls calls={ended} />}
    </>
  );
}
