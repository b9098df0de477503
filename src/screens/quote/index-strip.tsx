/** The strip of indices and rates: small cards that scroll sideways, each linked to its detail. */
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import { QuoteCell } from "#src/streams/quote-cell.tsx";
import { ownPath, rememberDetail } from "./detail-link.ts";
import { shortName } from "./names.ts";
import styles from "./index-strip.module.css";

/** Both markets, the largest sector, the US dollar, and the largest cryptocurrency. */
const SHOWN = ["IX0001", "IX0043", "IX0028", "USDTWD", "BTC"] as const;

/** Live cards; empty frames while the table is loading. */
export function IndexStrip() {
  const { t } = useTranslation();
  const table = useInstruments();
  return (
    <ul className={styles.strip} role="list" aria-label={t("market.indices")}>
      {SHOWN.map((code) => {
        const instrument = table?.byCode.get(code);
        if (!instrument) return table ? null : <li key={code} className={styles.card} aria-hidden />;
        return (
          <li key={code}>
            <Link to={ownPath(instrument)} className={styles.card ?? ""} onClick={() => rememberDetail(instrument)}>
              <span className={styles.name}>{shortName(instrument)}</span>
              <QuoteCell code={code} field="last" className={styles.last} />
              <QuoteCell code={code} field="percent" className={styles.change} />
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
