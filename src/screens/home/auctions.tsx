/** Competitive auctions by what can be done in them, and the member's own bids. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Auction } from "#contract/auction.ts";
import type { Bid } from "#contract/bid.ts";
import { AuctionRow } from "#src/screens/quote/auction-row.tsx";
import { AUCTION_VIEWS, auctionsIn, useAuctionClock } from "#src/screens/quote/auction-clock.ts";
import type { AuctionView } from "#src/screens/quote/auction-clock.ts";
import { useAuctions, useBids } from "#src/streams/auctions.ts";
import { usePagesWhile } from "#src/streams/pages.ts";
import { Button } from "#src/ui/button.tsx";
import { useQuery } from "#src/ui/link.tsx";
import { MeasuredList } from "#src/ui/measured-list.tsx";
import { BackHeader, Screen } from "#src/ui/screen.tsx";
import { EmptyState, ErrorState, Skeleton, useSkeleton } from "#src/ui/state.tsx";
import { Tabs } from "#src/ui/tabs.tsx";
import { BidRow } from "./auction-bids.tsx";
import styles from "./auction.module.css";

const VIEWS = [...AUCTION_VIEWS, "won", "mine"] as const;

const ROW_PX = 84;

const none: readonly Auction[] = [];
const nothing = (): void => undefined;

/** Whether a bid has won, whatever became of it later. */
const hasWon = ({ wonLots }: Bid): boolean => wonLots > 0;

/** `/home/newStockJp`; `?view=` is the first view, else the first one that has an auction. The address stays as it is: beside an auction it is that page's. */
export function Auctions() {
  const { t } = useTranslation();
  const [query] = useQuery<"/home/newStockJp">();
  const [chosen, setChosen] = useState(() => VIEWS.find((one) => one === query.get("view")) ?? null);
  const { value, state, failure, retry } = useAuctions();
  const auctions = value?.auctions ?? none;
  const now = useAuctionClock(auctions, value ? retry : nothing);
  const view = chosen ?? AUCTION_VIEWS.find((one) => auctionsIn(auctions, one, now).length > 0) ?? "bidding";
  const skeleton = useSkeleton(value === null && state === "loading");
  const tabs = VIEWS.map((one) => ({ value: one, label: t(`auction.view.${one}`) }));
  return (
    <Screen
      header={<BackHeader title={t("auction.title")} fallback="/home/allTool" />}
      top={<Tabs label={t("auction.title")} tabs={tabs} value={view} onChoose={setChosen} panelId="auctions" />}
    >
      <div id="auctions" role="tabpanel" aria-label={t(`auction.view.${view}`)} className={styles.panel}>
        {view === "won" || view === "mine" ? (
          <BidList view={view} onAll={() => setChosen(null)} />
        ) : (
          <>
            {value === null && skeleton && <Skeleton rows={6} />}
            {value === null && state === "failed" && <ErrorState what={t("auction.failed")} code={failure ?? ""} onRetry={retry} />}
            {value && <AuctionList auctions={auctionsIn(auctions, view, now)} view={view} booked={value.booked} now={now} />}
          </>
        )}
        <p className={styles.foot}>{t("auction.simulated")}</p>
      </div>
    </Screen>
  );
}

function AuctionList(props: { auctions: readonly Auction[]; view: AuctionView; booked: readonly string[]; now: number }) {
  const { auctions, view, booked, now } = props;
  const { t } = useTranslation();
  if (auctions.length === 0) return <EmptyState title={t(`auction.none.${view}`)} why={t("auction.noneWhy")} />;
  return (
    <div className={styles.rows}>
      <MeasuredList label={t(`auction.view.${view}`)} items={auctions} keyOf={({ code }) => code} estimatePx={ROW_PX}>
        {(auction) => <AuctionRow auction={auction} now={now} booked={booked.includes(auction.code)} />}
      </MeasuredList>
    </div>
  );
}

function BidList({ view, onAll }: { view: "won" | "mine"; onAll: () => void }) {
  const { t } = useTranslation();
  const bids = useBids();
  const { value, state, failure, retry, more, moreState } = bids;
  const skeleton = useSkeleton(value === null && state === "loading");
  const shown = (value?.items ?? []).filter((bid) => view === "mine" || hasWon(bid));
  usePagesWhile(bids, shown.length === 0);
  return (
    <>
      {value === null && skeleton && <Skeleton rows={6} />}
      {value === null && state === "failed" && <ErrorState what={t("auction.mineFailed")} code={failure ?? ""} onRetry={retry} />}
      {value && shown.length === 0 && value.next === null && (
        <EmptyState title={t(`auction.none.${view}`)} why={t("auction.noneWhy")} action={{ label: t("auction.all"), onPress: onAll }} />
      )}
      {shown.length > 0 && (
        <div className={styles.rows}>
          <MeasuredList
            key={view}
            label={t(`auction.view.${view}`)}
            items={shown}
            keyOf={({ bidNo }) => bidNo}
            estimatePx={ROW_PX}
            onNearEnd={value?.next != null && moreState === "idle" ? more : undefined}
          >
            {(bid) => <BidRow bid={bid} />}
          </MeasuredList>
        </div>
      )}
      {value && value.next !== null && (
        <div className={styles.inset}>
          <Button busy={moreState === "loading"} onClick={more}>
            {t("auction.more")}
          </Button>
        </div>
      )}
    </>
  );
}
