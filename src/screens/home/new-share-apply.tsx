/** One offering: its terms, its dates, the member's own application, what keeps them from applying, and the form. */
import { useTranslation } from "react-i18next";
import { subscriptionState } from "#contract/subscription.ts";
import type { OfferingEntry } from "#contract/offering.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { useMinute } from "#src/screens/quote/offering-words.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useOffering, useOfferingTerms, usePhases } from "#src/streams/offerings.ts";
import { useQuery } from "#src/ui/link.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { OfferingDates, OfferingHead, OfferingNotes, OfferingTermsList } from "./offering-terms.tsx";
import styles from "./new-share.module.css";

/** `/home/newStockBuy?offering=S12` */
export function NewShareApply() {
  const { t, i18n } = useTranslation();
  const [query] = useQuery<"/home/newStockBuy">();
  const { value, state, failure, retry } = useOffering(query.get("offering") ?? "");
  const skeleton = useSkeleton(value === null && state === "loading");
  usePhases(value ? [value.offering] : [], retry);
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
  const { offering, subscription } = entry;
  const now = useMinute();
  const terms = useOfferingTerms();
  const open = subscriptionState(offering, subscription?.status ?? null, now) === "toBeSubscribed";
  return (
    <>
      <OfferingHead offering={offering} now={now} />
      <OfferingTermsList offering={offering} />
      <OfferingDates offering={offering} now={now} />
      {terms.value && open && <OfferingNotes offering={offering} rule={terms.value.rule} />}
    </>
  );
}
