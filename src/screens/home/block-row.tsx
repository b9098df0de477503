/** One block offer as a row: the stock, what is left until when, its price and its live discount. */
import { useTranslation } from "react-i18next";
import { isWithinCosts, roundTripOf } from "#contract/block-price.ts";
import { formatTime } from "#contract/kernel/time.ts";
import { pathTo } from "#src/paths.ts";
import { shortName } from "#src/screens/quote/names.ts";
import type { BlockOfferUpdate } from "#src/streams/block-offers.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { useRules } from "#src/streams/rules.ts";
import { Link } from "#src/ui/link.tsx";
import styles from "./block.module.css";

export function BlockRow({ item: offer }: { item: BlockOfferUpdate }) {
  const { t, i18n } = useTranslation();
  const instrument = useInstruments()?.list[offer.row];
  const rules = useRules().value;
  const isMoved = rules !== null && !isWithinCosts(offer, roundTripOf(rules.trade, rules.reward));
  return (
    <Link to={pathTo("/home/blockTrade1", { offer: offer.offerId })} className={styles.row ?? ""}>
      <span className={styles.name}>{instrument ? `${shortName(instrument, i18n.language)} ${instrument.code}` : "--"}</span>
      <span className={styles.price} data-live>
        {offer.priceText}
      </span>
      <span className={styles.small} data-live>
        <span>
          {isMoved
            ? t("block.moved")
            : offer.left === 0
              ? t("block.soldOut")
              : t("block.row", { left: offer.leftText, time: formatTime(offer.closesAt).slice(0, 5) })}
        </span>
        <span>{t(offer.discount < 0 ? "block.above" : "block.off", { n: offer.discountText })}</span>
      </span>
    </Link>
  );
}
