/** Time in force: an order lasts for the trading day it was placed in; what still rests or waits then lapses. */
import { DAY_MS, SECOND_MS } from "#contract/kernel/time.ts";
import type { Venue } from "#server/venue/venue.ts";
import type { OrderRecord } from "./order-record.ts";

/** Whether something of an order is still in the market, or waits to go there. */
export const isOpen = ({ status }: OrderRecord): boolean => status === "pending" || status === "readyToClose";

/** Whether an order was asked for on an earlier trading day than the one a moment belongs to. */
export function ofAnotherDay(order: OrderRecord, venue: Venue, at: number): boolean {
  return venue.state(order.asked_at).opensAt !== venue.state(at).opensAt;
}

/** Whether an order is still open although its day is over: after hours only what trades at the close lives on. */
export function lapsed(order: OrderRecord, venue: Venue, at: number): boolean {
  if (!isOpen(order)) return false;
  const phase = venue.phase(at);
  const market = order.status === "pending" ? order.market : order.close_market;
  if (phase === "closed" || (phase === "fixedPrice" && market !== "fixed")) return true;
  return ofAnotherDay(order, venue, at);
}

/** The phases of a day are fewer. */
const MAX_PHASES = 16;

/** When the trading day after a moment's begins; null where the venue's calendar has no end to this one. */
function nextDay(venue: Pick<Venue, "state">, at: number): number | null {
  const { opensAt } = venue.state(at);
  let moment = at;
  for (let hop = 0; hop < MAX_PHASES; hop += 1) {
    const { phaseEndsAt, closesAt } = venue.state(moment);
    const next = phaseEndsAt ?? closesAt;
    if (next <= moment) return null;
    if (venue.state(next).opensAt !== opensAt) return next;
    moment = next;
  }
  return null;
}

/** Until when something bought now is locked: so many seconds, or, of a day and more, the trading days after this one. */
export function lockedUntil(venue: Pick<Venue, "state">, at: number, lockSeconds: number): number | null {
  if (lockSeconds <= 0) return null;
  const lockMs = lockSeconds * SECOND_MS;
  if (lockMs < DAY_MS) return at + lockMs;
  let moment: number | null = at;
  for (let days = Math.ceil(lockMs / DAY_MS); moment !== null && days > 0; days -= 1) moment = nextDay(venue, moment);
  return moment ?? at + lockMs;
}
