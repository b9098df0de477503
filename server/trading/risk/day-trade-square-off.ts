/** Squares off open day trades near the end of their day; those that cannot be closed become ordinary positions. */
import { SECOND_MS } from "#contract/kernel/time.ts";
import type { Database } from "#server/db/database.ts";
import { squareOffAt } from "#server/trading/order-entry/day-trade-cutoff.ts";
import { isLate, makeOrdinary } from "./day-trade-carry-over.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import { cancelRest } from "#server/trading/clearing/cancel-rest.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import type { Venue } from "#server/venue/venue.ts";
import { every } from "#server/kernel/every.ts";
import { isForceClosing, forceClose, submitForcedClose } from "./forced-close.ts";

export interface SquareOffDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports errors; the position concerned is checked again a moment later. */
  report?: ((error: unknown) => void) | undefined;
}

const CHECK_EVERY_MS = SECOND_MS;

/** Tells whether it is time to square off a member's day trades. */
function isTime(sequencer: Sequencer, venue: Venue, memberId: number, at: number): boolean {
  const squareAt = squareOffAt(venue, at, sequencer.rules.of(memberId).dayTrade.squareOffSeconds);
  return squareAt !== null && at >= squareAt;
}

/** Squares off one day trade, or makes it an ordinary position, if it is time. */
function squareOffOrder(batch: Batch, order: OrderRecord, timeIsUp: boolean): void {
  const { status } = order;
  if (!order.day_trade || status === "closed" || status === "cancelled") return;
  if (isLate(order, batch)) {
    if (order.filled_lots > 0) makeOrdinary(batch, order);
    return;
  }
  if (!timeIsUp) return;
  // What an entry order still buys could not be closed in time, above all when the position is locked.
  if (status === "pending") cancelRest(batch, order, "closing");
  if (order.filled_lots > 0) forceClose(batch, order, "squareOff");
}

/** Squares off those of some day trades whose time has come. Resolves when all were decided. */
async function squareOffAll({ venue, sequencer, now, report }: SquareOffDeps, orders: readonly OrderRecord[]): Promise<void> {
  const at = now();
  await Promise.all(
    orders.map(async (order) => {
      const timeIsUp = isTime(sequencer, venue, order.member_id, at);
      const late = isLate(order, { venue, at: at as Batch["at"] });
      if (!late && (!timeIsUp || isForceClosing(order))) return;
      await submitForcedClose(sequencer, order, (batch, fresh) => squareOffOrder(batch, fresh, timeIsUp)).catch((error: unknown) =>
        report?.(error),
      );
    }),
  );
}

/**
 * Loads the open day trades and checks them every second.
 * @returns a function that stops it
 */
export async function startSquareOff(deps: SquareOffDeps): Promise<() => void> {
  const { db, venue, sequencer } = deps;
  const open = new Map<string, OrderRecord>();
  const checkAll = (): Promise<void> => squareOffAll(deps, [...open.values()]);
  const follow = (orders: readonly OrderRecord[]): void => {
    for (const order of orders) {
      if (order.day_trade && order.status !== "closed" && order.status !== "cancelled") open.set(order.order_no, order);
      else open.delete(order.order_no);
    }
  };
  const stops = [sequencer.onOrders(follow), venue.onPhase(() => void checkAll())];
  follow(
    await db.kysely
      .selectFrom("order")
      .selectAll()
      .where("day_trade", "=", true)
      .where("status", "in", ["pending", "holding", "readyToClose"])
      .execute(),
  );
  await checkAll();
  stops.push(every(CHECK_EVERY_MS, checkAll, deps.report));
  return () => {
    for (const stop of stops) stop();
  };
}
