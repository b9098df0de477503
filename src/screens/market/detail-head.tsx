/** The head of an instrument: its last price, its change, and what kind of price that is. */
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { useVenue } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import styles from "./detail.module.css";

/** Live, written by the streaming kernel. */
export function DetailHead({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const venue = useVenue();
  const { code } = instrument;
  return (
    <div className={styles.head}>
      <p className={styles.quote}>
        <QuoteCell code={code} field="last" className={styles.last} />
        <QuoteCell code={code} field="changeAndPercent" className={styles.change} />
      </p>
      <p className={styles.chips}>
        {venue && (
          <span className={styles.chip} data-phase={venue.phase}>
            {t(`market.phase.${venue.phase}`)}
          </span>
        )}
        {venue?.simulated && <span className={styles.chip}>{t("market.simulated")}</span>}
        {instrument.fictitious && <span className={styles.chip}>{t("market.fictitious")}</span>}
      </p>
    </div>
  );
}
