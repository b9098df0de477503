/** Says of a fund whose term has ended when that was, and what each unit was redeemed at. */
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatDate } from "#contract/kernel/time.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import styles from "./profile.module.css";

/** The reference price of a fund that has ended is its last value. */
export function EndedNotice({ instrument: { code, tradesUntil = 0 } }: { instrument: Instrument }) {
  const { t } = useTranslation();
  return (
    <section className={styles.part} aria-labelledby="ended">
      <h2 id="ended">{t("market.newIssue.ended", { day: formatDate(tradesUntil) })}</h2>
      <p className={styles.note}>{t("market.newIssue.endedNote")}</p>
      <p>
        {t("market.newIssue.endedValue")} <QuoteCell code={code} field="reference" />
      </p>
    </section>
  );
}
