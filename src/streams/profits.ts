/** Profit of the positions, updated with every price. */
import type { Observable } from "rxjs";
import type { Order } from "#contract/order.ts";
import { onFramePart } from "./frames.ts";
import { marketApi } from "./worker-link.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { ProfitSum, ProfitUpdate } from "./worker.ts";

export type { ProfitSum } from "./worker.ts";

const profits = new LatestByKey<ProfitUpdate>();
const sums = new LatestByKey<ProfitSum>();

onFramePart("profits", (each) => {
  for (const update of each) profits.publish(update.key, update);
});
onFramePart("profitSum", (sum) => sums.publish("", sum));

/** Give the worker every order in holding or ready to close; call again whenever they change. Null: they are not known. */
export function setPositions(orders: readonly Order[] | null): void {
  void marketApi().then((worker) => worker.setPositions(orders));
}

/**
 * The profit of an order or a position (`positionId`), item by item, with the price it was computed at (price 0 and profit null: no
 * market price).
 */
export function profit$(key: string): Observable<ProfitUpdate> {
  return profits.of(key, () => watch("profits", key));
}

/** The total over all positions. */
export const profitTotal$: Observable<ProfitSum> = sums.of("", () => watch("profitSum", ""));
