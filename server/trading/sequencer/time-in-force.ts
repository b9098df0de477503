/** Time in force: an order lasts for the trading day it was placed in; its unfilled or untriggered rest then expires. */
import { MINUTE_MS } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { OrderRecord } from "./order-record.ts";

/** Tells whether part of an order is still in the market or waiting to enter it. */
export const isOpen = ({ status }: OrderRecord): boolean => status === "pending" || status === "readyToClose";

/** More than a feed's clock is corrected by from one day to the next, and much less than a day of the venue lasts. */
const CLOCK_MS = 2 * MINUTE_MS;

/** The latest moment for which an order may be reserved that goes to the market now. */
export const reservedUpTo = (at: number): number => at + CLOCK_MS;

/** When the session opens that an order is reserved for. By our clock it may begin a little earlier or later than was foreseen. */
const sessionOf = (reservedFor: number, venue: Venue): number => venue.state(reservedUpTo(reservedFor)).opensAt;

/** Tells whether the session that an order is reserved for has not begun yet. */
export const isAhead = ({ reserved_for: until }: OrderRecord, venue: Venue, at: number): boolean =>
  until !== null && (reservedUpTo(at) < until || sessionOf(until, venue) > venue.state(at).opensAt);

/** Tells whether an order was placed on an earlier trading day than the given time. */
export function ofAnotherDay(order: OrderRecord, venue: Venue, at: number): boolean {
  return venue.state(order.asked_at).opensAt !== venue.state(at).opensAt;
}

/** Tells whether an order is in a closing call that is put off. */
function isInLateClose({ code }: OrderRecord, market: string | null, venue: Venue, at: number): boolean {
  const row = venue.instrument(code)?.row;
  return market !== "fixed" && row !== undefined && venue.lateClose(row, at) !== null;
}

/** Tells whether an order is still open although its day is over. After hours only fixed-price orders remain, and odd lots that came since the close. A reserved order lasts until its session is over. */
export function lapsed(order: OrderRecord, venue: Venue, at: number): boolean {
  if (!isOpen(order)) return false;
  if (order.reserved_for !== null) return sessionOf(order.reserved_for, venue) < venue.state(at).opensAt;
  const phase = venue.phase(at);
  const market = order.status === "pending" ? order.market : order.close_market;
  if (phase !== "open" && isInLateClose(order, market, venue, at)) return ofAnotherDay(order, venue, at);
  if (phase === "closed") return true;
  if (phase === "oddLot" || phase === "fixedPrice") {
    const isOdd = market === "odd" && order.asked_at >= venue.state(at).closesAt;
    if (!isOdd && (phase === "oddLot" || market !== "fixed")) return true;
  }
  return ofAnotherDay(order, venue, at);
}
