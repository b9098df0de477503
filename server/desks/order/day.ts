/** An order is good for the trading day it was asked for in: what of it rests then lapses with the day. */
import type { Venue } from "#server/venue/port.ts";
import { restOf } from "./record.ts";
import type { OrderRecord } from "./record.ts";

/** Since when what members asked for is good: the end of the latest trading day, or the start of the one under way. */
export function goodSince(venue: Venue, at: number): number {
  const { opensAt, closesAt } = venue.state(at);
  return at >= closesAt ? closesAt : opensAt;
}

/** Whether an order rests although its day is over. */
export function lapsed(order: OrderRecord, venue: Venue, at: number): boolean {
  return restOf(order) !== null && order.asked_at < goodSince(venue, at);
}
