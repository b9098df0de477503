/** Which orders of a position to close: the oldest first, or those the member ticks. */
import { useTranslation } from "react-i18next";
import { formatPrice } from "#contract/kernel/money.ts";
import type { OrderNo } from "#contract/kernel/id.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { Order } from "#contract/order.ts";
import { useUnits } from "#src/screens/quote/units.ts";
import { Checkbox, Segmented } from "#src/ui/choice.tsx";
import { openLots } from "./order-lines.tsx";
import type { CloseModel } from "./use-close.ts";
import styles from "./positions.module.css";

export function ChooseOrders({ model: { position, chosen, choose, ladder } }: { model: CloseModel }) {
  const { t } = useTranslation();
  const units = useUnits();
  const closable = position.orders.filter(({ status }) => status === "holding");
  const lineOf = (order: Order): string =>
    `${formatDateTime(order.placedAt).slice(5, 16)} · ${units(openLots(order), order)} × ${formatPrice(order.openAverage, ladder.decimals)}`;
  const check = (orderNo: OrderNo, on: boolean): void => {
    const next = on ? [...chosen, orderNo] : chosen.filter((one) => one !== orderNo);
    // Without any it would be the oldest first again.
    if (next.length > 0) choose(closable.map((order) => order.orderNo).filter((one) => next.includes(one)));
  };
  return (
    <div className={styles.choose}>
      <Segmented<"oldest" | "chosen">
        label={t("trade.from")}
        value={chosen.length > 0 ? "chosen" : "oldest"}
        onChoose={(way) => choose(way === "oldest" ? [] : closable.map(({ orderNo }) => orderNo))}
        options={[
          { value: "oldest", label: t("trade.oldestFirst") },
          { value: "chosen", label: t("trade.choose") },
        ]}
      />
      {chosen.length > 0 &&
        closable.map((order) => (
          <Checkbox
            key={order.orderNo}
            label={lineOf(order)}
            on={chosen.includes(order.orderNo)}
            onCheck={(on) => check(order.orderNo, on)}
          />
        ))}
    </div>
  );
}
