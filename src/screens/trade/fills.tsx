/** The fills of an order: price, size, cost, and the reason for the price. */
import { useTranslation } from "react-i18next";
import { formatMoney, formatPrice } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Fill, Order } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import styles from "./trade.module.css";

/** Oldest first. */
export function Fills({ order, fills, decimals }: { order: Order; fills: readonly Fill[]; decimals: number }) {
  const { t } = useTranslation();
  const units = useUnits();
  return (
    <ol className={styles.fills}>
      {fills.map((fill, at) => (
        <li key={`${fill.at} ${at}`}>
          <p>
            <strong>{t(`order.side.${order.direction}.${fill.side}`)}</strong>
            <strong>{t("order.sizeAt", { size: units(fill.lots, order), price: formatPrice(fill.price, decimals) })}</strong>
          </p>
          <p className={styles.hint}>{t(`order.why.${fill.reason}`, { level: fill.level, best: formatPrice(fill.best, decimals) })}</p>
          <p className={styles.hint}>
            <time dateTime={new Date(fill.at).toISOString()}>{formatDateTime(fill.at)}</time>
            <span>{t("order.fillCost", { fee: formatMoney(fill.feeCents), tax: formatMoney(fill.taxCents) })}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}
