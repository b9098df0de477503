/** The member's applications: what is to be paid first, then the newest; each with its state and what can be done. */
import { useTranslation } from "react-i18next";
import type { Subscription } from "#contract/subscription.ts";
import { subscriptionState } from "#contract/subscription.ts";
import { useMinute } from "#src/screens/quote/use-minute.ts";
import { useApplications, usePhases } from "#src/streams/offerings.ts";
import { Button } from "#src/ui/button.tsx";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { ApplicationCard } from "./application-card.tsx";
import styles from "./new-share.module.css";

/** Applications whose state a clock still changes, as what follows their phases. */
const followed = (subscriptions: readonly Subscription[]) =>
  subscriptions
    .filter(({ status }) => status === "subscribing" || status === "won" || status === "paid")
    .map((one) => ({ ...one, opensAt: one.closesAt, drawnAt: one.payableFrom ?? one.payableUntil }));

const CARD_PX = 300;
const CARD_GAP_PX = 12;

/** `/home/newShareOrder` */
export function NewShareRecords() {
  const { t } = useTranslation();
  const { value, state, failure, retry, more, moreState } = useApplications();
  const skeleton = useSkeleton(value === null && state === "loading");
  const now = useMinute();
  const items = value?.items ?? [];
  usePhases(followed(items), retry);
  const isDue = (one: Subscription): boolean => subscriptionState(one, one.status, now) === "toBePaid";
  const sorted = [...items.filter(isDue), ...items.filter((one) => !isDue(one))];
  return (
    <Screen header={<BackHeader title={t("offering.mine")} fallback="/home/newStock" />}>
      <div className={styles.page}>
        {value === null && skeleton && <Skeleton rows={5} />}
        {value === null && state === "failed" && <ErrorState what={t("subscription.failed")} code={failure ?? ""} onRetry={retry} />}
        {value?.items.length === 0 && (
          <EmptyState
            title={t("subscription.none")}
            why={t("subscription.noneWhy")}
            action={{ label: t("offering.list"), to: "/home/newStock" }}
          />
        )}
        {sorted.length > 0 && (
          <div className={styles.inset}>
            <MeasuredList
              label={t("offering.mine")}
              items={sorted}
              keyOf={({ subscriptionNo }) => subscriptionNo}
              estimatePx={CARD_PX}
              gapPx={CARD_GAP_PX}
              onNearEnd={value?.next != null && moreState === "idle" ? more : undefined}
            >
              {(subscription) => <ApplicationCard subscription={subscription} />}
            </MeasuredList>
          </div>
        )}
        {value && value.next !== null && (
          <div className={styles.inset}>
            <Button busy={moreState === "loading"} onClick={more}>
              {t("subscription.more")}
            </Button>
          </div>
        )}
      </div>
    </Screen>
  );
}
