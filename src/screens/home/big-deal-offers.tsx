/** The first block offers on home; nothing while there are none. */
import { useTranslation } from "react-i18next";
import { useBlocks } from "#src/streams/block-offers.ts";
import { Link } from "#src/ui/link.tsx";
import { Section } from "#src/ui/row.tsx";
import { BlockRow } from "./block-row.tsx";
import styles from "./digest.module.css";

const SHOWN = 3;

export function BigDealOffers() {
  const { t } = useTranslation();
  const offers = useBlocks()?.offers.filter(({ left }) => left > 0) ?? [];
  if (offers.length === 0) return null;
  return (
    <Section
      title={t("block.title")}
      action={
        <Link to="/home/blockTrade" className={styles.all ?? ""}>
          {t("block.all")}
        </Link>
      }
    >
      <ul role="list" className={styles.list}>
        {offers.slice(0, SHOWN).map((offer) => (
          <li key={offer.offerId}>
            <BlockRow item={offer} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
