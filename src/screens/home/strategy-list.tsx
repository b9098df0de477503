/** The member's runs: the value of each, what its rule wants, its limits, and pausing, resuming and stopping it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatRate } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { isOpenRun } from "#contract/strategy.ts";
import type { RunValuation, StrategyRun } from "#contract/strategy.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { takeRun, useRuns } from "#src/streams/strategies.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { RequestError } from "./request-error.tsx";
import { gain, money, useList } from "./strategy-words.tsx";
import styles from "./fund.module.css";

const GROUPS = ["open", "stopped"] as const;

export function RunList() {
  const { t } = useTranslation();
  const [group, setGroup] = useState<(typeof GROUPS)[number]>("open");
  const { value, state, failure, retry } = useRuns();
  const skeleton = useSkeleton(value === null && state === "loading");
  const shown = (value?.runs ?? []).filter((run) => isOpenRun(run) === (group === "open"));
  return (
    <div className={styles.inset}>
      <Segmented
        label={t("strategy.part.mine")}
        options={GROUPS.map((one) => ({ value: one, label: t(`strategy.group.${one}`) }))}
        value={group}
        onChoose={setGroup}
      />
      {value === null && skeleton && <Skeleton rows={5} />}
      {value === null && state === "failed" && <ErrorState what={t("strategy.mineFailed")} code={failure ?? ""} onRetry={retry} />}
      {value && shown.length === 0 && (
        <EmptyState
          title={t(`strategy.empty.${group}`)}
          why={t("strategy.emptyWhy")}
          action={{ label: t("strategy.all"), to: "/home/qcList" }}
        />
      )}
      {shown.length > 0 && (
        <ul role="list" aria-label={t(`strategy.group.${group}`)} className={styles.cards}>
          {shown.map((run) => (
            <li key={run.runNo}>
              <RunCard run={run} valuation={value?.valuations.find(({ runNo }) => runNo === run.runNo) ?? null} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function RunCard({ run, valuation }: { run: StrategyRun; valuation: RunValuation | null }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { status, reason, kept, code } = run;
  const name = t(`strategy.name.${run.strategy}`);
  return (
    <Card label={`${name} ${run.runNo}`}>
      <div className={styles.cardHead}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.status} data-status={status === "running" ? "active" : status} role="status">
          {t(`strategy.status.${status}`)}
        </p>
      </div>
      <p className={styles.note}>{code === null ? t("strategy.many") : nameOf(code)}</p>
      {reason !== null && <p className={styles.note}>{t(kept ? "strategy.kept" : `strategy.reason.${reason}`)}</p>}
      <FieldList fields={useRunFields(run, valuation)} />
      {status === "running" && <PauseOrResume endpoint="pauseStrategy" run={run} />}
      {status === "paused" && <PauseOrResume endpoint="resumeStrategy" run={run} />}
      {(status === "running" || status === "paused") && <Stop run={run} name={name} />}
      <ButtonLink to={pathTo("/home/qcList", { run: run.runNo })}>{t("strategy.done")}</ButtonLink>
    </Card>
  );
}

/** What the rule wants now, as parts of the amount. */
function useWanted({ wanted, decidedAt }: StrategyRun): string {
  const { t } = useTranslation();
  const list = useList();
  if (decidedAt === null) return t("strategy.notYet");
  if (wanted.length === 0) return t("strategy.nothing");
  return list(wanted.map(({ code, perMille }) => `${code} ${formatRate(perMille * 1_000)}`));
}

function useRunFields(run: StrategyRun, valuation: RunValuation | null): Field[] {
  const { t } = useTranslation();
  const wanted = useWanted(run);
  const stopsAt = (0 - run.amountCents * run.stopPercent) / 100;
  return [
    { label: t("strategy.field.amount"), value: money(run.amountCents) },
    ...(valuation
      ? [
          { label: t("strategy.field.invested"), value: money(valuation.costCents) },
          { label: t("strategy.field.realised"), value: gain(valuation.realisedCents) },
          { label: t("strategy.field.open"), value: gain(valuation.unrealisedCents) },
        ]
      : []),
    { label: t("strategy.field.stopsAt"), value: `${money(stopsAt)} (${run.stopPercent}%)` },
    { label: t("strategy.field.wanted"), value: wanted },
    { label: t("strategy.field.counts"), value: t("strategy.counts", { bought: run.bought, sold: run.sold, leftOut: run.leftOut }) },
    ...(run.decidedAt === null ? [] : [{ label: t("strategy.field.decided"), value: formatDateTime(run.decidedAt) }]),
    { label: t("strategy.field.started"), value: formatDateTime(run.startedAt) },
    ...(run.endedAt === null ? [] : [{ label: t("strategy.field.ended"), value: formatDateTime(run.endedAt) }]),
  ];
}

function PauseOrResume({ endpoint, run }: { endpoint: "pauseStrategy" | "resumeStrategy"; run: StrategyRun }) {
  const { t } = useTranslation();
  const request = useRequest(endpoint, {
    fields: [],
    onAccepted: (changed) => {
      takeRun(changed);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  return (
    <>
      <RequestError request={request} />
      <Button busy={request.busy} onClick={() => request.submit({ runNo: run.runNo })}>
        {t(endpoint === "pauseStrategy" ? "strategy.pause" : "strategy.resume")}
      </Button>
    </>
  );
}

/** Stopping, after one question: whether what was bought is sold or kept. */
function Stop({ run, name }: { run: StrategyRun; name: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<"sell" | "keep" | null>(null);
  const request = useRequest("stopStrategy", {
    fields: [],
    onAccepted: (changed) => {
      setAsking(null);
      takeRun(changed);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  const way = asking ?? "sell";
  return (
    <>
      <RequestError request={request} />
      <Button onClick={() => setAsking("sell")}>{t("strategy.stop.sell")}</Button>
      <Button onClick={() => setAsking("keep")}>{t("strategy.stop.keep")}</Button>
      <Alert
        open={asking !== null && request.state !== "refused" && request.state !== "failed"}
        title={t("strategy.stop.title", { name })}
        confirm={t(`strategy.stop.${way}`)}
        refuse={t("strategy.stop.back")}
        busy={request.busy}
        onConfirm={() => request.submit({ runNo: run.runNo, keep: way === "keep" })}
        onClose={() => setAsking(null)}
      >
        {t(`strategy.stop.${way}Sure`)}
      </Alert>
    </>
  );
}
