/** The member's stakes in funds: in progress or terminated, each with its money, its dates, and its withdrawal until the close. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatPrice, formatTwd, grouped } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Stake } from "#contract/raise.ts";
import { useRequest } from "#src/actors/request.ts";
import { showToast } from "#src/gateway/toasts.ts";
import { pathTo } from "#src/paths.ts";
import { useInstrumentName, useLots } from "#src/screens/quote/sale-words.ts";
import { useTurnClock } from "#src/screens/quote/turn-clock.ts";
import { usePagesWhile } from "#src/streams/pages.ts";
import { takeStake, useStakes } from "#src/streams/raises.ts";
import { Alert } from "#src/ui/alert.tsx";
import { Button, ButtonLink } from "#src/ui/button.tsx";
import { Segmented } from "#src/ui/choice.tsx";
import { Link } from "#src/ui/link.tsx";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { Card, FieldList } from "#src/ui/row.tsx";
import type { Field } from "#src/ui/row.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { RequestError } from "./request-error.tsx";
import styles from "./fund.module.css";

const GROUPS = ["inProgress", "terminated"] as const;
type Group = (typeof GROUPS)[number];

/** The specification has two words for a stake: it is in progress, or it is terminated. */
const groupOf = ({ status }: Stake): Group => (status === "subscribed" || status === "inProgress" ? "inProgress" : "terminated");

export const CARD_PX = 340;
export const CARD_GAP_PX = 16;

const nothing = (): void => undefined;

export function StakeList() {
  const { t } = useTranslation();
  const [group, setGroup] = useState<Group>("inProgress");
  const stakes = useStakes();
  const { value, state, failure, retry, more, moreState } = stakes;
  const skeleton = useSkeleton(value === null && state === "loading");
  const now = useTurnClock(
    (at) =>
      (value?.items ?? []).reduce<number | null>(
        (next, { closesAt }) => (closesAt > at ? Math.min(next ?? closesAt, closesAt) : next),
        null,
      ),
    nothing,
  );
  const shown = (value?.items ?? []).filter((stake) => groupOf(stake) === group);
  usePagesWhile(stakes, shown.length === 0);
  return (
    <div className={styles.inset}>
      <Segmented
        label={t("fund.part.mine")}
        options={GROUPS.map((one) => ({ value: one, label: t(`fund.group.${one}`) }))}
        value={group}
        onChoose={setGroup}
      />
      {value === null && skeleton && <Skeleton rows={5} />}
      {value === null && state === "failed" && <ErrorState what={t("fund.mineFailed")} code={failure ?? ""} onRetry={retry} />}
      {value && shown.length === 0 && value.next === null && (
        <EmptyState title={t(`fund.noStakes.${group}`)} why={t("fund.noneWhy")} action={{ label: t("fund.all"), to: "/home/etf" }} />
      )}
      {shown.length > 0 && (
        <MeasuredList
          key={group}
          label={t(`fund.group.${group}`)}
          items={shown}
          keyOf={({ stakeNo }) => stakeNo}
          estimatePx={CARD_PX}
          gapPx={CARD_GAP_PX}
          onNearEnd={value?.next != null && moreState === "idle" ? more : undefined}
        >
          {(stake) => <StakeCard stake={stake} now={now} named />}
        </MeasuredList>
      )}
      {value && value.next !== null && (
        <Button busy={moreState === "loading"} onClick={more}>
          {t("fund.more")}
        </Button>
      )}
    </div>
  );
}

/** One stake; `named` where the page does not say of which fund. */
export function StakeCard({ stake, now, named = false }: { stake: Stake; now: number; named?: boolean }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const { status, reason, orderNo, closesAt } = stake;
  const name = nameOf(stake.code);
  return (
    <Card label={`${name} ${stake.stakeNo}`}>
      <div className={styles.cardHead}>
        <h3 className={styles.name}>
          {named ? (
            <Link to={pathTo("/home/etf", { fund: stake.code })} className={styles.way ?? ""}>
              {name}
            </Link>
          ) : (
            stake.stakeNo
          )}
        </h3>
        <p className={styles.status} data-status={status} role="status">
          {t(`raise.stake.${status}`)}
        </p>
      </div>
      {reason !== null && <p className={styles.note}>{t(`fund.reason.${reason}`)}</p>}
      <FieldList fields={useStakeFields(stake)} />
      {status === "subscribed" && now < closesAt && <Withdraw stake={stake} name={name} />}
      {orderNo !== null && <ButtonLink to={pathTo("/trade/positionDetail", { orderNo })}>{t("fund.toPosition")}</ButtonLink>}
    </Card>
  );
}

function useStakeFields(stake: Stake): Field[] {
  const { t } = useTranslation();
  const lotsOf = useLots("fund.lots");
  const { status, lots, allottedLots, lotUnits } = stake;
  const given = allottedLots ?? lots;
  return [
    { label: t("fund.field.price"), value: formatPrice(stake.price) },
    { label: t("fund.field.lots"), value: lotsOf(lots) },
    ...(allottedLots === null ? [] : [{ label: t("fund.field.given"), value: lotsOf(allottedLots) }]),
    { label: t("fund.field.units"), value: t("fund.units", { count: given * lotUnits, n: grouped(String(given * lotUnits)) }) },
    { label: t("fund.field.value"), value: formatTwd(stake.valueCents) },
    { label: t("fund.field.fee"), value: formatTwd(stake.feeCents) },
    ...(stake.reservedCents > 0 ? [{ label: t("fund.field.reserved"), value: formatTwd(stake.reservedCents) }] : []),
    { label: t("fund.field.subscribed"), value: formatDateTime(stake.subscribedAt) },
    ...(status === "subscribed" ? [{ label: t("fund.date.close"), value: formatDateTime(stake.closesAt) }] : []),
    ...(status === "subscribed" || status === "inProgress"
      ? [{ label: t("fund.date.list"), value: formatDateTime(stake.tradesFrom) }]
      : []),
    ...(stake.endedAt === null ? [] : [{ label: t("fund.field.ended"), value: formatDateTime(stake.endedAt) }]),
  ];
}

/** Taking a stake back before the close, after one question. */
function Withdraw({ stake, name }: { stake: Stake; name: string }) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const request = useRequest("withdrawStake", {
    fields: [],
    onAccepted: (withdrawn) => {
      setAsking(false);
      takeStake(withdrawn);
      showToast(t("operation.OP_SUBMIT_OK"), "success");
    },
  });
  return (
    <>
      <RequestError request={request} />
      <Button onClick={() => setAsking(true)}>{t("fund.withdraw")}</Button>
      <Alert
        open={asking && request.state !== "refused" && request.state !== "failed"}
        title={t("fund.withdrawTitle", { name })}
        confirm={t("fund.withdraw")}
        refuse={t("fund.keep")}
        busy={request.busy}
        onConfirm={() => request.submit({ stakeNo: stake.stakeNo })}
        onClose={() => setAsking(false)}
      >
        {t("fund.withdrawSure", { amount: formatTwd(stake.reservedCents) })}
      </Alert>
    </>
  );
}
