/** What the margin account finances: each position with its loan, its interest and its live profit. */
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { formatMoney } from "#contract/kernel/money.ts";
import { shortName } from "#src/screens/quote/names.ts";
import { ProfitButton } from "#src/screens/quote/profit-button.tsx";
import { useUnits } from "#src/screens/quote/units.ts";
import { useInstruments } from "#src/streams/instruments.ts";
import { onMargin } from "#src/streams/margin.ts";
import { positions } from "#src/streams/orders.ts";
import { ProfitCell } from "#src/streams/profit-cell.tsx";
import { useResource } from "#src/streams/resource.ts";
import { Section } from "#src/ui/row.tsx";
import { EmptyState } from "#src/ui/state.tsx";
import styles from "./trading.module.css";

export function MarginPositions() {
  const { t, i18n } = useTranslation();
  const units = useUnits();
  const table = useInstruments();
  const held = (useResource(positions).value ?? []).filter(onMargin);
  return (
    <Section title={t("margin.positions")}>
      {held.length === 0 ? (
        <EmptyState title={t("margin.noPositions")} why={t("margin.noPositionsWhy")} />
      ) : (
        <ul className={styles.list} role="list" aria-label={t("margin.positions")}>
          {held.map((order) => {
            const instrument = table?.byCode.get(order.code);
            return (
              <li key={order.orderNo} className={styles.row}>
                <Link to={`/trade/positionDetail?orderNo=${order.orderNo}`} className={styles.link ?? ""}>
                  <span className={styles.name}>{instrument ? shortName(instrument, i18n.language) : order.code}</span>
                  <span className={styles.under}>
                    {t(`ticket.${order.direction}`)} · {units(order.filledLots - order.closedLots, order.lotShares)}
                  </span>
                  <span className={styles.under}>
                    {t("margin.owes", { loan: formatMoney(order.loanCents), interest: formatMoney(order.interestCents) })}
                  </span>
                </Link>
                <ProfitButton of={{ kind: "order", order }} className={styles.profit}>
                  <ProfitCell orderNo={order.orderNo} field="profit" />
                  <ProfitCell orderNo={order.orderNo} field="returnRate" className={styles.under} />
                </ProfitButton>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
