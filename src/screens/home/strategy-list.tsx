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
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { CommandButton, OpenAndStopped, StopQuestion, useValueFields } from "./open-and-stopped.tsx";
import type { WayToStop } from "./open-and-stopped.tsx";
import { useList } from "./strategy-words.tsx";
import styles from "./fund.module.css";

export function RunList() {
  const read = useRuns();
  const valuationOf = (run: StrategyRun) => read.value?.valuations.find(({ runNo }) => runNo === run.runNo) ?? null;
  return (
    <OpenAndStopped
      of="strategy"
      read={read}
      items={read.value && read.value.runs}
      isOpen={isOpenRun}
      keyOf={(run) => run.runNo}
      renderCard={(run) => <RunCard run={run} valuation={valuationOf(run)} />}
      all="/home/qcList"
    />
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
  const value = useValueFields("strategy", run, valuation);
  return [
    ...value,
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
  const label = t(endpoint === "pauseStrategy" ? "strategy.pause" : "strategy.resume");
  return <CommandButton request={request} label={label} onPress={() => request.submit({ runNo: run.runNo })} />;
}

function Stop({ run, name }: { run: StrategyRun; name: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<WayToStop | null>(null);
  const request = useRequest("stopStrategy", {
    fields: [],
    onAccepted: (changed) => {
      setAsking(null);
      takeRun(changed);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  return (
    <StopQuestion
      of="strategy"
      name={name}
      request={request}
      asking={asking}
      onAsk={setAsking}
      onStop={(way) => request.submit({ runNo: run.runNo, keep: way === "keep" })}
    />
  );
}
