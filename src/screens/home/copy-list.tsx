/** The mentors that the member follows or followed: the value of each, its limits, and pausing, resuming and stopping it. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isOpenCopy } from "#contract/copy.ts";
import type { Copy, CopyValuation } from "#contract/copy.ts";
import { formatGain } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { takeCopy, useCopies } from "#src/streams/copies.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { useMentorName } from "./copy-words.tsx";
import { CommandButton, OpenAndStopped, StopQuestion, useValueFields } from "./open-and-stopped.tsx";
import type { WayToStop } from "./open-and-stopped.tsx";
import styles from "./fund.module.css";

export function CopyList() {
  const read = useCopies();
  const valuationOf = (copy: Copy) => read.value?.valuations.find(({ copyNo }) => copyNo === copy.copyNo) ?? null;
  return (
    <OpenAndStopped
      of="copy"
      read={read}
      items={read.value && read.value.copies}
      isOpen={isOpenCopy}
      keyOf={(copy) => copy.copyNo}
      renderCard={(copy) => <CopyCard copy={copy} valuation={valuationOf(copy)} />}
      all="/home/fllow"
    />
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
  const value = useValueFields("copy", copy, valuation);
  return [
    ...value,
    { label: t("copy.field.slippage"), value: formatGain(0 - copy.slippageCents) },
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
  const label = t(endpoint === "pauseCopy" ? "copy.pause" : "copy.resume");
  return <CommandButton request={request} label={label} onPress={() => request.submit({ copyNo: copy.copyNo })} />;
}

function Stop({ copy, name }: { copy: Copy; name: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState<WayToStop | null>(null);
  const request = useRequest("stopCopy", {
    fields: [],
    onAccepted: (changed) => {
      setAsking(null);
      takeCopy(changed);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  return (
    <StopQuestion
      of="copy"
      name={name}
      request={request}
      asking={asking}
      onAsk={setAsking}
      onStop={(way) => request.submit({ copyNo: copy.copyNo, keep: way === "keep" })}
    />
  );
}
