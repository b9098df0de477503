/** What waited for its trigger goes to the market, as if it came only now. */
import { step } from "./record.ts";
import type { OrderRecord } from "./record.ts";
import type { Round } from "./round.ts";
import { trade } from "./trade.ts";

/**
 * Set a waiting order off. Takes one number of the round.
 * @returns whether it still waited
 */
export function release(round: Round, order: OrderRecord): boolean {
  if (order.status !== "pending" || order.trigger_kind === null) return false;
  order.trigger_kind = null;
  order.trigger_price = null;
  order.turn = round.takeNumber();
  step(order, "order.triggered");
  round.tell("order.triggered", order);
  trade(round, order);
  return true;
}
