/** The mentors that the member follows or followed: the value of each, its limits, and pausing, resuming and stopping it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isOpenCopy } from "#contract/copy.ts";
import type { Copy, CopyValuation } from "#contract/copy.ts";
import { formatMoney } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeCopy, useCopies } from "#src/streams/copies.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { gain, useMentorName } from "./copy-words.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

const GROUPS = ["open", "stopped"] as const;

export function CopyList() {
  const { t } = useTranslation();
  const [group, setGroup] = useState<(typeof GROUPS)[number]>("open");
  const { value, state, failure, retry } = useCopies();
  const skeleton = useSkeleton(value === null && state === "loading");
  const shown = (value?.copies ?? []).filter((copy) => isOpenCopy(copy) === (group === "open"));
  return (
    <div className={styles.inset}>
      <Segmented
        label={t("copy.part.mine")}
        options={GROUPS.map((one) => ({ value: one, label: t(`copy.group.${one}`) }))}
        value={group}
        onChoose={setGroup}
      />
      {value === null && skeleton && <Skeleton rows={5} />}
      {value === null && state === "failed" && <ErrorState what={t("copy.mineFailed")} code={failure ?? ""} onRetry={retry} />}
      {value && shown.length === 0 && (
        <EmptyState title={t(`copy.empty.${group}`)} why={t("copy.emptyWhy")} action={{ label: t("copy.all"), to: "/home/fllow" }} />
      )}
      {shown.length > 0 && (
        <ul role="list" aria-label={t(`copy.group.${group}`)} className={styles.cards}>
          {shown.map((copy) => (
            <li key={copy.copyNo}>
              <CopyCard copy={copy} valuation={value?.valuations.find(({ copyNo }) => copyNo === copy.copyNo) ?? null} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function CopyCard({ copy, valuation }: { copy: Copy; valuation: CopyValuation | null }) {
  const { t } = useTranslation();
  const nameOf = useMentorName();
  const { status, reason, kept } = copy;
  const name = nameOf(copy);
  return (
    <Card label={`${name} ${copy.copyNo}`}>
      <div className={styles.cardHead}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.status} data-status={status === "following" ? "active" : status} role="status">
          {t(`copy.status.${status}`)}
        </p>
      </div>
      <p className={styles.note}>{t(copy.strategy === null ? "copy.member" : "copy.house")}</p>
      {reason !== null && <p className={styles.note}>{t(kept ? "copy.kept" : `copy.reason.${reason}`)}</p>}
      <FieldList fields={useCopyFields(copy, valuation)} />
      {status === "following" && <PauseOrResume endpoint="pauseCopy" copy={copy} />}
      {status === "paused" && <PauseOrResume endpoint="resumeCopy" copy={copy} />}
      {(status === "following" || status === "paused") && <Stop copy={copy} name={name} />}
      <ButtonLink to={pathTo("/home/fllow", { copy: copy.copyNo })}>{t("copy.parts")}</ButtonLink>
    </Card>
  );
}

function useCopyFields(copy: Copy, valuation: CopyValuation | null): Field[] {
  const { t } = useTranslation();
  const money = (amount: number): string => `TWD ${formatMoney(amount)}`;
  return [
    { label: t("copy.field.amount"), value: money(copy.amountCents) },
    ...(valuation
      ? [
          { label: t("copy.field.invested"), value: money(valuation.costCents) },
          { label: t("copy.field.realised"), value: gain(valuation.realisedCents) },
          { label: t("copy.field.open"), value: gain(valuation.unrealisedCents) },
        ]
      : []),
    { label: t("copy.field.stopsAt"), value: `${money((0 - copy.amountCents * copy.stopPercent) / 100)} (${copy.stopPercent}%)` },
    { label: t("copy.field.slippage"), value: gain(0 - copy.slippageCents) },
    { label: t("copy.field.copied"), value: t("copy.copiedOf", { copied: copy.copied, leftOut: copy.leftOut }) },
    { label: t("copy.field.started"), value: formatDateTime(copy.startedAt) },
    copy.endedAt === null
      ? { label: t("copy.field.until"), value: formatDateTime(copy.untilAt) }
      : { label: t("copy.field.ended"), value: formatDateTime(copy.endedAt) },
  ];
}

function PauseOrResume({ endpoint, copy }: { endpoint: "pauseCopy" | "resumeCopy"; copy: Copy }) {
  const { t } = useTranslation();
  const request = useRequest(endpoint, {
    fields: [],
    onAccepted: (changed) => {
      takeCopy(changed);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  return (
    <>
      <RequestError request={request} />
      <Button busy={request.busy} onClick={() => request.submit({ copyNo: copy.copyNo })}>
        {t(endpoint === "pauseCopy" ? "copy.pause" : "copy.resume")}
      </Button>
    </>
  );
}

/** Stopping, after one question: whether what was copied is sold or kept. */
function Stop({ copy, name }: { copy: Copy; name: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<"sell" | "keep" | null>(null);
  const request = useRequest("stopCopy", {
    fields: [],
    onAccepted: (changed) => {
      setAsking(null);
      takeCopy(changed);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  const way = asking ?? "sell";
  return (
    <>
      <RequestError request={request} />
      <Button onClick={() => setAsking("sell")}>{t("copy.stop.sell")}</Button>
      <Button onClick={() => setAsking("keep")}>{t("copy.stop.keep")}</Button>
      <Alert
        open={asking !== null && request.state !== "refused" && request.state !== "failed"}
        title={t("copy.stop.title", { name })}
        confirm={t(`copy.stop.${way}`)}
        refuse={t("copy.stop.back")}
        busy={request.busy}
        onConfirm={() => request.submit({ copyNo: copy.copyNo, keep: way === "keep" })}
        onClose={() => setAsking(null)}
      >
        {t(`copy.stop.${way}Sure`)}
      </Alert>
    </>
  );
}
