/** What members' options are worth, what they have gained since they were last marked, and the margin of those that were sold. */
import type { Series } from "#contract/option-code.ts";
import { premiumWorth, sellerMargin } from "#contract/option-terms.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { OptionRecord } from "#server/records/option.ts";
import { optionRuleAt } from "#server/rules/rules.ts";
import type { RuleSet } from "#server/rules/rules.ts";
import { indexLevels } from "./contracts.ts";
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
function valueTenths(venue: Venue, at: number, row: OptionRecord): number {
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

/** What options add to the margin account. */
export interface OptionMargin {
  initialCents: number;
  maintenanceCents: number;
  /** What bought ones are worth, and what sold ones would cost. */
  longCents: number;
  shortCents: number;
  /** What sold ones have gained: no money that may leave. */
  lockedCents: number;
}

/** Where an account is looked at: its market and its rules. */
export interface MarginSources {
  venue: Venue;
  rules: Pick<RuleSet, "of">;
}

/** The margins of one position; a bought one needs none. */
export function marginOfOption({ venue, rules }: MarginSources, at: number, row: OptionRecord) {
  const index = indexLevels(venue);
  if (row.lots >= 0) return { initialCents: 0, maintenanceCents: 0 };
  const lots = -row.lots;
  const mark = -valueTenths(venue, at, row) / lots;
  // Without an index nothing is out of the money.
  return sellerMargin(
    row.option_right,
    row.strike,
    mark,
    index ? Math.round(index.last / 10_000) : row.strike,
    lots,
    optionRuleAt(rules, row.member_id, at),
  );
}

export function optionMargin(sources: MarginSources, at: number, rows: readonly OptionRecord[]): OptionMargin {
  const sum: OptionMargin = { initialCents: 0, maintenanceCents: 0, longCents: 0, shortCents: 0, lockedCents: 0 };
  for (const row of rows) {
    const worth = worthOf(sources.venue, at, row);
    if (row.lots > 0) sum.longCents += worth;
    else {
      const { initialCents, maintenanceCents } = marginOfOption(sources, at, row);
      sum.initialCents += initialCents;
      sum.maintenanceCents += maintenanceCents;
      sum.shortCents -= worth;
      sum.lockedCents += Math.max(0, worth - premiumWorth(row.cost_tenths));
    }
  }
  return sum;
}
