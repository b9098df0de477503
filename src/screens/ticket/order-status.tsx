/** The status of an order as a chip: always text, never colour alone. */
import { useTranslation } from "react-i18next";
import type { OrderStatus as Status } from "#contract/order.ts";
import styles from "./ticket.module.css";

export function OrderStatus({ status }: { status: Status }) {
  const { t } = useTranslation();
  return (
    <span className={styles.status} data-status={status}>
      {t(`status.order.${status}`)}
    </span>
  );
}
