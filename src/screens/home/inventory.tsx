/** The member's first positions with their live profit; nothing when there are none. */
import { pathTo } from "#src/paths.ts";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import { formatPrice } from "#contract/kernel/money.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { usePositionKind, useSharesWord } from "#src/screens/quote/position-words.ts";
import { usePositions } from "#src/streams/positions.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { useInstruments } from "#src/streams/instruments.ts";
import { Section } from "#src/ui/row.tsx";
import styles from "./digest.module.css";

const SHOWN = 3;

/** A section that links to each position, and to all of them. */
export function Inventory() {
  const { t, i18n } = useTranslation();
  const table = useInstruments();
  const kindOf = usePositionKind();
  const sharesOf = useSharesWord();
  const held = usePositions().value ?? [];
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
        {held.slice(0, SHOWN).map((position) => {
          const instrument = table?.byCode.get(position.code);
          const size = sharesOf(position, position.shares);
          return (
            <li key={position.id}>
              <Link to={pathTo("/trade/index", { position: position.id })} className={styles.position ?? ""}>
                <span className={styles.name}>{instrument ? shortName(instrument, i18n.language) : position.code}</span>
                <span className={styles.lots}>
                  {kindOf(position)} · {t("trade.heldSize", { size, price: formatPrice(position.averagePrice, instrument?.decimals ?? 2) })}
                </span>
                <ProfitCell positionId={position.id} field="profit" className={styles.profit} />
                <ProfitCell positionId={position.id} field="returnRate" className={styles.rate} />
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
