/** One auction as a row: the share, what happens next and when, its lowest or its last winning price, and the lots. */
import { useTranslation } from "react-i18next";
import type { Auction, AuctionStatus } from "#contract/auction.ts";
import { windowOf } from "#contract/bid-price.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { pathTo } from "#src/paths.ts";
import { useBids } from "#src/streams/auctions.ts";
import { Link } from "#src/ui/link.tsx";
import { shortMoment, useInstrumentName, useLots } from "./sale-words.ts";
import styles from "./auction-row.module.css";

/** What happens next in an auction, and when. */
export function useNextMoment(): (auction: Auction, now: number) => string {
  const { t } = useTranslation();
  return (auction, now) => {
    const words: Record<AuctionStatus, () => string> = {
      notStarted: () => t("auction.row.opens", { time: shortMoment(auction.opensAt) }),
      bidding: () => t("auction.row.closes", { time: shortMoment(auction.closesAt) }),
      closed: () => t("auction.row.openedAt", { time: shortMoment(auction.opensBidsAt) }),
      opened: () => t("auction.row.lists", { time: shortMoment(auction.tradesFrom) }),
      voided: () => t("auction.status.voided"),
    };
    return words[windowOf(auction, now)]();
  };
}

/** A row with what the member did: bid, or asked to be reminded (`booked`). */
export function AuctionRow({ auction, now, booked }: { auction: Auction; now: number; booked?: boolean }) {
  const { t } = useTranslation();
  const nameOf = useInstrumentName();
  const nextOf = useNextMoment();
  const lotsOf = useLots("auction.lots");
  const hasBid = useBids().value?.items.some(({ code }) => code === auction.code) ?? false;
  const note = hasBid ? t("auction.bidPlaced") : booked && windowOf(auction, now) === "notStarted" ? t("auction.bookedShort") : null;
  const { cutOff } = auction.outcome ?? { cutOff: null };
  return (
    <Link to={pathTo("/home/newStockBuyJp", { code: auction.code })} className={styles.row ?? ""}>
      <span className={styles.texts}>
        <span className={styles.name}>{nameOf(auction.code)}</span>
        <span className={styles.small}>{nextOf(auction, now)}</span>
        {note !== null && <span className={styles.note}>{note}</span>}
      </span>
      <span className={styles.numbers}>
        <span className={styles.price}>{formatPrice(cutOff ?? auction.minimumPrice)}</span>
        <span className={styles.small}>{t(cutOff === null ? "auction.row.minimum" : "auction.row.cutOff")}</span>
        <span className={styles.small}>{lotsOf(auction.lots)}</span>
      </span>
    </Link>
  );
}
