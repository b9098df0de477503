/** One open position in a list, as on the trade page: instrument, kind, size and live profit; a link to its orders. */
import { pathTo } from "#src/paths.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import type { Position } from "#contract/position.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import { usePositionKind, useSharesWord } from "#src/screens/quote/position-words.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import styles from "./trading.module.css";

/** `action`: a key beside the row's link. */
export function HeldRow({ position, action, children }: { position: Position; action?: ReactNode; children?: ReactNode }) {
  const { i18n } = useTranslation();
  const kindOf = usePositionKind();
  const sharesOf = useSharesWord();
  const instrument = useInstruments()?.byCode.get(position.code);
  return (
    <li className={styles.row}>
      <Link to={pathTo("/trade/index", { position: position.id })} className={styles.link ?? ""}>
        <span className={styles.name}>
          {position.code} {instrument && shortName(instrument, i18n.language)}
        </span>
        <span className={styles.under}>
          {kindOf(position)} · {sharesOf(position, position.shares)}
        </span>
        {children}
      </Link>
      <ProfitButton of={{ kind: "position", position }} className={styles.profit}>
        <ProfitCell positionId={position.id} field="profit" />
        <ProfitCell positionId={position.id} field="returnRate" className={styles.under} />
      </ProfitButton>
      {action}
    </li>
  );
}
