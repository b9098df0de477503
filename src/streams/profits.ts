/** Profit of the positions, followed with every price. */
import type { Observable } from "rxjs";
import type { Order } from "#contract/order.ts";
import { takePart } from "./frames.ts";
import { door } from "./link.ts";
import { Newest } from "./newest.ts";
import { watch } from "./watching.ts";
import type { ProfitSum, ProfitTold } from "./worker.ts";

export type { ProfitSum } from "./worker.ts";

const profits = new Newest<ProfitTold>();
const sums = new Newest<ProfitSum>();

takePart("profits", (each) => {
  for (const told of each) profits.tell(told.orderNo, told);
});
takePart("profitSum", (sum) => sums.tell("", sum));

/** Say what the member holds: every order in holding or ready to close. Again whenever that changes. */
export function setPositions(orders: readonly Order[]): void {
  void door().then((worker) => worker.setPositions([...orders]));
}

/** The profit of one position, line by line, at the price it was worked out with (price 0 and profit null: the market has none). */
export function profit$(orderNo: string): Observable<ProfitTold> {
  return profits.of(orderNo, () => watch("profits", orderNo));
}

/** All positions together. */
export const profitTotal$: Observable<ProfitSum> = sums.of("", () => watch("profitSum", ""));
