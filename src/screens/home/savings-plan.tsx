/** One savings plan: what it buys and when next, changing, pausing and ending it, and each month with its orders. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDate, formatDateTime } from "#contract/kernel/time.ts";
import type { SavingsPlan, SavingsRun } from "#contract/savings-plan.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { takePlan, useSavings, useSavingsRuns } from "#src/streams/savings-plans.ts";
import type { Savings } from "#src/streams/savings-plans.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button } from "#src/ui/button.tsx";
import { Link } from "#src/ui/link.tsx";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { Card, FieldList, Section } from "#src/ui/row.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { RequestError } from "./request-error.tsx";
import { amountProblem, PlanFields } from "./savings-form.tsx";
import styles from "./fund.module.css";

const RUN_PX = 130;
const RUN_GAP_PX = 16;

/** `/home/etf?plan=V1` */
export function PlanPage({ planNo }: { planNo: string }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { value, state, failure, retry } = useSavings();
  const plan = value?.plans.find((one) => one.planNo === planNo);
  const skeleton = useSkeleton(value === null && state !== "failed");
  const list = pathTo("/home/etf", { part: "savings" });
  return (
    <Screen header={<BackHeader title={plan ? nameOf(plan.code) : t("fund.part.savings")} fallback={list} />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={6} />}
        {value === null && state === "failed" && <ErrorState what={t("savings.failed")} code={failure ?? ""} onRetry={retry} />}
        {value && !plan && <EmptyState title={t("savings.gone")} action={{ label: t("savings.all"), to: list }} />}
        {value && plan && (
          <>
            <PlanCard plan={plan} />
            {plan.status !== "ended" && <Actions plan={plan} savings={value} />}
            <Runs planNo={planNo} />
          </>
        )}
      </div>
    </Screen>
  );
}

function PlanCard({ plan }: { plan: SavingsPlan }) {
  const { t } = useTranslation();
  return (
    <Card label={plan.planNo}>
      <div className={styles.cardHead}>
        <p className={styles.total}>{formatTwd(plan.amountCents)}</p>
        <p className={styles.status} data-status={plan.status} role="status">
          {t(`savings.status.${plan.status}`)}
        </p>
      </div>
      <FieldList
        fields={[
          { label: t("savings.field.day"), value: t("savings.dayOf", { day: plan.day }) },
          ...(plan.nextAt === null ? [] : [{ label: t("savings.field.next"), value: formatDateTime(plan.nextAt) }]),
          { label: t("savings.field.started"), value: formatDate(plan.startedAt) },
          { label: t("savings.field.ordered"), value: String(plan.orderedRuns) },
          { label: t("savings.field.skipped"), value: String(plan.skippedRuns) },
          ...(plan.endedAt === null ? [] : [{ label: t("savings.field.ended"), value: formatDate(plan.endedAt) }]),
        ]}
      />
    </Card>
  );
}

function Actions({ plan, savings }: { plan: SavingsPlan; savings: Savings }) {
  const { t } = useTranslation();
  const [changing, setChanging] = useState(false);
  const [ending, setEnding] = useState(false);
  const done = (next: SavingsPlan): void => {
    setEnding(false);
    takePlan(next);
    showToast(t("operation.OP_SUBMIT_OK"), "success");
  };
  const pause = useRequest("pauseSavingsPlan", { fields: [], onAccepted: done });
  const resume = useRequest("resumeSavingsPlan", { fields: [], onAccepted: done });
  const end = useRequest("endSavingsPlan", { fields: [], onAccepted: done });
  const { planNo, status } = plan;
  const turn = status === "active" ? pause : resume;
  if (changing) return <Change plan={plan} savings={savings} onDone={() => setChanging(false)} />;
  return (
    <div className={styles.form}>
      <RequestError request={turn} />
      <RequestError request={end} />
      <div className={styles.actions}>
        <Button onClick={() => setChanging(true)}>{t("savings.change")}</Button>
        <Button busy={turn.busy} onClick={() => turn.submit({ planNo })}>
          {t(status === "active" ? "savings.pause" : "savings.resume")}
        </Button>
        <Button tone="danger" onClick={() => setEnding(true)}>
          {t("savings.end")}
        </Button>
      </div>
      <Alert
        open={ending && end.state !== "refused" && end.state !== "failed"}
        title={t("savings.endTitle")}
        confirm={t("savings.end")}
        refuse={t("savings.keep")}
        busy={end.busy}
        onConfirm={() => end.submit({ planNo })}
        onClose={() => setEnding(false)}
      >
        {t("savings.endSure")}
      </Alert>
    </div>
  );
}

function Change({ plan, savings, onDone }: { plan: SavingsPlan; savings: Savings; onDone: () => void }) {
  const { t } = useTranslation();
  const instrument = useInstruments()?.byCode.get(plan.code) ?? null;
  const request = useRequest("changeSavingsPlan", {
    fields: ["amount", "day"],
    check: ({ amount }) => {
      const problem = amountProblem(amount, savings.rule);
      return problem ? [problem] : [];
    },
    onAccepted: (changed) => {
      takePlan(changed);
      showToast(t("operation.OP_SAVE_OK"), "success");
      onDone();
    },
  });
  return (
    <Section title={t("savings.change")} inset>
      <PlanFields
        first={{ amountCents: plan.amountCents, day: plan.day }}
        instrument={instrument}
        firstAt={[]}
        error={request.errorAt}
        onEdit={request.edit}
        onSubmit={(values) => request.submit({ ...values, planNo: plan.planNo })}
        submit={t("savings.save")}
        busy={request.busy}
      >
        <RequestError request={request} />
      </PlanFields>
      <Button size="large" block disabled={request.busy} onClick={onDone}>
        {t("savings.cancel")}
      </Button>
    </Section>
  );
}

/** The months of the plan, the newest first. */
function Runs({ planNo }: { planNo: string }) {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = useSavingsRuns(planNo);
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <Section title={t("savings.runs")} inset>
      {value === null && skeleton && <Skeleton rows={3} />}
      {value === null && state === "failed" && <ErrorState what={t("savings.runsFailed")} code={failure ?? ""} onRetry={retry} />}
      {value?.items.length === 0 && <p className={styles.note}>{t("savings.noRuns")}</p>}
      {value && value.items.length > 0 && (
        <MeasuredList
          label={t("savings.runs")}
          items={value.items}
          keyOf={({ month }) => month}
          estimatePx={RUN_PX}
          gapPx={RUN_GAP_PX}
          onNearEnd={value.next !== null && moreState === "idle" ? more : undefined}
        >
          {(run) => <Run run={run} />}
        </MeasuredList>
      )}
      {value && value.next !== null && (
        <Button busy={moreState === "loading"} onClick={more}>
          {t("fund.more")}
        </Button>
      )}
    </Section>
  );
}

function Run({ run }: { run: SavingsRun }) {
  const { t } = useTranslation();
  return (
    <Card label={formatDate(run.dueAt)}>
      <div className={styles.cardHead}>
        <p className={styles.name}>{formatDateTime(run.at)}</p>
        <p className={styles.note}>{formatTwd(run.amountCents)}</p>
      </div>
      {run.skipped !== null && <p>{t("savings.skippedBecause", { why: t(`savings.skip.${run.skipped}`) })}</p>}
      {run.orders.length > 0 && (
        <ul role="list" className={styles.orders}>
          {run.orders.map(({ orderNo, status, filledLots, lotShares, openAverage }) => (
            <li key={orderNo}>
              <Link to={pathTo("/trade/positionDetail", { orderNo })} className={styles.way ?? ""}>
                <span>
                  {openAverage === null
                    ? t(`status.order.${status}`)
                    : t("savings.bought", { n: grouped(String(filledLots * lotShares)), price: formatPrice(openAverage) })}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
