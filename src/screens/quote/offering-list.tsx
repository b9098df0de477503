/** The offerings of a group of phases in one virtual list that loads further pages as it is scrolled. */
import { useMemo } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { OfferingEntry } from "#contract/offering.ts";
import { useOfferings, usePhases } from "#src/streams/offerings.ts";
import type { OfferingGroup, SubscribedKind } from "#src/streams/offerings.ts";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { OFFERING_ROW_PX, OfferingRow } from "./offering-row.tsx";
import styles from "./offering.module.css";

const keyOf = ({ offering }: OfferingEntry): string => offering.offeringNo;

/** Remount it for another group or kind, so that it starts at the top. */
export function OfferingList({ group, kind, before }: { group: OfferingGroup; kind: SubscribedKind | null; before?: ReactNode }) {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = useOfferings(group, kind);
  const skeleton = useSkeleton(value === null && state === "loading");
  const items = value?.items;
  const sections = useMemo(() => [{ id: "offerings", items: items ?? [] }], [items]);
  const offerings = useMemo(() => (items ?? []).map(({ offering }) => offering), [items]);
  usePhases(offerings, retry);
  return (
    <VirtualList
      label={t("offering.title")}
      sections={sections}
      keyOf={keyOf}
      Row={OfferingRow}
      rowPx={OFFERING_ROW_PX}
      before={before}
      onNearEnd={() => value?.next != null && moreState !== "loading" && more()}
      after={
        <>
          {value === null && skeleton && <Skeleton rows={6} />}
          {value === null && state === "failed" && <ErrorState what={t("offering.failed")} code={failure ?? ""} onRetry={retry} />}
          {items?.length === 0 && <EmptyState title={t("offering.none")} why={t("offering.noneWhy")} />}
          {value !== null && value.next !== null && moreState === "failed" && <ErrorState what={t("offering.failed")} onRetry={more} />}
          {value !== null && <p className={styles.simulated}>{t("offering.simulated")}</p>}
        </>
      }
    />
  );
}
