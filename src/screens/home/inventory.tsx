/** The member's first positions with their live profit; nothing when there are none. */
import { pathTo } from "#src/paths.ts";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { shortName } from "#src/screens/quote/names.ts";
import { positions } from "#src/streams/orders.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import { useResource } from "#src/streams/resource.ts";
import { Section } from "#src/ui/row.tsx";
import styles from "./digest.module.css";

const SHOWN = 3;

/** A section that links to each position, and to all of them. */
export function Inventory() {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  const held = useResource(positions).value ?? [];
  if (held.length === 0) return null;
  return (
    <Section
      title={t("home.inventory")}
      action={
        <Link to="/trade/index" replace className={styles.all ?? ""}>
          {t("home.inventoryAll")}
        </Link>
      }
    >
      <ul role="list" className={styles.list}>
        {held.slice(0, SHOWN).map(({ orderNo, code, filledLots, closedLots }) => {
          const instrument = table?.byCode.get(code);
          return (
            <li key={orderNo}>
              <Link to={pathTo("/trade/positionDetail", { orderNo })} className={styles.position ?? ""}>
                <span className={styles.name}>{instrument ? shortName(instrument, i18n.language) : code}</span>
                <span className={styles.lots}>{t("home.held", { count: filledLots - closedLots })}</span>
                <ProfitCell orderNo={orderNo} field="profit" className={styles.profit} />
                <ProfitCell orderNo={orderNo} field="returnRate" className={styles.rate} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
