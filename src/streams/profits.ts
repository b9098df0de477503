/** Profit of the positions, followed with every price. */
import { filter, map, Observable } from "rxjs";
import type { Order } from "#contract/order.ts";
import { frames$ } from "./frames.ts";
import { door } from "./link.ts";
import { watch } from "./watching.ts";
import type { ProfitSum, ProfitTold } from "./worker.ts";

export type { ProfitSum } from "./worker.ts";

/** Say what the member holds: every order in holding or ready to close. Again whenever that changes. */
export function setPositions(orders: readonly Order[]): void {
  void door().then((worker) => worker.setPositions([...orders]));
}

function watched<Told>(kind: "profits" | "profitSum", key: string, told$: Observable<Told>): Observable<Told> {
  return new Observable((watcher) => {
    const watching = told$.subscribe(watcher);
    const stop = watch(kind, key);
    return () => {
      watching.unsubscribe();
      stop();
    };
  });
}

/** The profit of one position, line by line, at the price it was worked out with (price 0 and profit null: the market has none). */
export function profit$(orderNo: string): Observable<ProfitTold> {
  const told$ = frames$.pipe(
    map((frame) => frame.profits?.find((told) => told.orderNo === orderNo)),
    filter((told) => told !== undefined),
  );
  return watched("profits", orderNo, told$);
}

/** All positions together. */
export const profitTotal$: Observable<ProfitSum> = watched(
  "profitSum",
  "",
  frames$.pipe(
    map((frame) => frame.profitSum),
    filter((sum) => sum !== undefined),
  ),
);
