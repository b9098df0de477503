/** The filter chips above a list of orders, and the number of orders they hide. */
import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { Button } from "#src/ui/button.tsx";
import { Chip, ChipRow } from "#src/ui/choice.tsx";
import { NO_FILTER, filterWords, passes } from "./filter.ts";
import type { OrderFilter } from "./filter.ts";
import styles from "./trade.module.css";

export interface FilterRowProps {
  /** Orders, or positions. */
  orders: readonly Pick<Order, "code" | "direction" | "funding">[];
  filter: OrderFilter;
  onFilter: (filter: OrderFilter) => void;
  /** One row stands for each instrument already: only a chosen code is offered. */
  byCode?: boolean;
}

/** Empty when all orders are alike. */
export function FilterRow({ orders, filter, onFilter, byCode = true }: FilterRowProps) {
  const { t } = useTranslation();
  const { directions, fundings, codes: all } = filterWords(orders, filter);
  const codes = byCode ? all : all.filter((code) => code === filter.code);
  const hidden = orders.filter((order) => !passes(filter, order)).length;
  if (directions.length + fundings.length + codes.length === 0) return null;
  return (
    <div className={styles.filters}>
      <ChipRow label={t("trade.filters")}>
        {directions.map((direction) => (
          <Chip
            key={direction}
            pressed={filter.direction === direction}
            onPress={() => onFilter({ ...filter, direction: filter.direction === direction ? null : direction })}
          >
            {t(`ticket.${direction}`)}
          </Chip>
        ))}
        {fundings.map((funding) => (
          <Chip
            key={funding}
            pressed={filter.funding === funding}
            onPress={() => onFilter({ ...filter, funding: filter.funding === funding ? null : funding })}
          >
            {t(`trade.funding.${funding}`)}
          </Chip>
        ))}
        {codes.map((code) => (
          <Chip key={code} pressed={filter.code === code} onPress={() => onFilter({ ...filter, code: filter.code === code ? null : code })}>
            {code}
          </Chip>
        ))}
      </ChipRow>
      {hidden > 0 && (
        <p className={styles.hidden} role="status">
          {t("trade.hidden", { count: hidden, n: hidden })}
          <Button tone="quiet" onClick={() => onFilter(NO_FILTER)}>
            {t("trade.showAll")}
          </Button>
        </p>
      )}
    </div>
  );
}
