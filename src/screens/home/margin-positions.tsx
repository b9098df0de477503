/** The positions financed by the margin account: each with its loan, its interest and its live profit. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { collateralParts } from "#contract/profit.ts";
import { isOnMargin } from "#contract/margin.ts";
import { positions } from "#src/streams/orders.ts";
import { useResource } from "#src/streams/resource.ts";
import { Section } from "#src/ui/row.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { HeldRow } from "./held-row.tsx";
import styles from "./trading.module.css";

export function MarginPositions() {
  const { t } = useTranslation();
  const held = (useResource(positions).value ?? []).filter(isOnMargin);
  return (
    <Section title={t("margin.positions")}>
      {held.length === 0 ? (
        <EmptyState title={t("margin.noPositions")} why={t("margin.noPositionsWhy")} />
      ) : (
        <ul className={styles.list} role="list" aria-label={t("margin.positions")}>
          {held.map((order) => (
            <HeldRow key={order.orderNo} order={order}>
              <span className={styles.under}>
                {order.direction === "fall"
                  ? `${t("ticket.collateral")} ${formatMoney(collateralParts(order).collateralCents)}`
                  : t("margin.owes", { loan: formatMoney(order.loanCents), interest: formatMoney(order.interestCents) })}
              </span>
            </HeldRow>
          ))}
        </ul>
      )}
    </Section>
  );
}
