/** The house closes a position: what rests of it is withdrawn, everything it holds goes to the market, for a cause that is not the member's. */
import type { CloseCause } from "#contract/order.ts";
import { closeFor } from "#server/desks/order/close.ts";
import type { Counter, Job } from "#server/desks/order/counter.ts";
import type { OrderRecord } from "#server/desks/order/record.ts";
import { unitsPerLot } from "#server/desks/order/resting.ts";
import type { Seek } from "#server/desks/order/resting.ts";
import type { Round } from "#server/desks/order/round.ts";
import type { Venue } from "#server/venue/port.ts";

/** What the house closes a position for. */
export type HouseCause = Exclude<CloseCause, "member" | "condition">;

/**
 * Whether the house is selling a position already: what the market did not take yet rests, at market or, of single shares, at the
 * worst price of the day. One that its member gave another price is the member's.
 */
export function isSelling({ status, close_cause }: OrderRecord): boolean {
  return status === "readyToClose" && close_cause !== "member" && close_cause !== "condition";
}

/** Whether a position can be sold at market now: not while its instrument is closed, in a call, or silent. */
export function isSellable({ code }: Pick<OrderRecord, "code">, venue: Venue, at: number): boolean {
  const row = venue.instrument(code)?.row;
  return row !== undefined && venue.matching(row, at) === "continuous" && venue.fresh(at, row);
}

/** Close everything an order holds at market. @returns whether it went to the market: not while it is closed or silent */
export function sellOut(round: Round, order: OrderRecord, cause: HouseCause): boolean {
  if (isSelling(order) || order.filled_lots <= order.closed_lots) return false;
  if (!isSellable(order, round.venue, round.at)) return false;
  return closeFor(round, order, cause);
}

/** Whom closing all of a position at market may meet. */
function seekOfAll(round: Round, order: OrderRecord): Seek[] {
  const instrument = round.venue.instrument(order.code);
  if (!instrument) return [];
  const lots = Math.floor((order.filled_lots - order.closed_lots) / unitsPerLot(order, "board", instrument.lotShares));
  return [{ row: instrument.row, side: order.direction === "rise" ? "sell" : "buy", limit: null, lots, memberId: order.member_id }];
}

/** Stand in line to decide whether one position has to be closed. */
export function submitSale<Result>(
  counter: Counter,
  { member_id: memberId, order_no: orderNo }: Pick<OrderRecord, "member_id" | "order_no">,
  decide: (round: Round, order: OrderRecord) => Result,
  prepare?: Job<Result>["prepare"],
): Promise<Result | null> {
  return counter.submit<Result | null>({
    memberIds: [memberId],
    orderNos: [orderNo],
    placements: 1,
    seeks: (round) => {
      const order = round?.order(memberId, orderNo);
      return order && round ? seekOfAll(round, order) : [];
    },
    ...(prepare ? { prepare } : {}),
    decide: (round) => {
      const order = round.order(memberId, orderNo);
      return order ? decide(round, order) : null;
    },
  });
}
