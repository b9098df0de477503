/** Closes a position for the broker: cancels its resting close and sends all it holds to the market. */
import type { CloseCause } from "#contract/order.ts";
import { closeFor, queriesOfPosition } from "#server/trading/order-entry/close.ts";
import type { QueuedCommand } from "#server/trading/sequencer/queued-command.ts";
import type { Sequencer } from "#server/trading/sequencer/sequencer.ts";
import { isOriginLocked } from "#server/trading/sequencer/order-record.ts";
import type { OrderRecord } from "#server/trading/sequencer/order-record.ts";
import type { Batch } from "#server/trading/sequencer/batch.ts";
import { isTrading } from "#server/venue/venue.ts";
import type { Venue } from "#server/venue/venue.ts";

/** Why the broker closes a position. */
export type ForcedCause = Exclude<CloseCause, "member" | "condition">;

/**
 * Tells whether the broker is already closing a position: the unfilled part rests, at market or, for single shares, at the worst price of
 * the day. A close at a price chosen by the member is the member's own, and a copy's sale at its limit may wait as long: both make way.
 */
export function isForceClosing({ status, close_cause, close_pricing }: OrderRecord): boolean {
  if (status !== "readyToClose" || close_cause === "member" || close_cause === "condition") return false;
  return close_cause !== "copy" || close_pricing !== "limit";
}

/**
 * Tells whether the broker may close a position now: not while its instrument is closed, in a call auction that others will be traded after, or
 * without fresh prices, and not while the position is locked or its origin locks it. An operator's lock means that a corporate action failed: lots and prices are wrong, so every decision
 * based on them would be wrong too.
 */
export function isSellable(order: Pick<OrderRecord, "code" | "locked" | "origin" | "locked_until">, venue: Venue, at: number): boolean {
  const { code, locked } = order;
  if (locked || isOriginLocked(order, at)) return false;
  const row = venue.instrument(code)?.row;
  return row !== undefined && isTrading(venue, row, at) && venue.fresh(at, row);
}

/** Closes everything an order holds at market. @returns whether it went to the market, see `isSellable` */
export function forceClose(batch: Batch, order: OrderRecord, cause: ForcedCause): boolean {
  if (isForceClosing(order) || order.filled_lots <= order.closed_lots) return false;
  if (!isSellable(order, batch.venue, batch.at)) return false;
  return closeFor(batch, order, cause);
}

/** Queues the decision whether one position has to be closed. */
export function submitForcedClose<Result>(
  sequencer: Sequencer,
  { member_id: memberId, order_no: orderNo }: Pick<OrderRecord, "member_id" | "order_no">,
  decide: (batch: Batch, order: OrderRecord) => Result,
  prepare?: QueuedCommand<Result>["prepare"],
): Promise<Result | null> {
  return sequencer.submit<Result | null>({
    memberIds: [memberId],
    orderNos: [orderNo],
    placements: 1,
    counterparties: (batch) => {
      const order = batch?.order(memberId, orderNo);
      return order && batch ? queriesOfPosition(batch, order) : [];
    },
    ...(prepare ? { prepare } : {}),
    decide: (batch) => {
      const order = batch.order(memberId, orderNo);
      return order ? decide(batch, order) : null;
    },
  });
}
