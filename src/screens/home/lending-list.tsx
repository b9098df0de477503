/** The member's loans and offers: in progress or completed, each with its terms, its fee so far, and its recall or withdrawal. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { lenderPartOf } from "#contract/lending-fee.ts";
import { isOpenLending } from "#contract/lending.ts";
import type { Lending } from "#contract/lending.ts";
import { formatPrice, formatRate, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName } from "#src/screens/quote/sale-words.ts";
import { takeLending, useLendingMarket, useLendings } from "#src/streams/lendings.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

const GROUPS = ["inProgress", "completed"] as const;

export function LendingList() {
  const { t } = useTranslation();
  const [group, setGroup] = useState<(typeof GROUPS)[number]>("inProgress");
  const { value, state, failure, retry, more, moreState } = useLendings();
  const today = useLendingMarket().value?.today ?? null;
  const skeleton = useSkeleton(value === null && state === "loading");
  const shown = (value?.items ?? []).filter((lending) => isOpenLending(lending) === (group === "inProgress"));
  return (
    <div className={styles.inset}>
      <Segmented
        label={t("lending.part.mine")}
        options={GROUPS.map((one) => ({ value: one, label: t(`lending.group.${one}`) }))}
        value={group}
        onChoose={setGroup}
      />
      {value === null && skeleton && <Skeleton rows={5} />}
      {value === null && state === "failed" && <ErrorState what={t("lending.mineFailed")} code={failure ?? ""} onRetry={retry} />}
      {value && shown.length === 0 && value.next === null && (
        <EmptyState
          title={t(`lending.none.${group}`)}
          why={t("lending.noneWhy")}
          action={{ label: t("lending.all"), to: "/home/coupons" }}
        />
      )}
      {shown.length > 0 && (
        <ul role="list" aria-label={t(`lending.group.${group}`)} className={styles.cards}>
          {shown.map((lending) => (
            <li key={lending.lendingNo}>
              <LendingCard lending={lending} today={today} />
            </li>
          ))}
        </ul>
      )}
      {value && value.next !== null && (
        <Button busy={moreState === "loading"} onClick={more}>
          {t("fund.more")}
        </Button>
      )}
    </div>
  );
}

function LendingCard({ lending, today }: { lending: Lending; today: number | null }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { status, reason } = lending;
  const name = nameOf(lending.code);
  return (
    <Card label={`${name} ${lending.lendingNo}`}>
      <div className={styles.cardHead}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.status} data-status={status} role="status">
          {t(`lending.status.${status}`)}
        </p>
      </div>
      {reason !== null && <p className={styles.note}>{t(`lending.reason.${reason}`)}</p>}
      <FieldList fields={useLendingFields(lending, today)} />
      {status === "offered" && <Act endpoint="withdrawLendingOffer" act="withdraw" lending={lending} name={name} />}
      {status === "inProgress" && <Act endpoint="recallShares" act="recall" lending={lending} name={name} />}
      <ButtonLink to={pathTo("/trade/positionDetail", { orderNo: lending.orderNo })}>{t("fund.toPosition")}</ButtonLink>
    </Card>
  );
}

function useLendingFields(lending: Lending, today: number | null): Field[] {
  const { t } = useTranslation();
  const { status, lots, lotShares, dueDay, startedAt, endedAt, recalledAt } = lending;
  const open = status === "inProgress" || status === "recalled";
  const shares = lots * lotShares;
  return [
    { label: t("lending.field.shares"), value: t("lending.shares", { count: shares, n: grouped(String(shares)) }) },
    { label: t(status === "offered" ? "lending.field.ownRate" : "lending.field.rate"), value: formatRate(lending.ratePerMillion) },
    { label: t("lending.field.days"), value: t("lending.days", { count: lending.days }) },
    ...(open ? [{ label: t("lending.field.notice"), value: t("lending.days", { count: lending.noticeDays }) }] : []),
    { label: t("lending.field.reference"), value: formatPrice(lending.referencePrice) },
    ...(open ? [{ label: t("lending.accrued"), value: formatTwd(lenderPartOf(lending.brokerPerMillion, lending.feeCents)) }] : []),
    ...(status === "completed"
      ? [
          { label: t("lending.field.fee"), value: formatTwd(lending.feeCents) },
          { label: t("lending.field.broker"), value: formatTwd(lending.feeCents - lending.paidCents) },
          { label: t("lending.paid"), value: formatTwd(lending.paidCents) },
        ]
      : []),
    {
      label: t(startedAt === null ? "lending.field.offered" : "lending.field.started"),
      value: formatDateTime(startedAt ?? lending.offeredAt),
    },
    ...(recalledAt === null ? [] : [{ label: t("lending.field.recalled"), value: formatDateTime(recalledAt) }]),
    ...(open && dueDay !== null && today !== null
      ? [{ label: t("lending.field.back"), value: t("lending.inDays", { count: Math.max(0, dueDay - today) }) }]
      : []),
    ...(endedAt === null ? [] : [{ label: t("lending.field.ended"), value: formatDateTime(endedAt) }]),
  ];
}

interface ActProps {
  endpoint: "recallShares" | "withdrawLendingOffer";
  act: "recall" | "withdraw";
  lending: Lending;
  name: string;
}

/** Asking shares or an offer back, after one question. */
function Act({ endpoint, act, lending, name }: ActProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const request = useRequest(endpoint, {
    fields: [],
    onAccepted: (changed) => {
      setAsking(false);
      takeLending(changed);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  return (
    <>
      <RequestError request={request} />
      <Button onClick={() => setAsking(true)}>{t(`lending.${act}`)}</Button>
      <Alert
        open={asking && request.state !== "refused" && request.state !== "failed"}
        title={t(`lending.${act}Title`, { name })}
        confirm={t(`lending.${act}`)}
        refuse={t("fund.keep")}
        busy={request.busy}
        onConfirm={() => request.submit({ lendingNo: lending.lendingNo })}
        onClose={() => setAsking(false)}
      >
        {t(`lending.${act}Sure`, { count: lending.noticeDays })}
      </Alert>
    </>
  );
}
