/** One order in a list: its instrument, profit or price, tags and actions. */
import { EllipsisVertical } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "#src/ui/link.tsx";
import type { Order } from "#contract/order.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import { IconButton } from "#src/ui/button.tsx";
import { DirectionWord, orderPath, useOrderName } from "./order-lines.tsx";
import { OrderTags } from "./order-tags.tsx";
import styles from "./trade.module.css";

export interface OrderRowProps {
  order: Order;
  /** Instead of instrument and direction, where both are above. */
  title?: ReactNode;
  /** Shown after the direction, on the second line. */
  note: ReactNode;
  /** The two lines of the number column; a profit opens its breakdown when tapped. */
  number?: ReactNode;
  second?: ReactNode;
  /** Next to the row, outside its link: close, cancel. */
  action?: ReactNode;
  /** Opens the menu of all actions. */
  onMenu?: (() => void) | undefined;
}

/** A row that links to the order's page. */
export function OrderRow({ order, title, note, number, second, action, onMenu }: OrderRowProps) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  return (
    <li className={styles.row}>
      <Link to={orderPath(order)} className={styles.link ?? ""}>
        <span className={styles.texts}>
          <span className={styles.name}>{title ?? nameOf(order)}</span>
          <span className={styles.note}>
            {title === undefined && <DirectionWord order={order} />} {note}
          </span>
          <OrderTags order={order} />
        </span>
      </Link>
      {number ? (
        <ProfitButton of={{ kind: "order", order }} className={styles.numbers}>
          <span className={styles.number}>{number}</span>
          <span className={styles.second}>{second}</span>
        </ProfitButton>
      ) : (
        second && <span className={styles.second}>{second}</span>
      )}
      {action && <div className={styles.action}>{action}</div>}
      {onMenu && (
        <IconButton
          label={t("trade.menu", { name: nameOf(order) })}
          icon={<EllipsisVertical size={20} aria-hidden />}
          aria-haspopup="dialog"
          onClick={onMenu}
        />
      )}
    </li>
  );
}
