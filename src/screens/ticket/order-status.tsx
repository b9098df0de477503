/** The status of an order as a chip, and that it is reserved: always text, never colour alone. */
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import styles from "./ticket.module.css";

export function OrderStatus({ order: { status, reservedFor } }: { order: Pick<Order, "status" | "reservedFor"> }) {
  const { t } = useTranslation();
  return (
    <span className={styles.status} data-status={status}>
      {t(reservedFor === undefined ? `status.order.${status}` : "order.reserved")}
    </span>
  );
}
