/** Day trades near the end of their day: what is open is squared off by the house, and what could not be becomes an ordinary position. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { squareOffAt } from "#server/desks/day-trading/hours.ts";
import { isLate, makeOrdinary } from "#server/desks/day-trading/ordinary.ts";
import type { Counter } from "#server/desks/order/counter.ts";
import type { OrderRecord } from "#server/desks/order/record.ts";
import { withdraw } from "#server/desks/order/withdraw.ts";
import type { Round } from "#server/desks/order/round.ts";
import type { Venue } from "#server/venue/port.ts";
import { everySoOften } from "./rhythm.ts";
import { isSelling, sellOut, submitSale } from "./selling.ts";

export interface SquaringDeps {
  db: Database;
  venue: Venue;
  counter: Counter;
  /** Epoch milliseconds. */
  now: () => number;
  /** Told of faults; the position concerned is looked at again a moment later. */
  report?: ((error: unknown) => void) | undefined;
}

const LOOK_EVERY_MS = SECOND_MS;

/** Whether the day of a member's day trades has come to its last minutes. */
function isTime(counter: Counter, venue: Venue, memberId: number, at: number): boolean {
  const squareAt = squareOffAt(venue, at, counter.rules.of(memberId).dayTrade.squareOffSeconds);
  return squareAt !== null && at >= squareAt;
}

/** What becomes of one day trade now. */
function look(round: Round, order: OrderRecord, timeIsUp: boolean): void {
  const { status } = order;
  if (!order.day_trade || status === "closed" || status === "cancelled") return;
  if (isLate(order, round)) {
    if (order.filled_lots > 0) makeOrdinary(round, order);
    return;
  }
  if (!timeIsUp) return;
  // What has not been bought yet will not be sold in time any more.
  if (order.filled_lots === 0) withdraw(round, order);
  else sellOut(round, order, "squareOff");
}

/** Look at some day trades now. Resolves when all were decided on. */
async function square({ venue, counter, now, report }: SquaringDeps, orders: readonly OrderRecord[]): Promise<void> {
  const at = now();
  await Promise.all(
    orders.map(async (order) => {
      const timeIsUp = isTime(counter, venue, order.member_id, at);
      const late = isLate(order, { venue, at: at as Round["at"] });
      if (!late && (!timeIsUp || isSelling(order))) return;
      await submitSale(counter, order, (round, fresh) => look(round, fresh, timeIsUp)).catch((error: unknown) => report?.(error));
    }),
  );
}

/**
 * Load the open day trades, and look at them every second.
 * @returns how to stop
 */
export async function startSquaring(deps: SquaringDeps): Promise<() => void> {
  const { db, venue, counter } = deps;
  const open = new Map<string, OrderRecord>();
  const round = (): Promise<void> => square(deps, [...open.values()]);
  const follow = (orders: readonly OrderRecord[]): void => {
    for (const order of orders) {
      if (order.day_trade && order.status !== "closed" && order.status !== "cancelled") open.set(order.order_no, order);
      else open.delete(order.order_no);
    }
  };
  const stops = [counter.onOrders(follow), venue.onPhase(() => void round())];
  follow(
    await db.kysely
      .selectFrom("order")
      .selectAll()
      .where("day_trade", "=", true)
      .where("status", "in", ["pending", "holding", "readyToClose"])
      .execute(),
  );
  await round();
  stops.push(everySoOften(LOOK_EVERY_MS, round, deps.report));
  return () => {
    for (const stop of stops) stop();
  };
}
