/** The positions financed by the margin account: each with its loan, its interest and its live profit. */
import { useTranslation } from "react-i18next";
import { formatMoney } from "#contract/kernel/money.ts";
import { collateralParts } from "#contract/profit.ts";
import { isOnMargin } from "#contract/margin.ts";
import type { Order } from "#contract/order.ts";
import type { Position } from "#contract/position.ts";
import { usePositions } from "#src/streams/positions.ts";
import { Section } from "#src/ui/row.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import { HeldRow } from "./held-row.tsx";
import styles from "./trading.module.css";

const sumOf = ({ orders }: Position, amountOf: (order: Order) => number): number => orders.reduce((sum, order) => sum + amountOf(order), 0);

export function MarginPositions() {
  const { t } = useTranslation();
  const held = (usePositions().value ?? []).filter(isOnMargin);
  return (
    <Section title={t("margin.positions")}>
      {held.length === 0 ? (
        <EmptyState title={t("margin.noPositions")} why={t("margin.noPositionsWhy")} />
      ) : (
        <ul className={styles.list} role="list" aria-label={t("margin.positions")}>
          {held.map((position) => (
            <HeldRow key={position.id} position={position}>
              <span className={styles.under}>
                {position.direction === "fall"
                  ? `${t("ticket.collateral")} ${formatMoney(sumOf(position, (order) => collateralParts(order).collateralCents))}`
                  : t("margin.owes", {
                      loan: formatMoney(sumOf(position, ({ loanCents }) => loanCents)),
                      interest: formatMoney(sumOf(position, ({ interestCents }) => interestCents)),
                    })}
              </span>
            </HeldRow>
          ))}
        </ul>
      )}
    </Section>
  );
}
