/** One offering as a row: what it is, what comes next and when, its price, and its premium or the chance of a lot. */
import { useTranslation } from "react-i18next";
import { formatPrice, formatRate } from "#contract/kernel/money.ts";
import type { Offering, OfferingEntry } from "#contract/offering.ts";
import { subscriptionState } from "#contract/subscription.ts";
import { pathTo } from "#src/paths.ts";
import { Link } from "#src/ui/link.tsx";
import { shortName } from "./names.ts";
import { basePrice, Premium } from "./offering-premium.tsx";
import { useLots, useNext, useSubscriptionWord } from "./offering-words.ts";
import { useMinute } from "./use-minute.ts";
import styles from "./offering.module.css";

/** The height of a row at a 16 px root. */
export const OFFERING_ROW_PX = 84;

export function OfferingRow({ item: { offering, subscription, booked } }: { item: OfferingEntry }) {
  const { t, i18n } = useTranslation();
  const now = useMinute();
  const { text, left } = useNext()(offering, now);
  const word = useSubscriptionWord();
  const mine = subscription && subscription.status !== "withdrawn" ? subscriptionState(offering, subscription.status, now) : null;
  // "Subscribing" is the phase of the row itself.
  const said = mine === "subscribing" ? t("offering.applied") : mine === null ? null : word(offering, mine);
  const own = said ?? (booked && offering.phase === "upcoming" ? t("offering.isBooked") : null);
  return (
    <Link to={pathTo("/home/newStockBuy", { offering: offering.offeringNo })} className={styles.row ?? ""}>
      <span className={styles.texts}>
        <span className={styles.name}>{shortName(offering.names, i18n.language)}</span>
        <span className={styles.when}>
          <span>{text}</span>
          {left !== "" && <span>· {left}</span>}
        </span>
        <span className={styles.small}>
          {own !== null && <span className={styles.own}>{own} · </span>}
          {offering.code} · {t(`offering.kind.${offering.kind}`)}
        </span>
      </span>
      <span className={styles.numbers}>
        <span className={styles.price}>{formatPrice(basePrice(offering))}</span>
        <Metric offering={offering} />
      </span>
    </Link>
  );
}

/** The figure that matters most in a phase. */
function Metric({ offering }: { offering: Offering }) {
  const { t } = useTranslation();
  const countOf = useLots();
  const { phase, kind, winningPerMillion, lots, price } = offering;
  const below = price === null ? t("offering.provisional") : null;
  if (phase === "listed" || (kind === "increase" && price !== null)) {
    return (
      <>
        <span className={styles.metric}>
          <Premium offering={offering} />
        </span>
        <span className={styles.small}>{t("offering.field.spread")}</span>
      </>
    );
  }
  return (
    <>
      {below !== null && <span className={styles.small}>{below}</span>}
      <span className={styles.metric}>{winningPerMillion === null ? countOf(offering, lots) : formatRate(winningPerMillion)}</span>
      {winningPerMillion !== null && (
        <span className={styles.small}>{t(kind === "placement" ? "offering.row.share" : "offering.row.rate")}</span>
      )}
    </>
  );
}
