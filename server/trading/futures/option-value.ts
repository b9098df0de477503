/** What members' options are worth, and what they have gained since they were last marked. */
import type { Series } from "#contract/option-code.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { OptionRecord } from "#server/records/option.ts";
import type { Venue } from "#server/venue/venue.ts";
import { optionMarkNow } from "./option-series.ts";
import type { Expiry } from "./option-series.ts";

const OPEN = `SELECT * FROM option_position WHERE status IN ('open', 'called') AND ($1::bigint IS NULL OR member_id = $1) ORDER BY id`;
/** What an expiry pays was gained on the day before. */
const TRADED = `SELECT coalesce(sum(CASE cause WHEN 'settlement' THEN 0 ELSE gain_cents END - fee_cents - tax_cents), 0)::bigint AS cents
FROM option_trade WHERE member_id = $1 AND fee_day = $2`;

export const readOpenOptions = (on: Reader, memberId: number | null): Promise<OptionRecord[]> => query<OptionRecord>(on, OPEN, [memberId]);

export const seriesIn = ({ option_right: right, strike }: OptionRecord): Series => ({ right, strike });
export const expiryIn = (row: OptionRecord): Expiry => ({
  expiryDay: row.expiry_day,
  opensAt: row.expiry_opens_at,
  closesAt: row.expiry_closes_at,
});

/** The value of a position in tenths of a point times lots; as last marked where it has expired, is not marked for the day before, or the index is not known. */
export function valueTenths(venue: Venue, at: number, row: OptionRecord): number {
  const today = venue.feeDay(at);
  const mark = row.expiry_day < today || row.mark_day < today ? null : optionMarkNow(venue, expiryIn(row), seriesIn(row), at);
  return mark === null ? row.marked_tenths : mark * row.lots + 0;
}

/** What a position would pay at its mark: positive where bought, negative where sold. */
export const worthOf = (venue: Venue, at: number, row: OptionRecord): number => premiumWorth(valueTenths(venue, at, row));

/** What a position has gained since it was last marked. */
export const gainOf = (venue: Venue, at: number, row: OptionRecord): number =>
  premiumWorth(valueTenths(venue, at, row) - row.marked_tenths);

export const gainTogether = (venue: Venue, at: number, rows: readonly OptionRecord[]): number =>
  rows.reduce((sum, row) => sum + gainOf(venue, at, row), 0);

/** What options are worth, by member, of one or of all (null). */
export async function valueOptions(on: Reader, venue: Venue, memberId: number | null, at: number): Promise<Map<number, number>> {
  const totals = new Map<number, number>();
  for (const row of await readOpenOptions(on, memberId))
    totals.set(row.member_id, (totals.get(row.member_id) ?? 0) + worthOf(venue, at, row));
  return totals;
}

/** What a member's option trades of a fee day have made, charges deducted. */
export async function optionsTradedOn(on: Reader, memberId: number, day: number): Promise<number> {
  const [row] = await query<{ cents: number }>(on, TRADED, [memberId, day]);
  return row?.cents ?? 0;
}

/** A member's options today: what their trades have made since the day's marking, and what open positions have gained since it. */
export async function optionsToday(on: Reader, venue: Venue, memberId: number, at: number): Promise<number> {
  const open = gainTogether(venue, at, await readOpenOptions(on, memberId));
  return open + (await optionsTradedOn(on, memberId, venue.feeDay(at)));
}
