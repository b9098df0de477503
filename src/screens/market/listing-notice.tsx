/** Says of a new issue when it lists, and that it does not trade until then. */
import { useTranslation } from "react-i18next";
import type { Instrument } from "#contract/instrument.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import { Offered } from "./offered.tsx";
import styles from "./profile.module.css";

export function ListingNotice({ instrument }: { instrument: Instrument }) {
  const { t } = useTranslation();
  return (
    <>
      <section className={styles.part} aria-labelledby="listing">
        <h2 id="listing">{t("market.newIssue.title", { time: formatDateTime(instrument.tradesFrom).slice(0, -3) })}</h2>
        <p className={styles.note}>{t("market.newIssue.note")}</p>
      </section>
      <Offered instrument={instrument} />
    </>
  );
}
