/** One offering: its terms, its dates, the member's own application, what keeps them from applying, and the form. */
import { useTranslation } from "react-i18next";
import { missingFor } from "#contract/eligibility.ts";
import { isDrawn } from "#contract/offering-kind.ts";
import { subscriptionState } from "#contract/subscription.ts";
import type { OfferingEntry } from "#contract/offering.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useMinute } from "#src/screens/quote/use-minute.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useMember } from "#src/streams/member.ts";
import { useOffering, useOfferingTerms, usePhases } from "#src/streams/offerings.ts";
import { classNames } from "#src/ui/class-names.ts";
import { pathTo } from "#src/paths.ts";
import { Navigate, useQuery } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { ApplicationCard } from "./application-card.tsx";
import { ApplyForm } from "./apply-form.tsx";
import { Book } from "./book-offering.tsx";
import { IncreaseNotes, IncreaseRight, IncreaseTerms } from "./increase-terms.tsx";
import { DrawCheck } from "./draw-check.tsx";
import { MissingList } from "./missing-list.tsx";
import { OfferingDates, OfferingHead, OfferingNotes, OfferingTermsList } from "./offering-terms.tsx";
import styles from "./new-share.module.css";

/** `/home/newStockBuy?offering=S12` */
export function NewShareApply() {
  const { t, i18n } = useTranslation();
  const [query] = useQuery<"/home/newStockBuy">();
  const { value, state, failure, retry } = useOffering(query.get("offering") ?? "");
  const skeleton = useSkeleton(value === null && state === "loading");
  usePhases(value ? [value.offering] : [], retry);
  // A fund is not drawn: it has a page of its own.
  if (value?.offering.kind === "fund") return <Navigate to={pathTo("/home/etf", { fund: value.offering.offeringNo })} replace />;
  const title = value ? `${shortName(value.offering.names, i18n.language)} ${value.offering.code}` : t("offering.one");
  const unknown = failure === "GEN_NOT_FOUND" || failure === "TRD_NO_SUBSCRIBABLE";
  return (
    <Screen header={<BackHeader title={title} fallback="/home/newStock" />} top={<StaleNotice />}>
      <div className={styles.page}>
        {value && <Known entry={value} />}
        {!value && skeleton && <Skeleton rows={8} />}
        {!value && unknown && (
          <EmptyState title={t("offering.gone")} why={t("offering.noneWhy")} action={{ label: t("offering.list"), to: "/home/newStock" }} />
        )}
        {!value && state === "failed" && !unknown && <ErrorState what={t("offering.failed")} code={failure ?? ""} onRetry={retry} />}
      </div>
    </Screen>
  );
}

function Known({ entry }: { entry: OfferingEntry }) {
  const { t } = useTranslation();
  const { offering, subscription } = entry;
  const now = useMinute();
  const terms = useOfferingTerms();
  // Who took part looks at the draw first.
  const isHeld = subscription !== null && ["drawn", "allotted", "listed"].includes(offering.phase);
  const check = isDrawn(offering.kind) && <DrawCheck offering={offering} subscription={subscription} />;
  const isIncrease = offering.kind === "increase";
  const applied = subscription !== null && subscription.status !== "withdrawn";
  const state = subscriptionState(offering, subscription?.status ?? null, now);
  const open = state === "toBeSubscribed";
  return (
    <>
      <OfferingHead offering={offering} now={now} />
      {(applied || offering.phase === "upcoming") && (
        <div className={styles.inset}>{applied ? <ApplicationCard subscription={subscription} full /> : <Book entry={entry} />}</div>
      )}
      {isIncrease && <IncreaseRight entry={entry} />}
      {!isIncrease && state === "ended" && !applied && (
        <p className={classNames(styles.note, styles.inset)}>
          {t("subscription.state.ended")} · {t("subscription.why.ended")}
        </p>
      )}
      {isHeld && check}
      {isIncrease ? <IncreaseTerms offering={offering} /> : <OfferingTermsList offering={offering} />}
      <OfferingDates offering={offering} now={now} />
      {isIncrease && open && <IncreaseNotes offering={offering} />}
      {terms.value && open && !isIncrease && <OfferingNotes offering={offering} rule={terms.value.rule} />}
      {terms.value && open && !applied && offering.phase === "open" && (!isIncrease || entry.entitlement) && (
        <Apply entry={entry} terms={terms.value} />
      )}
      {!isHeld && check}
    </>
  );
}

/** What keeps the member from applying comes before the form. */
function Apply({ entry, terms }: { entry: OfferingEntry; terms: NonNullable<ReturnType<typeof useOfferingTerms>["value"]> }) {
  const { t } = useTranslation();
  const member = useMember().value;
  if (member === null) return null;
  const { rule, barredDraws } = terms;
  const { offering } = entry;
  const missing = missingFor("subscribe", member.facts);
  const closed = rule.channels.includes(offering.kind)
    ? []
    : [{ code: offering.kind === "bond" ? ("TRD_NEW_BOND_CLOSED" as const) : ("TRD_NEW_SHARE_CLOSED" as const), params: {}, remedy: null }];
  const barred =
    barredDraws > 0 && offering.kind !== "placement" && offering.kind !== "increase"
      ? [{ code: "TRD_SUBSCRIBE_BARRED" as const, params: { n: String(barredDraws) }, remedy: null }]
      : [];
  const used =
    entry.subscription !== null && rule.timesPerOffering === 1 && offering.kind !== "increase"
      ? [{ code: "TRD_SINGLE_SUBSCRIPTION" as const, params: { n: "1" }, remedy: null }]
      : [];
  const all = [...missing, ...closed, ...used, ...barred];
  if (all.length > 0) {
    return (
      <div className={styles.inset}>
        <MissingList title={t("offering.blocked")} missing={all} />
      </div>
    );
  }
  return <ApplyForm offering={offering} entitlement={entry.entitlement} rule={rule} availableCents={member.availableCents} />;
}
