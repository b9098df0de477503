/** Filters a list of orders by instrument, direction and funding. */
import type { Direction, Order } from "#contract/order.ts";
import type { Funding } from "#contract/rule.ts";

/** Null means no filter on that field. */
export interface OrderFilter {
  code: string | null;
  direction: Direction | null;
  funding: Funding | null;
}

export const NO_FILTER: OrderFilter = { code: null, direction: null, funding: null };

/** Whether an order passes the filter. */
export function passes(filter: OrderFilter, order: Pick<Order, "code" | "direction" | "funding">): boolean {
  return (
    (filter.code === null || filter.code === order.code) &&
    (filter.direction === null || filter.direction === order.direction) &&
    (filter.funding === null || filter.funding === order.funding)
  );
}

/** The filter options of a list: only values that differ among its orders, or are already chosen. */
export function filterWords(orders: readonly Pick<Order, "code" | "direction" | "funding">[], filter: OrderFilter) {
  const optionsOf = <Word extends string>(words: readonly Word[], chosen: Word | null): Word[] => {
    const found = [...new Set(words)];
    if (chosen !== null && !found.includes(chosen)) found.push(chosen);
    return found.length > 1 || chosen !== null ? found : [];
  };
  return {
    directions: optionsOf(
      orders.map(({ direction }) => direction),
      filter.direction,
    ).toSorted((a, b) => b.localeCompare(a)),
    fundings: optionsOf(
      orders.map(({ funding }) => funding),
      filter.funding,
    ).toSorted((a, b) => a.localeCompare(b)),
    codes: optionsOf(
      orders.map(({ code }) => code),
      filter.code,
    ).toSorted((a, b) => a.localeCompare(b)),
  };
}
