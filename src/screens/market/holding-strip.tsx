/** What the member holds of the instrument on screen: each position with its size, average and live profit; a tap shows its orders. */
import { useTranslation } from "react-i18next";
import { pathTo } from "#src/paths.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import type { Instrument } from "#contract/instrument.ts";
import { PositionKind } from "#src/screens/quote/position-kind.tsx";
import { useSharesWord } from "#src/screens/quote/position-words.ts";
import { usePositionsOf } from "#src/streams/positions.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { Link } from "#src/ui/link.tsx";
import styles from "./holding-strip.module.css";

/** Empty when nothing is held. */
export function HoldingStrip({ instrument }: { instrument: Pick<Instrument, "code" | "decimals"> }) {
  const { t } = useTranslation();
  const sharesOf = useSharesWord();
  const held = usePositionsOf(instrument.code);
  if (held.length === 0) return null;
  return (
    <ul className={styles.strip} role="list" aria-label={t("trade.holding")}>
      {held.map((position) => (
        <li key={position.id}>
          <Link to={pathTo("/trade/index", { position: position.id })} className={styles.position ?? ""}>
            <PositionKind position={position} />
            <span className={styles.size}>
              {t("trade.heldSize", {
                size: sharesOf(position, position.shares),
                price: formatPrice(position.averagePrice, instrument.decimals),
              })}
            </span>
            <ProfitCell positionId={position.id} field="profit" className={styles.profit} />
            <ProfitCell positionId={position.id} field="returnRate" className={styles.rate} />
          </Link>
        </li>
      ))}
    </ul>
  );
}
