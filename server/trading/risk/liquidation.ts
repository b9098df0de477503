/** Closes leveraged positions whose equity has fallen to their maintenance margin. */
import { liquidationPrice } from "#contract/profit.ts";
import type { Database } from "#server/db/database.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { LOCKED_WAIT_MS, toOrder } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Venue } from "#server/venue/venue.ts";
import { isForceClosing, forceClose, submitForcedClose } from "./forced-close.ts";

export interface LiquidationDeps {
  db: Database;
  venue: Venue;
  sequencer: Sequencer;
  /** Current time in epoch milliseconds. */
  now: () => number;
  /** Reports errors; the position concerned is checked again at its row's next change. */
  report?: ((error: unknown) => void) | undefined;
}

/** Tells whether the price has reached a position's liquidation price. */
function isDue(order: OrderRecord, last: number): boolean {
  const at = liquidationPrice(toOrder(order));
  if (at === null || last <= 0 || order.filled_lots <= order.closed_lots) return false;
  return order.direction === "rise" ? last <= at : last >= at;
}

const isOpen = ({ status, funding, filled_lots, closed_lots }: OrderRecord): boolean =>
  funding === "leverage" && status !== "closed" && status !== "cancelled" && filled_lots > closed_lots;

/**
 * Loads the leveraged positions and starts watching them.
 * @returns a function that stops it; closes in progress are finished by the sequencer
 */
export async function startLiquidation(deps: LiquidationDeps): Promise<() => void> {
  const { db, venue, sequencer, now } = deps;
  const rows = new Map<number, Map<string, OrderRecord>>();
  /** Positions whose close is queued. */
  const queued = new Set<string>();
  /** Positions that were found locked, and until when they are left alone. */
  const lockedUntil = new Map<string, number>();

  const evaluate = (row: number): void => {
    const positions = rows.get(row);
    if (!positions || venue.phase(now()) !== "open" || !venue.fresh(now(), row)) return;
    const quote = venue.quote(row);
    // A row unchanged since the open still has an earlier day's price.
    if (quote.at < venue.state(now()).opensAt) return;
    for (const order of positions.values()) {
      const { order_no: orderNo } = order;
      if (queued.has(orderNo) || isForceClosing(order) || !isDue(order, quote.last)) continue;
      if (now() < (lockedUntil.get(orderNo) ?? 0)) continue;
      queued.add(orderNo);
      void submitForcedClose(sequencer, order, (batch, fresh) => {
        if (fresh.locked) lockedUntil.set(orderNo, batch.at + LOCKED_WAIT_MS);
        else if (isDue(fresh, batch.venue.quote(row).last)) forceClose(batch, fresh, "liquidation");
      })
        .catch((error: unknown) => deps.report?.(error))
        .finally(() => queued.delete(orderNo));
    }
  };

  const follow = (orders: readonly OrderRecord[]): void => {
    for (const order of orders) {
      const row = venue.instrument(order.code)?.row;
      if (row === undefined || order.funding !== "leverage") continue;
      const positions = rows.get(row) ?? new Map<string, OrderRecord>();
      rows.set(row, positions);
      lockedUntil.delete(order.order_no);
      if (isOpen(order)) positions.set(order.order_no, order);
      else positions.delete(order.order_no);
      if (positions.size === 0) rows.delete(row);
    }
    for (const row of new Set(orders.map(({ code }) => venue.instrument(code)?.row ?? -1))) evaluate(row);
  };

  const stops = [
    sequencer.onOrders(follow),
    venue.onChange((changed) => {
      if (rows.size > 0) for (const row of changed) evaluate(row);
    }),
    venue.onPhase(() => {
      for (const row of rows.keys()) evaluate(row);
    }),
  ];
  follow(
    await db.kysely
      .selectFrom("order")
      .selectAll()
      .where("funding", "=", "leverage")
      .where("status", "in", ["pending", "holding", "readyToClose"])
      .execute(),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
