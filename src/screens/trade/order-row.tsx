/** One order in a list: what it is, what it is worth or wants, what guards it, and what can be done with it. */
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
  /** After the direction, on the second line. */
  note: ReactNode;
  /** Above and below each other in the number column: a profit, which says how it comes about when it is tapped. */
  number?: ReactNode;
  second?: ReactNode;
  /** Beside the row, not part of its link: close, cancel. */
  action?: ReactNode;
  /** Everything else that can be done with it. */
  onMenu?: (() => void) | undefined;
}

/** A row that leads to the order's page. */
export function OrderRow({ order, note, number, second, action, onMenu }: OrderRowProps) {
  const { t } = useTranslation();
  const nameOf = useOrderName();
  return (
    <li className={styles.row}>
      <Link to={orderPath(order)} className={styles.link ?? ""}>
        <span className={styles.texts}>
          <span className={styles.name}>{nameOf(order)}</span>
          <span className={styles.note}>
            <DirectionWord order={order} /> {note}
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
