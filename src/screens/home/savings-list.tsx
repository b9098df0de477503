/** The member's savings plans, how many are open, and the way to a new one; with what a plan does. */
import { useTranslation } from "react-i18next";
import { formatTwd } from "#contract/kernel/money.ts";
import { formatDate } from "#contract/kernel/time.ts";
import type { SavingsPlan } from "#contract/savings-plan.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useSavings } from "#src/streams/savings-plans.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { RowBody } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { SavingsNotes } from "./savings-notes.tsx";
import styles from "./fund.module.css";

const ROW_PX = 60;

export function SavingsList() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useSavings();
  const skeleton = useSkeleton(value === null && state === "loading");
  const open = (value?.plans ?? []).filter(({ status }) => status !== "ended").length;
  return (
    <>
      {value === null && skeleton && <Skeleton rows={5} />}
      {value === null && state === "failed" && <ErrorState what={t("savings.failed")} code={failure ?? ""} onRetry={retry} />}
      {value && value.plans.length === 0 && <EmptyState title={t("savings.none")} why={t("savings.noneWhy")} />}
      {value && value.plans.length > 0 && (
        <div className={styles.rows}>
          <MeasuredList label={t("fund.part.savings")} items={value.plans} keyOf={({ planNo }) => planNo} estimatePx={ROW_PX}>
            {(plan) => <PlanRow plan={plan} />}
          </MeasuredList>
        </div>
      )}
      {value && (
        <div className={styles.inset}>
          {open < value.rule.plans ? (
            <ButtonLink tone="primary" size="large" block to={pathTo("/home/etf", { plan: "new" })}>
              {t("savings.new")}
            </ButtonLink>
          ) : (
            <p className={styles.note}>{t("savings.full", { n: value.rule.plans })}</p>
          )}
          <SavingsNotes rule={value.rule} />
        </div>
      )}
    </>
  );
}

function PlanRow({ plan }: { plan: SavingsPlan }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  return (
    <div className={styles.plan}>
      <RowBody
        to={pathTo("/home/etf", { plan: plan.planNo })}
        title={nameOf(plan.code)}
        subtitle={
          <>
            {t("savings.row", { amount: formatTwd(plan.amountCents), day: plan.day })}
            {plan.nextAt !== null && ` · ${t("savings.next", { time: formatDate(plan.nextAt) })}`}
          </>
        }
        trailing={plan.nextAt === null && t(`savings.status.${plan.status}`)}
      />
    </div>
  );
}
