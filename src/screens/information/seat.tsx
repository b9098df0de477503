/** Seat account: the member's commission beside that of a seat, what is checked, and the application. */
import { useTranslation } from "react-i18next";
import { formatRate } from "#contract/kernel/money.ts";
import { useSeat } from "#src/streams/agency.ts";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { ApplicationForm } from "./application-form.tsx";
import styles from "./funding.module.css";

/** `/information/seat` */
export function SeatPage() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useSeat();
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Screen header={<BackHeader title={t("app.title.seat")} fallback="/information/index" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={4} />}
        {value === null && state === "failed" && <ErrorState what={t("reward.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && (
          <>
            <div className={styles.inset}>
              <p className={styles.note}>{t("agency.seatWhy")}</p>
              <Card label={t("agency.seatTitle")}>
                <FieldList
                  fields={[
                    { label: t("agency.feeNow"), value: formatRate(value.feePerMillion) },
                    { label: t("agency.feeSeat"), value: formatRate(value.rule.seatFeePerMillion) },
                  ]}
                />
              </Card>
            </div>
            <Section title={t("agency.needs")} inset>
              <Card label={t("agency.needs")}>
                <FieldList
                  fields={[
                    { label: t("agency.needScore"), value: t("agency.atLeast", { n: value.rule.seatMinimumScore }) },
                    { label: t("agency.needOrders"), value: t("agency.atLeast", { n: value.rule.seatMinimumOrders }) },
                  ]}
                />
              </Card>
            </Section>
            <ApplicationForm kind="seat" application={value.application} rule={value.rule} />
          </>
        )}
      </div>
    </Screen>
  );
}
