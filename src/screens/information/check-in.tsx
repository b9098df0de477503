/** Daily check-in: once a Taipei day, its calendar, and the fee vouchers it redeems. */
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import type { Answer } from "#contract/endpoints.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { Blocked } from "./blocked.tsx";
import { FundingError } from "./funding-error.tsx";
import { useMember } from "#src/streams/member.ts";
import { refetchRewards, takeCheckIns, useCheckIns } from "#src/streams/rewards.ts";
import { Button } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { CheckInCalendar } from "./check-in-calendar.tsx";
import { Vouchers } from "./vouchers.tsx";
import own from "./check-in.module.css";
import styles from "./funding.module.css";

/** `/home/checkIn` */
export function CheckInPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useCheckIns("");
  const facts = useMember().value?.facts;
  const skeleton = useSkeleton(value === null && state === "loading");
  const missing = facts ? missingFor("checkIn", facts) : [];
  return (
    <Screen header={<BackHeader title={t("app.title.checkIn")} fallback="/home/allTool" />}>
      <div className={styles.page}>
        <div className={styles.inset}>
          {value && <p className={styles.note}>{t("reward.intro", { n: value.rule.checkInsPerVoucher })}</p>}
          <Blocked title={t("reward.blocked")} missing={missing} />
        </div>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("reward.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && (
          <>
            <div className={styles.inset}>
              <Figures known={value} mayCheckIn={missing.length === 0} />
            </div>
            <CheckInCalendar today={value.checkIns.today} current={value.month} />
            <Vouchers />
          </>
        )}
      </div>
    </Screen>
  );
}

/** What was collected, today's check-in, and redeeming. */
function Figures({ known: { checkIns, rule }, mayCheckIn }: { known: Answer<"readCheckIns">; mayCheckIn: boolean }) {
  const { t } = useTranslation();
  const { checkedIn, count, streak, total } = checkIns;
  const checkIn = useRequest("checkIn", {
    onAccepted: (now) => {
      takeCheckIns(now);
      showToast(t("operation.OP_CHECKIN_OK"), "success");
    },
    onArrived: refetchRewards,
  });
  const redemption = useRequest("redeemVoucher", {
    onAccepted: (answer) => {
      takeCheckIns(answer.checkIns);
      refetchRewards();
      showToast(t("reward.redeemed"), "success");
    },
    onArrived: refetchRewards,
  });
  const price = { have: Math.min(count, rule.checkInsPerVoucher), n: rule.checkInsPerVoucher, days: rule.voucherDays };
  return (
    <Card label={t("app.title.checkIn")}>
      <div className={own.actions}>
        <FieldList
          fields={[
            { label: t("reward.count"), value: String(count) },
            { label: t("reward.streak"), value: String(streak) },
            { label: t("reward.total"), value: String(total) },
          ]}
        />
        {mayCheckIn && (
          <>
            <FundingError request={checkIn} />
            {checkedIn ? (
              <p role="status">{t("reward.done")}</p>
            ) : (
              <Button tone="primary" size="large" block busy={checkIn.busy} onClick={() => checkIn.submit({})}>
                {t("reward.checkIn")}
              </Button>
            )}
            <p className={styles.note}>{t("reward.redeemWhy", { ...price, amount: formatMoney(rule.voucherCents) })}</p>
            <FundingError request={redemption} />
            {count >= rule.checkInsPerVoucher && (
              <Button busy={redemption.busy} onClick={() => redemption.submit({})}>
                {t("reward.redeem")}
              </Button>
            )}
          </>
        )}
      </div>
    </Card>
  );
}
