/** The market's tab of auctions: those that take bids, those to come, and those that are over. */
import { useTranslation } from "react-i18next";
import type { Auction } from "#contract/auction.ts";
import { useAuctions } from "#src/streams/auctions.ts";
import { Section } from "#src/ui/row.tsx";
import { ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { AUCTION_VIEWS, auctionsIn, useAuctionClock } from "./auction-clock.ts";
import { AuctionRow } from "./auction-row.tsx";
import styles from "./auction-row.module.css";

const none: readonly Auction[] = [];

export function AuctionBoard() {
  const { t } = useTranslation();
  const { value, state, failure, retry } = useAuctions();
  const auctions = value?.auctions ?? none;
  const now = useAuctionClock(auctions, retry);
  const skeleton = useSkeleton(value === null && state === "loading");
  return (
    <div className={styles.board} role="region" aria-label={t("auction.title")} tabIndex={0}>
      {value === null && skeleton && <Skeleton rows={9} />}
      {value === null && state === "failed" && <ErrorState what={t("auction.failed")} code={failure ?? ""} onRetry={retry} />}
      {value &&
        AUCTION_VIEWS.map((view) => {
          const shown = auctionsIn(auctions, view, now);
          return (
            <Section key={view} title={t(`auction.view.${view}`)}>
              {shown.length === 0 && <p className={styles.none}>{t(`auction.none.${view}`)}</p>}
              {shown.length > 0 && (
                <ul role="list" aria-label={t(`auction.view.${view}`)} className={styles.rows}>
                  {shown.map((auction) => (
                    <li key={auction.code}>
                      <AuctionRow auction={auction} now={now} booked={value.booked.includes(auction.code)} />
                    </li>
                  ))}
                </ul>
              )}
            </Section>
          );
        })}
      <p className={styles.none}>{t("auction.simulated")}</p>
    </div>
  );
}
