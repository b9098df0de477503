/** What members' options are worth, and what they have gained since they were last marked. */
import type { Series } from "#contract/option-code.ts";
import { premiumWorth } from "#contract/option-terms.ts";
import { query } from "#server/db/database.ts";
import type { Reader } from "#server/db/database.ts";
import type { OptionQuote } from "#contract/option-price.ts";
import type { OptionRecord } from "#server/records/option.ts";
import type { Venue } from "#server/venue/venue.ts";
import { ExpiryPrices } from "./option-series.ts";
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

/** What options are valued by at one moment: an expiry and a series are priced once, however many positions are of them. */
export class OptionMarks {
  readonly at: number;
  readonly #venue: Venue;
  readonly #today: number;
  /** By the time their session opens. */
  readonly #expiries = new Map<number, { row: OptionRecord; prices: ExpiryPrices }>();

  constructor(venue: Venue, at: number) {
    this.at = at;
    this.#venue = venue;
    this.#today = venue.feeDay(at);
  }

  #pricesOf(row: OptionRecord): ExpiryPrices {
    const known = this.#expiries.get(row.expiry_opens_at);
    if (known && known.row.expiry_day === row.expiry_day && known.row.expiry_closes_at === row.expiry_closes_at) return known.prices;
    const prices = new ExpiryPrices(this.#venue, expiryIn(row), this.at);
    this.#expiries.set(row.expiry_opens_at, { row, prices });
    return prices;
  }

  /** The price of a position's series, in tenths of a point; null where the index is not known. */
  mark(row: OptionRecord): number | null {
    return this.#pricesOf(row).mark(row.option_right, row.strike);
  }

  /** What a position's series trades at; null where it does not. */
  quote(row: OptionRecord): OptionQuote | null {
    return this.#pricesOf(row).quote(row.option_right, row.strike);
  }

  /** The value of a position in tenths of a point times lots; as last marked where it has expired, is not marked for the day before, or the index is not known. */
  tenths(row: OptionRecord): number {
    const mark = row.expiry_day < this.#today || row.mark_day < this.#today ? null : this.mark(row);
    return mark === null ? row.marked_tenths : mark * row.lots + 0;
  }

  /** What a position would pay at its mark: positive where bought, negative where sold. */
  worth(row: OptionRecord): number {
    return premiumWorth(this.tenths(row));
  }

  /** What a position has gained since it was last marked. */
  gain(row: OptionRecord): number {
    return premiumWorth(this.tenths(row) - row.marked_tenths);
  }
}

export function gainTogether(venue: Venue, at: number, rows: readonly OptionRecord[]): number {
  const marks = new OptionMarks(venue, at);
  return rows.reduce((sum, row) => sum + marks.gain(row), 0);
}

export function worthTogether(venue: Venue, at: number, rows: readonly OptionRecord[]): number {
  const marks = new OptionMarks(venue, at);
  return rows.reduce((sum, row) => sum + marks.worth(row), 0);
}

/** What options are worth, by member, of one or of all (null). */
export async function valueOptions(on: Reader, venue: Venue, memberId: number | null, at: number): Promise<Map<number, number>> {
  const totals = new Map<number, number>();
  const rows = await readOpenOptions(on, memberId);
  const marks = new OptionMarks(venue, at);
  for (const row of rows) totals.set(row.member_id, (totals.get(row.member_id) ?? 0) + marks.worth(row));
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
