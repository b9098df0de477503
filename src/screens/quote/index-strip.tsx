/** The strip of indices and rates: small cards that scroll sideways. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Instrument } from "#contract/instrument.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { detailPath, rememberDetail } from "./detail-link.ts";
import styles from "./index-strip.module.css";

/** Both markets, their heaviest sector, the dollar, and the largest digital currency. */
const SHOWN = ["IX0001", "IX0043", "IX0028", "USDTWD", "BTC"] as const;

/** Live cards; nothing but their frames while the table is on its way. */
export function IndexStrip() {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  const name = ({ zh, en }: Instrument): string => (i18n.language.startsWith("zh") ? zh : en);
  return (
    <ul className={styles.strip} role="list" aria-label={t("market.indices")}>
      {SHOWN.map((code) => {
        const instrument = table?.byCode.get(code);
        if (!instrument) return table ? null : <li key={code} className={styles.card} aria-hidden />;
        return (
          <li key={code}>
            <Link to={detailPath(code)} className={styles.card ?? ""} onClick={() => rememberDetail(instrument)}>
              <span className={styles.name}>{name(instrument)}</span>
              <QuoteCell code={code} field="last" className={styles.last} />
              <QuoteCell code={code} field="percent" className={styles.change} />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
