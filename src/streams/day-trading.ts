/** Day trading: whether the member may, and what today's open day trades have made so far. */
import { auditTime, combineLatest, distinctUntilChanged, map, merge, of, switchMap } from "rxjs";
import type { Observable } from "rxjs";
import type { DayTrading } from "#contract/day-trading.ts";
import type { Order } from "#contract/order.ts";
import { call } from "#src/gateway/api.ts";
import { marginFacts$, orderFacts$ } from "./facts.ts";
import { phase$ } from "./instruments.ts";
import { positions } from "./orders.ts";
import { profit$ } from "./profits.ts";
import { resource, useResource } from "./resource.ts";
import type { Delta, Read, Resource } from "./resource.ts";

/** Facts come in bursts; what they change here is asked for once after each. */
const SETTLE_MS = 400;

/** Executed orders count, a margin account makes up for them, and a new phase has another end: the desk is asked again, and nothing changes until it answers. */
const askAgain = (): Delta<DayTrading> => {
  dayTrading.refetch();
  return (same) => same;
};

/** Eligibility, agreement, warning and the time of squaring off. */
export const dayTrading: Resource<DayTrading> = resource<DayTrading>({
  load: () => call("readDayTrading", {}, { shownByCaller: true }),
  deltas$: merge(orderFacts$, marginFacts$, phase$.pipe(distinctUntilChanged())).pipe(auditTime(SETTLE_MS), map(askAgain)),
});

/** Read it in a component. */
export function useDayTrading(): Read<DayTrading> {
  return useResource(dayTrading);
}

/** Take over what a command answered. */
export function takeDayTrading(known: DayTrading): void {
  dayTrading.change(() => known);
}

/** The day trades that are open. */
export const dayTrades$: Observable<readonly Order[]> = positions.state$.pipe(
  map(({ value }) => (value ?? []).filter(({ dayTrade }) => dayTrade)),
);

/** Open day trades together: what they gained or lost, of what was put in. */
export interface DaySum {
  count: number;
  profitCents: number;
  investedCents: number;
  /** How many have no price; those are left out. */
  unpriced: number;
}

/** The sum of the open day trades with every price. */
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

/** What the open day trades lost, in hundredths of a percent of what was put in; 0 for a gain. */
export function lostBasisPoints({ profitCents, investedCents }: Pick<DaySum, "profitCents" | "investedCents">): number {
  return profitCents >= 0 || investedCents <= 0 ? 0 : Math.floor((-profitCents * 10_000) / investedCents);
}

/** Whether they lost so much that the member is warned. */
export function warns(sum: DaySum, percent: number): boolean {
  return sum.count > sum.unpriced && lostBasisPoints(sum) >= percent * 100;
}
