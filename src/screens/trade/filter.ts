/** Which orders of a list are shown: by instrument, direction and whose money; and how many that hides. */
import type { Direction, Order } from "#contract/order.ts";
import type { Funding } from "#contract/rule.ts";

/** Null lets everything through. */
export interface OrderFilter {
  code: string | null;
  direction: Direction | null;
  funding: Funding | null;
}

export const NO_FILTER: OrderFilter = { code: null, direction: null, funding: null };

/** Whether an order is shown. */
export function passes(filter: OrderFilter, order: Pick<Order, "code" | "direction" | "funding">): boolean {
  return (
    (filter.code === null || filter.code === order.code) &&
    (filter.direction === null || filter.direction === order.direction) &&
    (filter.funding === null || filter.funding === order.funding)
  );
}

/** What a list can be filtered by: only what tells its orders apart, or is chosen already. */
export function filterWords(orders: readonly Pick<Order, "code" | "direction" | "funding">[], filter: OrderFilter) {
  const several = <Word extends string>(words: readonly Word[], chosen: Word | null): Word[] => {
    const found = [...new Set(words)];
    if (chosen !== null && !found.includes(chosen)) found.push(chosen);
    return found.length > 1 || chosen !== null ? found : [];
  };
  return {
    directions: several(
      orders.map(({ direction }) => direction),
      filter.direction,
    ).toSorted((a, b) => b.localeCompare(a)),
    fundings: several(
      orders.map(({ funding }) => funding),
      filter.funding,
    ).toSorted((a, b) => a.localeCompare(b)),
    codes: several(
      orders.map(({ code }) => code),
      filter.code,
    ).toSorted((a, b) => a.localeCompare(b)),
  };
}
