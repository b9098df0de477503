/** The trades that a batch adds to the market: stored with its fills, and reported to the venue after the commit. */
import { query } from "#server/db/database.ts";
import type { Reader, Tx } from "#server/db/database.ts";
import { marketName } from "#server/venue/market-name.ts";
import type { MemberTrade } from "#server/venue/matching/member-trade.ts";
import type { Venue } from "#server/venue/venue.ts";

/** A trade, and whether the venue has recorded it already: an auction's price is struck before its fills are booked. */
type Reported = MemberTrade & { isKnown: boolean };

const INSERT = `
INSERT INTO member_trade (universe, code, at, price, lots, side, taken)
SELECT universe, code, at, price, lots, side, taken FROM json_populate_recordset(NULL::member_trade, $1::json)`;

export class MarketInBatch {
  readonly #venue: Venue;
  readonly #trades: Reported[] = [];

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  add(trade: MemberTrade, isKnown = false): void {
    this.#trades.push({ ...trade, isKnown });
  }

  async write(tx: Tx, at: number): Promise<void> {
    if (this.#trades.length === 0) return;
    const universe = marketName(this.#venue.state(at));
    const rows = this.#trades.map(({ row, isKnown: _, ...trade }) => ({ ...trade, universe, code: this.#venue.instruments[row]?.code }));
    await query(tx, INSERT, [JSON.stringify(rows)]);
  }

  /** Reports the trades to the venue, once they are committed. */
  commit(): void {
    if (this.#trades.length > 0) this.#venue.report(this.#trades.filter(({ isKnown }) => !isKnown));
  }
}

/** Gives the venue the trades of its own market from before the start, oldest first. */
export async function restoreTrades(db: Reader, venue: Venue, at: number): Promise<void> {
  const universe = marketName(venue.state(at));
  const rows = await query<Omit<MemberTrade, "row"> & { code: string }>(
    db,
    "SELECT code, at, price, lots, side, taken FROM member_trade WHERE universe = $1 ORDER BY id",
    [universe],
  );
  venue.restore(
    rows.flatMap(({ code, ...trade }) => {
      const row = venue.instrument(code)?.row;
      return row === undefined ? [] : [{ ...trade, row }];
    }),
  );
}
