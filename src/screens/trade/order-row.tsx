/** One order in a list: what it is, what it is worth or wants, and the one thing that can be done with it. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Order } from "#contract/order.ts";
import { DirectionWord, orderPath, useOrderName } from "./order-lines.tsx";
import styles from "./trade.module.css";

export interface OrderRowProps {
  order: Order;
  /** After the direction, on the second line. */
  note: ReactNode;
  /** Above and below each other in the number column. */
  number?: ReactNode;
  second?: ReactNode;
  /** Beside the row, not part of its link: close, cancel. */
  action?: ReactNode;
}

/** A row that leads to the order's page. */
export function OrderRow({ order, note, number, second, action }: OrderRowProps) {
  const nameOf = useOrderName();
  return (
    <li className={styles.row}>
      <Link to={orderPath(order)} className={styles.link ?? ""}>
        <span className={styles.texts}>
          <span className={styles.name}>{nameOf(order)}</span>
          <span className={styles.note}>
            <DirectionWord order={order} /> {note}
          </span>
        </span>
        {(number || second) && (
          <span className={styles.numbers}>
            <span className={styles.number}>{number}</span>
            <span className={styles.second}>{second}</span>
          </span>
        )}
      </Link>
      {action && <div className={styles.action}>{action}</div>}
    </li>
  );
}
