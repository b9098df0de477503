/** Risk controls: the member's limits in force, limits that apply from the next trading day, and today's loss. */
import { useObservableState } from "observable-hooks";
import { useTranslation } from "react-i18next";
import { auditTime } from "rxjs";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Risk } from "#contract/risk.ts";
import { liveOverview, useMember } from "#src/streams/member.ts";
import { profitTotal$ } from "#src/streams/profits.ts";
import { useRisk } from "#src/streams/risk.ts";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { RiskLimits } from "./risk-limits.tsx";
import { RiskLock } from "./risk-lock.tsx";
import { SkipReview } from "./skip-review.tsx";
import styles from "./information.module.css";

/** The loss changes too fast to read: one update a second is enough. */
const profitSum$ = profitTotal$.pipe(auditTime(1000));

/** `/information/risk` */
export function RiskControls() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useRisk();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("risk.title")} fallback="/information/setting" />}>
      <div className={styles.page}>
        <p className={styles.note}>{t("risk.note")}</p>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("risk.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && (
          <>
            <CurrentLimits known={value} />
            {/* A new key resets the fields to the saved limits. */}
            <RiskLimits
              key={JSON.stringify([value.maxOrderCents, value.dailyLossCents, value.slideAboveCents, value.easing])}
              known={value}
            />
            <SkipReview />
            <RiskLock known={value} />
          </>
        )}
      </div>
    </Screen>
  );
}

/** Today's loss at the latest prices; the server's last figure until they are known. */
function useLoss({ lossCents }: Risk): number {
  const member = useMember().value;
  const sum = useObservableState(profitSum$, null);
  return member && sum?.unpriced === 0 ? Math.max(0, 0 - liveOverview(member, sum).todayProfitCents) : lossCents;
}

function CurrentLimits({ known }: { known: Risk }) {
  const { t } = useTranslation();
  const { maxOrderCents, dailyLossCents, slideAboveCents, lockedUntil, easing } = known;
  const lossCents = useLoss(known);
  const amount = (cents: number | null): string => (cents === null ? t("risk.notSet") : formatMoney(cents));
  const reached = dailyLossCents !== null && lossCents >= dailyLossCents;
  return (
    <Section title={t("risk.now")} inset>
      <Card label={t("risk.now")}>
        <FieldList
          fields={[
            { label: t("risk.maxOrder"), value: amount(maxOrderCents) },
            { label: t("risk.dailyLoss"), value: amount(dailyLossCents) },
            { label: t("risk.lossToday"), value: formatMoney(lossCents) },
            { label: t("risk.slideAbove"), value: amount(slideAboveCents) },
            {
              label: t("risk.lock"),
              value: lockedUntil === null ? t("risk.notLocked") : t("risk.until", { time: formatDateTime(lockedUntil) }),
            },
          ]}
        />
        {dailyLossCents !== null && (
          <meter
            className={styles.meter}
            aria-label={t("risk.lossToday")}
            min={0}
            max={dailyLossCents}
            low={dailyLossCents * 0.5}
            high={dailyLossCents * 0.8}
            optimum={0}
            value={Math.min(lossCents, dailyLossCents)}
          />
        )}
        {reached && (
          <p className={styles.trouble} role="alert">
            {t("risk.reached")}
          </p>
        )}
        {easing && (
          <div role="note">
            <p className={styles.plain}>{t("risk.easing", { time: formatDateTime(easing.at) })}</p>
            <FieldList
              fields={[
                { label: t("risk.maxOrder"), value: amount(easing.maxOrderCents) },
                { label: t("risk.dailyLoss"), value: amount(easing.dailyLossCents) },
              ]}
            />
          </div>
        )}
      </Card>
    </Section>
  );
}
