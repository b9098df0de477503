/** Block trades: every live offer with its discount, whether the block market is open, and its limits. */
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatTime, taipeiDay } from "#contract/kernel/time.ts";
import { StaleNotice } from "#src/screens/quote/stale-notice.tsx";
import { useBlocks } from "#src/streams/block-offers.ts";
import type { BlockOfferUpdate, BlocksUpdate } from "#src/streams/block-offers.ts";
import { useBlockTerms } from "#src/streams/block-orders.ts";
import { ButtonLink } from "#src/ui/button.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { VirtualList } from "#src/ui/virtual-list.tsx";
import { BlockLimits, BlockNotes } from "./block-notes.tsx";
import { BlockRow } from "./block-row.tsx";
import styles from "./block.module.css";

/** Room for three lines of small text below the name: the longest languages need them on a narrow phone. */
const ROW_PX = 80;

const keyOf = ({ offerId }: BlockOfferUpdate): string => offerId;

/** A moment as time only when it is today, otherwise with its date. */
const shortTime = (at: number): string => (taipeiDay(at) === taipeiDay(Date.now()) ? formatTime(at) : formatDateTime(at));

/** `/home/blockTrade` */
export function BlockOffers() {
  const { t } = useTranslation();
  const live = useBlocks();
  const { value, state, failure, retry } = useBlockTerms();
  const skeleton = useSkeleton(live === null && state !== "failed");
  const sections = useMemo(() => [{ id: "offers", items: live?.offers ?? [] }], [live]);
  return (
    <Screen header={<BackHeader title={t("block.title")} fallback="/home/allTool" />} top={<StaleNotice />} scroll="own">
      <VirtualList
        label={t("block.title")}
        sections={sections}
        keyOf={keyOf}
        Row={BlockRow}
        rowPx={ROW_PX}
        before={
          <div className={styles.page}>
            {live && <Hours market={live} />}
            {value && <BlockLimits rule={value.rule} used={value.usedShares} />}
            {value === null && state === "failed" && <ErrorState what={t("block.failed")} code={failure ?? ""} onRetry={retry} />}
            <ButtonLink to="/home/blockTrade2">{t("block.mine")}</ButtonLink>
            {live === null && skeleton && <Skeleton rows={6} />}
            {live?.open && live.offers.length === 0 && <EmptyState title={t("block.none")} why={t("block.noneWhy")} />}
            {live && !live.open && <EmptyState title={t("block.closedNow")} why={t("block.hours")} />}
          </div>
        }
        after={
          value && (
            <div className={styles.page}>
              <BlockNotes rule={value.rule} unlocksAt={live?.offers[0]?.unlocksAt ?? null} />
            </div>
          )
        }
      />
    </Screen>
  );
}

function Hours({ market: { open, changesAt } }: { market: BlocksUpdate }) {
  const { t } = useTranslation();
  if (changesAt === null) return null;
  return <p className={styles.state}>{t(open ? "block.open" : "block.closed", { time: shortTime(changesAt) })}</p>;
}
