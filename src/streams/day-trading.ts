/** Day trading: the member's eligibility and the result of today's open day trades. */
import { combineLatest, distinctUntilChanged, map, merge, of, switchMap } from "rxjs";
import type { Observable } from "rxjs";
import type { DayTrading } from "#contract/day-trading.ts";
import type { Order } from "#contract/order.ts";
import { call } from "#src/gateway/api.ts";
import { marginFacts$, orderFacts$ } from "./facts.ts";
import { phase$ } from "./instruments.ts";
import { positions } from "./orders.ts";
import { profit$ } from "./profits.ts";
import { refetchAfter } from "./refetch.ts";
import { resource, useResource } from "./resource.ts";
import type { Read, Resource } from "./resource.ts";

/** Executed orders count towards eligibility, a margin account replaces them, and each phase ends at another time. */
const causes$ = merge(orderFacts$, marginFacts$, phase$.pipe(distinctUntilChanged()));

/** Eligibility, agreement, warning level and square-off time. */
export const dayTrading: Resource<DayTrading> = resource<DayTrading>({
  load: () => call("readDayTrading", {}, { shownByCaller: true }),
  deltas$: refetchAfter(causes$, () => dayTrading),
});

/** Read the day-trading data in a component. */
export function useDayTrading(): Read<DayTrading> {
  return useResource(dayTrading);
}

/** Apply a command's answer. */
export function takeDayTrading(answer: DayTrading): void {
  dayTrading.change(() => answer);
}

/** The open day trades. */
const dayTrades$: Observable<readonly Order[]> = positions.state$.pipe(
  map(({ value }) => (value ?? []).filter(({ dayTrade }) => dayTrade)),
);

/** Totals of the open day trades: profit or loss, and the amount invested. */
export interface DaySum {
  count: number;
  profitCents: number;
  investedCents: number;
  /** The number of trades without a price; they are left out of the sums. */
  unpriced: number;
}

/** The totals of the open day trades, updated with every price. */
export const daySum$: Observable<DaySum> = dayTrades$.pipe(
  switchMap((orders) => (orders.length === 0 ? of([]) : combineLatest(orders.map(({ orderNo }) => profit$(orderNo))))),
  map((each) =>
    each.reduce<DaySum>(
      (sum, { profit }) =>
        profit
          ? {
              ...sum,
              profitCents: sum.profitCents + profit.profitCents,
              investedCents: sum.investedCents + profit.openCents + profit.openCostCents,
            }
          : { ...sum, unpriced: sum.unpriced + 1 },
      { count: each.length, profitCents: 0, investedCents: 0, unpriced: 0 },
    ),
  ),
);

/** The open day trades' loss in basis points of the amount invested; 0 for a gain. */
export function lostBasisPoints({ profitCents, investedCents }: Pick<DaySum, "profitCents" | "investedCents">): number {
  return profitCents >= 0 || investedCents <= 0 ? 0 : Math.floor((-profitCents * 10_000) / investedCents);
}

/** Tells whether the loss has reached the warning level. `percent` is in whole percent. */
export function warns(sum: DaySum, percent: number): boolean {
  return sum.count > sum.unpriced && lostBasisPoints(sum) >= percent * 100;
}
