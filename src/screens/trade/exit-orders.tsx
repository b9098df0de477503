/** The exit orders of an order, and what became of them. */
import { useTranslation } from "react-i18next";
import type { Condition } from "#contract/condition.ts";
import { triggerLevel } from "#contract/condition.ts";
import { formatPrice } from "#contract/kernel/money.ts";
import { formatDateTime } from "#contract/kernel/time.ts";
import type { RefusalCode } from "#contract/kernel/refusal.ts";
import type { Order } from "#contract/order.ts";
import { refusalTextNow } from "#src/gateway/refusal.ts";
import { useTriggerWord } from "#src/screens/ticket/words.ts";
import { useConditionsOf } from "#src/streams/conditions.ts";
import { useDecimals } from "./order-lines.tsx";
import styles from "./trade.module.css";

/** Waiting ones first, then newest first. */
export function ExitOrders({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { value } = useConditionsOf(order.orderNo);
  const conditions = (value ?? []).toSorted((a, b) => Number(b.status === "waiting") - Number(a.status === "waiting"));
  if (conditions.length === 0) return <p className={styles.hint}>{t("order.noGuards")}</p>;
  return (
    <ul className={styles.fills} role="list">
      {conditions.map((condition) => (
        <ExitOrderRow key={condition.conditionNo} condition={condition} order={order} />
      ))}
    </ul>
  );
}

function ExitOrderRow({ condition, order }: { condition: Condition; order: Order }) {
  const { t } = useTranslation();
  const word = useTriggerWord();
  const decimals = useDecimals()(order.code);
  const { kind, status, best, firedPrice, refusal, setAt, endedAt } = condition;
  const level = kind === "trailing" && status === "waiting" ? triggerLevel(kind, order.direction, condition.price, best) : null;
  const at = endedAt ?? setAt;
  return (
    <li>
      <p>
        <strong>{word(condition, decimals)}</strong>
        <strong>{t(`status.condition.${status}`)}</strong>
      </p>
      {level !== null && <p className={styles.hint}>{t("order.trailingNow", { price: formatPrice(level, decimals) })}</p>}
      {firedPrice !== null && <p className={styles.hint}>{t("order.firedAt", { price: formatPrice(firedPrice, decimals) })}</p>}
      {refusal !== null && <p className={styles.hint}>{refusalTextNow({ code: refusal as RefusalCode, params: {}, msg: refusal })}</p>}
      <p className={styles.hint}>
        <time dateTime={new Date(at).toISOString()}>{formatDateTime(at)}</time>
      </p>
    </li>
  );
}
