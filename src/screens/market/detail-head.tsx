/** The header of an instrument: last price, change, market phase and trading flags. */
import { useTranslation } from "react-i18next";
import { hasEnded, isListed } from "#contract/instrument.ts";
import type { Instrument } from "#contract/instrument.ts";
import { formatDate, formatTime } from "#contract/kernel/time.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { pauseKey, useCallAuction, useVenueOf } from "#src/streams/call-auctions.ts";
import { Calls } from "#src/screens/quote/calls.tsx";
import styles from "./detail.module.css";

/** Live values, written by the streams without React rendering. */
export function DetailHead({ instrument }: { instrument: Instrument }) {
  const { code } = instrument;
  return (
    <div className={styles.head}>
      <p className={styles.quote}>
        <QuoteCell code={code} field="last" className={styles.last} />
        <QuoteCell code={code} field="changeAndPercent" className={styles.change} />
      </p>
      <InstrumentChips instrument={instrument} />
    </div>
  );
}

/** Whether the market's phase is the instrument's too: it has none before its listing and after its end. */
const hasSession = (instrument: Instrument, now = Date.now()): boolean => isListed(instrument, now) && !hasEnded(instrument, now);

/** The market's phase, and what may be traded how. */
export function InstrumentChips({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  const { code, watch, watchUntil } = instrument;
  const venue = useVenueOf(code);
  const auction = useCallAuction(code);
  const { pausedUntil, callsEveryMs } = auction;
  return (
    <p className={styles.chips}>
      {venue && hasSession(instrument) && (
        <span className={styles.chip} data-phase={venue.phase}>
          {t(`market.phase.${venue.phase}`)}
        </span>
      )}
      {callsEveryMs === null && pausedUntil !== null && (
        <span className={styles.chip} data-phase="halted" role="status">
          {t(pauseKey(auction), { time: formatTime(pausedUntil) })}
        </span>
      )}
      {watch !== "none" && (
        <span className={styles.chip} data-watch={watch}>
          {watchUntil === undefined ? t(`market.flag.${watch}`) : t("market.calls.until", { day: formatDate(watchUntil) })}
        </span>
      )}
      {callsEveryMs !== null && (
        <span className={styles.chip} data-watch={watch} role="status">
          <Calls everyMs={callsEveryMs} next={pausedUntil} />
        </span>
      )}
      {instrument.tradesUntil !== undefined && (
        <span className={styles.chip}>{t("market.flag.until", { day: formatDate(instrument.tradesUntil) })}</span>
      )}
      {instrument.dayTradable && <span className={styles.chip}>{t("market.flag.dayTrade")}</span>}
      {instrument.marginable && <span className={styles.chip}>{t("market.flag.margin")}</span>}
      {venue?.simulated && <span className={styles.chip}>{t("market.simulated")}</span>}
      {instrument.fictitious && <span className={styles.chip}>{t("market.fictitious")}</span>}
    </p>
  );
}
