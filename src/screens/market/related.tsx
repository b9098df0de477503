/** Instruments related to the one on screen, live. */
import { useTranslation } from "react-i18next";
import { useInstruments } from "#src/streams/instruments.ts";
import { QuoteRow } from "#src/screens/quote/quote-row.tsx";
import styles from "./profile.module.css";

/** The maximum number of related instruments. */
const MAX_RELATED = 8;

/** Empty for an instrument without related ones. */
export function Related({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation();
  const table = useInstruments();
  const instruments = codes.slice(0, MAX_RELATED).flatMap((code) => table?.byCode.get(code) ?? []);
  if (instruments.length === 0) return null;
  return (
    <section className={styles.related} aria-labelledby="related">
      <h2 id="related">{t("market.related")}</h2>
      <ul role="list">
        {instruments.map((instrument) => (
          <li key={instrument.code} className={styles.row}>
            <QuoteRow instrument={instrument} />
          </li>
        ))}
      </ul>
    </section>
  );
}
