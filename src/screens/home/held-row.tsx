/** One open position in a list: instrument, direction, size and live profit. */
import { pathTo } from "#src/paths.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import type { Order } from "#contract/order.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import { useUnits } from "#src/screens/quote/units.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import styles from "./trading.module.css";

/** `action`: a key beside the row's link. */
export function HeldRow({ order, action, children }: { order: Order; action?: ReactNode; children?: ReactNode }) {
  const { t, i18n } = useTranslation();
  const units = useUnits();
  const instrument = useInstruments()?.byCode.get(order.code);
  return (
    <li className={styles.row}>
      <Link to={pathTo("/trade/positionDetail", { orderNo: order.orderNo })} className={styles.link ?? ""}>
        <span className={styles.name}>
          {order.code} {instrument && shortName(instrument, i18n.language)}
        </span>
        <span className={styles.under}>
          {t(`ticket.${order.direction}`)} · {units(order.filledLots - order.closedLots, order.lotShares)}
        </span>
        {children}
      </Link>
      <ProfitButton of={{ kind: "order", order }} className={styles.profit}>
        <ProfitCell orderNo={order.orderNo} field="profit" />
        <ProfitCell orderNo={order.orderNo} field="returnRate" className={styles.under} />
      </ProfitButton>
      {action}
    </li>
  );
}
