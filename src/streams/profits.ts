/** Profit of the positions, followed with every price. */
import type { Observable } from "rxjs";
import type { Order } from "#contract/order.ts";
import { takePart } from "./frames.ts";
import { marketApi } from "./worker-link.ts";
import { LatestByKey } from "./latest-by-key.ts";
import { watch } from "./subscriptions.ts";
import type { ProfitSum, ProfitUpdate } from "./worker.ts";

export type { ProfitSum } from "./worker.ts";

const profits = new LatestByKey<ProfitUpdate>();
const sums = new LatestByKey<ProfitSum>();

takePart("profits", (each) => {
  for (const told of each) profits.tell(told.orderNo, told);
});
takePart("profitSum", (sum) => sums.tell("", sum));

/** Say what the member holds: every order in holding or ready to close. Again whenever that changes. */
export function setPositions(orders: readonly Order[]): void {
  void marketApi().then((worker) => worker.setPositions([...orders]));
}

/** The profit of one position, line by line, at the price it was worked out with (price 0 and profit null: the market has none). */
export function profit$(orderNo: string): Observable<ProfitUpdate> {
  return profits.of(orderNo, () => watch("profits", orderNo));
}

/** All positions together. */
export const profitTotal$: Observable<ProfitSum> = sums.of("", () => watch("profitSum", ""));
