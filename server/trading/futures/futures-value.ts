/** What members' futures add to their accounts: gains and losses that no settlement has paid yet, and today's profit. */
import { markLots, pointsWorth } from "#contract/futures-price.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { FuturesRecord } from "#server/records/futures.ts";
import type { Venue } from "#server/venue/venue.ts";
import { markNow } from "./contracts.ts";

const OPEN = `SELECT * FROM futures_position WHERE status IN ('open', 'called') AND ($1::bigint IS NULL OR member_id = $1) ORDER BY id`;

/** What an expiry pays was gained on the day before. */
const TRADED = `SELECT coalesce(sum(CASE cause WHEN 'settlement' THEN 0 ELSE gain_cents END - fee_cents - tax_cents), 0)::bigint AS cents
FROM futures_trade WHERE member_id = $1 AND fee_day = $2`;

/** The price of a position at a moment; null where it has expired, is not settled for the day before, or the index is not known. */
export function priceOfHeld(venue: Venue, at: number, row: FuturesRecord): number | null {
  const today = venue.feeDay(at);
  return row.expiry_day < today || row.mark_day < today ? null : markNow(venue, row.expiry_day, at);
}

/** What a position has gained since it was last settled, in cents; what has no price counts as settled. */
export function unpaidOf(venue: Venue, at: number, row: FuturesRecord): number {
  const price = priceOfHeld(venue, at, row);
  const held = { lots: row.lots, costPoints: row.cost_points, markedPoints: row.marked_points };
  return price === null ? 0 : pointsWorth(row.product, markLots(held, price).gained);
}

export const unpaidTogether = (venue: Venue, at: number, rows: readonly FuturesRecord[]): number =>
  rows.reduce((sum, row) => sum + unpaidOf(venue, at, row), 0);

/** Gains and losses that are not paid yet, by member, of one or of all (null). */
export async function valueFutures(on: Reader, venue: Venue, memberId: number | null, at: number): Promise<Map<number, number>> {
  const totals = new Map<number, number>();
  for (const row of await query<FuturesRecord>(on, OPEN, [memberId]))
    totals.set(row.member_id, (totals.get(row.member_id) ?? 0) + unpaidOf(venue, at, row));
  return totals;
}

/** What a member's trades of a fee day have made, charges deducted. */
export async function tradedOn(on: Reader, memberId: number, day: number): Promise<number> {
  const [row] = await query<{ cents: number }>(on, TRADED, [memberId, day]);
  return row?.cents ?? 0;
}

/**
 * A member's futures today: what their trades have made since the day's settlement, and what open positions have gained since it. The day is
 * the market's, which settlements divide: of a calendar day with many of them, trades and positions would count different times.
 */
export async function futuresToday(on: Reader, venue: Venue, memberId: number, at: number): Promise<number> {
  const open = (await valueFutures(on, venue, memberId, at)).get(memberId) ?? 0;
  return open + (await tradedOn(on, memberId, venue.feeDay(at)));
}
